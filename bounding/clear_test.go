package bounding

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// foreign is a message type as agents have them: a role, and blocks of several sorts.
type foreign struct {
	Role   string
	Blocks []block
}

type block struct {
	ID, Tool, Text string
	Images         int
	Error          bool
}

// foreignView shows the results in foreign messages to the planners. Assistant messages hold none.
type foreignView struct{ files map[string][]string }

func (foreignView) Slots(dst []Slot, m foreign) []Slot {
	for _, b := range m.Blocks {
		s := Slot{Kind: OtherSlot}
		if m.Role == "user" && b.ID != "" {
			s = Slot{
				Units: len(b.Text), Media: b.Images, Placeholder: len(ClearedText),
				Failed: b.Error, Cleared: b.Text == ClearedText,
			}
		}
		dst = append(dst, s)
	}
	return dst
}

func (v foreignView) File(m foreign, i int) File {
	return File{Use: ReadsFile, Paths: v.files[m.Blocks[i].ID]}
}

func (foreignView) Clear(m foreign, slots []int) foreign {
	m.Blocks = slices.Clone(m.Blocks)
	for _, i := range slots {
		m.Blocks[i].Text, m.Blocks[i].Images = ClearedText, 0
	}
	return m
}

// spec: WMK-1, WMK-3, WMK-6, WMK-7
func TestClearPlansAForeignHistory(t *testing.T) {
	long := strings.Repeat("x", 100)
	history := []foreign{
		{"assistant", []block{{ID: "a"}, {ID: "b"}}},
		{"user", []block{{ID: "a", Text: long, Images: 1}, {Text: "please"}, {ID: "b", Text: long}}},
		{"assistant", []block{{ID: "c"}, {ID: "d"}}},
		{"user", []block{{ID: "c", Text: long, Error: true}, {ID: "d", Text: long}}},
	}
	pending := []foreign{{"user", []block{{ID: "e", Text: long}}}}
	view := foreignView{map[string][]string{"a": {"a.go"}}}
	w := Watermark{High: 400, Keep: 1, IdleAfter: Never}
	before := slices.Clone(history)

	got, r := Clear(history, pending, view, w, Checkpoint{})
	if r != nil || &got[0] != &history[0] {
		t.Fatalf("exactly H is quiet: %+v", r)
	}
	w.High = 399
	got, r = Clear(history, pending, view, w, Checkpoint{})
	if r == nil || r.Results != 2 || r.After != 100 || r.Pending != 100 || !r.SoftExceeded() {
		t.Fatalf("report %+v", r)
	}
	if !slices.Equal(r.Evicted, []string{"a.go"}) || r.Unresolved != 1 || !r.DisarmAll {
		t.Errorf("evicted %v, unresolved %d", r.Evicted, r.Unresolved)
	}
	want := slices.Clone(history)
	want[1] = foreign{"user", []block{{ID: "a", Text: ClearedText}, {Text: "please"}, {ID: "b", Text: ClearedText}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !cmp.Equal(history, before) || &got[3].Blocks[0] != &history[3].Blocks[0] {
		t.Error("the input was changed, or an untouched message was copied")
	}
	plan, where := PlanMessages(history, pending, view.Slots, w, Checkpoint{})
	if at := []Position{where(plan.Cleared[0]), where(plan.Cleared[1])}; !cmp.Equal(at, []Position{{1, 0}, {1, 2}}) {
		t.Errorf("cleared at %v", at)
	}
	if again, r := Clear(got, pending, view, w, Checkpoint{}); r != nil || &again[0] != &got[0] {
		t.Errorf("the second run: %+v", r)
	}
}

// A history and the pure form agree about the same session.
//
// spec: WMK-9
func TestHistoryClearsLikeThePureForm(t *testing.T) {
	p, _ := newPipeline(t, limits(func(l *Limits) {
		l.Watermark = Watermark{High: 1_000, Keep: 2, IdleAfter: time.Hour}
	}))
	h := p.NewHistory()
	var messages []foreign
	for i := range 60 {
		n := []int{10, 300, 100, 33, 34, 500}[i%6]
		b := block{ID: string(rune('A' + i)), Text: strings.Repeat("x", n), Error: i%7 == 3}
		out := Output{Call: Call{ID: b.ID, Tool: "ls"}, Text: b.Text}
		if b.Error {
			out.Status = Failed
		}
		messages = append(messages, foreign{"user", []block{b}})
		r := turn(t, p, h, out)
		var pure *Report
		messages, pure = clearAll(messages, 1, p.Limits().Watermark, Checkpoint{})
		samePlan(t, i, r, pure)
		if i%20 == 19 {
			at := Checkpoint{Trigger: BeforeQuery, Gap: time.Hour}
			r := p.Checkpoint(t.Context(), h, at)
			messages, pure = clearAll(messages, 0, p.Limits().Watermark, at)
			samePlan(t, i, r, pure)
		}
		var texts, want []string
		for r := range h.Results() {
			texts = append(texts, r.Text())
		}
		for _, m := range messages {
			want = append(want, m.Blocks[0].Text)
		}
		if !slices.Equal(texts, want) {
			t.Fatalf("step %d: the texts differ", i)
		}
	}
}

func clearAll(messages []foreign, pending int, w Watermark, at Checkpoint) ([]foreign, *Report) {
	n := len(messages) - pending
	cleared, r := Clear(messages[:n], messages[n:], foreignView{}, w, at)
	return append(slices.Clone(cleared), messages[n:]...), r
}

func samePlan(t *testing.T, step int, got, want *Report) {
	t.Helper()
	if (got == nil) != (want == nil) || got != nil && !cmp.Equal(got.ClearPlan, want.ClearPlan) {
		t.Fatalf("step %d: history %+v, pure form %+v", step, got, want)
	}
}
