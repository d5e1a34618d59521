package bounding

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// turn plays one turn of an agent: the model asks, the tools answer, the checkpoint is made while the results are pending.
func turn(t testing.TB, p *Pipeline, h *History, outputs ...Output) *Report {
	t.Helper()
	var calls []Call
	var results []Result
	for _, out := range outputs {
		calls = append(calls, out.Call)
		results = append(results, p.Bound(context.Background(), out))
	}
	if err := h.Model("", calls...); err != nil {
		t.Fatal(err)
	}
	if err := h.Append(p.Batch(context.Background(), results...)); err != nil {
		t.Fatal(err)
	}
	r := p.Checkpoint(context.Background(), h, Checkpoint{Trigger: BeforeToolTurn})
	h.Commit()
	return r
}

// render is a request: every byte that would be sent.
func render(h *History) []string {
	var lines []string
	for _, e := range h.Entries() {
		line := fmt.Sprintf("%v %q %v", e.Role, e.Text, e.Calls)
		for _, m := range e.Media {
			if m.Cleared {
				line += m.Placeholder()
			}
		}
		if e.Role == ToolRole {
			line += fmt.Sprintf(" %s %t %d %s", e.Result.Call().ID, e.Result.IsError(), e.Result.Media(), e.Result.Text())
		}
		lines = append(lines, line)
	}
	return lines
}

// spec: WMK-1, WMK-3, WMK-8
func TestSessionOf167ResultsIsRewritten14Times(t *testing.T) {
	p, _ := newPipeline(t, limits(func(l *Limits) { l.Tools["shell"] = Tool{Budget: 30_000} }))
	h := p.NewHistory()
	var rewrites []int
	var before []string
	for step := range 167 {
		r := turn(t, p, h, Output{Call: Call{ID: fmt.Sprint(step), Tool: "shell"}, Bounded: true, Text: strings.Repeat("x", 25_500)})
		after := render(h)
		if len(before) > 0 && !slices.Equal(before, after[:len(before)]) {
			rewrites = append(rewrites, step)
			if r == nil || r.Results != 11 {
				t.Errorf("step %d: the prefix changed, report %+v", step, r)
			}
		} else if r != nil {
			t.Errorf("step %d: a report, and the prefix did not change", step)
		}
		before = after
	}
	if want := []int{19, 30, 41, 52, 63, 74, 85, 96, 107, 118, 129, 140, 151, 162}; !slices.Equal(rewrites, want) {
		t.Errorf("rewrites at %v, want %v", rewrites, want)
	}
}

// spec: WMK-3, OFF-9
func TestClearedEntryKeepsCallStatusAndLocator(t *testing.T) {
	for name, tt := range map[string]struct {
		l    Limits
		want func(locator string) string
	}{
		"strict": {Strict(), Placeholder},
		"qwen":   {Qwen(), func(string) string { return ClearedText }},
	} {
		l := tt.l
		l.Watermark.Keep = 1
		p, store := newPipeline(t, l)
		h := p.NewHistory()
		picture := Part{Media: &Media{Type: "image/png"}}
		turn(t, p, h,
			Output{Call: Call{ID: "stub", Tool: "glob"}, Parts: []Part{{Text: strings.Repeat("x", 40_000)}, picture}, Metadata: []string{"hook"}},
			Output{Call: Call{ID: "whole", Tool: "glob"}, Text: strings.Repeat("y", 100)},
			Output{Call: Call{ID: "error", Tool: "glob"}, Status: Failed, Text: strings.Repeat("z", 100)},
			Output{Call: Call{ID: "short", Tool: "glob"}, Text: "ok"},
			Output{Call: Call{ID: "last", Tool: "glob"}, Text: strings.Repeat("z", 100)},
		)
		before, entries := h.Len(), slices.Collect(h.Results())
		r := p.Checkpoint(t.Context(), h, Checkpoint{Trigger: OnDemand})
		after := slices.Collect(h.Results())
		ref, _ := entries[0].Artifact()
		if got, want := after[0].Text(), tt.want(ref.Locator)+"\n\nhook"; got != want {
			t.Errorf("%s: the stub became %q, want %q", name, got, want)
		}
		if got, _ := after[0].Artifact(); after[0].State() != Cleared || after[0].Media() != 0 || content(t, store, got) != strings.Repeat("x", 40_000) {
			t.Errorf("%s: %v with %d media", name, after[0].State(), after[0].Media())
		}
		if after[1].Text() != ClearedText || after[1].Outcome() != Aged || after[1].Original().Raw != 100 {
			t.Errorf("%s: the whole result became %q, %v", name, after[1].Text(), after[1].Outcome())
		}
		if small := after[3].State() == Cleared; small != l.Watermark.ClearSmall {
			t.Errorf("%s: a result shorter than its placeholder: cleared %t", name, small)
		}
		for i := range after {
			if !cmp.Equal(after[i].Call(), entries[i].Call()) || after[i].Status() != entries[i].Status() {
				t.Errorf("%s: result %d changed its call or status", name, i)
			}
			if i != 0 && i != 1 && i != 3 && after[i].Text() != entries[i].Text() {
				t.Errorf("%s: result %d was touched", name, i)
			}
			if !l.Watermark.ClearSmall && after[i].Size() > entries[i].Size() {
				t.Errorf("%s: result %d grew", name, i)
			}
		}
		if h.Len() != before || r.Media != 1 || entries[0].Media() != 1 {
			t.Errorf("%s: %d entries, report %+v", name, h.Len(), r)
		}
		for _, threshold := range []int{500, 60, 33, 5, 0} {
			tight, _ := newPipeline(t, limits(func(l *Limits) { l.Threshold = threshold }))
			r := tight.Tighten(t.Context(), after[0])
			if r.State() != Cleared || threshold == 500 && r.Text() != after[0].Text() || r.Size() > 2*threshold {
				t.Errorf("%s: a pass with a threshold of %d made %q of a placeholder, %v", name, threshold, r.Text(), r.State())
			}
			if got := r.Body(); threshold == 60 && name == "strict" && !strings.Contains(got, ref.Locator) {
				t.Errorf("%s: the locator went first: %q", name, got)
			}
		}
		// Placeholders are not cleared again, and count nothing.
		text := render(h)
		if r := p.Checkpoint(t.Context(), h, Checkpoint{Trigger: OnDemand}); len(r.Cleared) > 0 || !slices.Equal(text, render(h)) {
			t.Errorf("%s: cleared twice: %v", name, r)
		}
	}
}

// What is cleared is let go of, also where what was shown is not what was stored.
//
// spec: WMK-3
func TestClearedResultLetsGoOfThePayload(t *testing.T) {
	p, _ := newPipeline(t, limits(func(l *Limits) { l.Watermark.Keep = 1 }))
	for _, filler := range []string{"x", "\xff"} {
		h := p.NewHistory()
		for i := range 3 {
			turn(t, p, h, Output{Call: Call{ID: fmt.Sprint(i), Tool: "ls"}, Text: strings.Repeat(filler, 20_000)})
		}
		p.Checkpoint(t.Context(), h, Checkpoint{Trigger: OnDemand})
		for r := range h.Results() {
			b := r.body
			if held := len(b.shown) + len(b.raw) + len(b.head) + len(b.tail); r.State() == Cleared && held > 100 {
				t.Errorf("%q: %d bytes held", filler, held)
			}
		}
	}
}

// The fault: errors, thrown exceptions and results of other tools are outside the total, and nobody says so. Here they are
// bounded one by one, and the report says what keeps the history above its watermark.
//
// spec: WMK-10
func TestFaultWhatCannotBeClearedIsReported(t *testing.T) {
	p, _ := newPipeline(t, limits(func(l *Limits) { l.Watermark = Watermark{High: 1_000, Keep: 2, IdleAfter: Never} }))
	h := p.NewHistory()
	text := func(n int) string { return strings.Repeat("x", n) }
	turn(t, p, h,
		Output{Call: Call{ID: "1", Tool: "ls"}, Text: text(300), Protected: true},
		Output{Call: Call{ID: "2", Tool: "ls"}, Text: text(33)},
		Output{Call: Call{ID: "3", Tool: "ls"}, Status: Thrown, Text: text(20_000)},
		Output{Call: Call{ID: "4", Tool: "ls"}, Text: text(400)},
		Output{Call: Call{ID: "5", Tool: "ls"}, Text: text(250)},
	)
	r := turn(t, p, h, Output{Call: Call{ID: "6", Tool: "ls"}, Text: text(90)})
	want := ClearPlan{
		Reason: SizePath, High: 1_000, Low: 500, Before: 1_073, Pending: 90, After: 983, Kept: []int{3, 4},
		KeptUnits: 650, ProtectedUnits: 300, SmallUnits: 33,
	}
	if r == nil || !cmp.Equal(r.ClearPlan, want) || !r.SoftExceeded() {
		t.Errorf("report %+v, want %+v", r, want)
	}
}

// spec: WMK-6
func TestSoftExceededIsLoggedOnce(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelInfo}))
	p, _ := newPipeline(t, limits(func(l *Limits) { l.Watermark = Watermark{High: 100, Keep: 5, IdleAfter: Never} }),
		WithTracer(LogTo(logger)))
	h := p.NewHistory()
	turn(t, p, h, Output{Call: Call{ID: "1", Tool: "ls"}, Text: strings.Repeat("secret", 40)})
	for range 3 {
		if r := p.Checkpoint(t.Context(), h, Checkpoint{Trigger: BeforeQuery}); r == nil || !r.SoftExceeded() {
			t.Fatalf("report %+v", r)
		}
	}
	// While it was pending, and once it was committed.
	if n := strings.Count(log.String(), "soft-exceeded=true"); n != 2 {
		t.Errorf("%d log lines:\n%s", n, log.String())
	}
	if !strings.Contains(log.String(), "target 50 (soft-exceeded)") || strings.Contains(log.String(), "secret") {
		t.Errorf("log:\n%s", log.String())
	}
	turn(t, p, h, Output{Call: Call{ID: "2", Tool: "ls"}, Text: strings.Repeat("y", 7)})
	if n := strings.Count(log.String(), "soft-exceeded=true"); n != 3 {
		t.Errorf("a changed state is news: %d log lines:\n%s", n, log.String())
	}
}

// spec: WMK-6
func TestClearingIsLoggedEachTime(t *testing.T) {
	var log bytes.Buffer
	p, _ := newPipeline(t, limits(func(l *Limits) { l.Watermark = Watermark{High: 100, Keep: 1, IdleAfter: Never} }),
		WithTracer(LogTo(slog.New(slog.NewTextHandler(&log, nil)))))
	h := p.NewHistory()
	for i := range 5 { // from the third on, one goes for each that comes, and the totals stay the same
		turn(t, p, h, Output{Call: Call{ID: fmt.Sprint(i), Tool: "ls"}, Text: strings.Repeat("x", 60)})
	}
	if n := strings.Count(log.String(), "soft-exceeded=true"); n != 4 {
		t.Errorf("%d log lines:\n%s", n, log.String())
	}
}

// spec: WMK-4
func TestIdleClearsOldMediaOfTheUser(t *testing.T) {
	p, _ := newPipeline(t, limits(func(l *Limits) { l.Watermark.Keep = 1 }))
	h := p.NewHistory()
	if err := h.User("look", Media{Type: "image/png\nx]", Value: 1}, Media{Type: "image/png", Value: 2}); err != nil {
		t.Fatal(err)
	}
	h.Commit()
	var before Entry
	for _, e := range h.Entries() {
		before = e
	}
	r := p.Checkpoint(t.Context(), h, Checkpoint{Trigger: BeforeQuery, Gap: time.Hour})
	for _, e := range h.Entries() {
		if !e.Media[0].Cleared || e.Media[0].Value != nil || e.Media[1].Cleared || before.Media[0].Cleared {
			t.Errorf("media %+v, handed out before: %+v", e.Media, before.Media)
		}
		if got := e.Media[0].Placeholder(); got != "[Old inline media cleared: image/pngx]" {
			t.Errorf("placeholder %q", got)
		}
	}
	if r == nil || r.Media != 1 || r.MediaKept != 1 || r.MediaBefore != 2 {
		t.Errorf("report %+v", r)
	}
}

// spec: WMK-7
func TestEvictionsAndWhoVouches(t *testing.T) {
	call := func(id, tool string, files ...string) Output {
		return Output{Call: Call{ID: id, Tool: tool, Files: files}, Text: strings.Repeat("x", 100)}
	}
	for _, tt := range []struct {
		name       string
		keep       int
		outputs    []Output
		evicted    []string
		unresolved int
	}{
		{"read", 1, []Output{call("1", "read_file", "a"), call("2", "ls")}, []string{"a"}, 0},
		{"alias of an edit", 1, []Output{call("1", "replace", "a"), call("2", "ls")}, []string{"a"}, 0},
		{"a kept write vouches", 1, []Output{call("1", "read_file", "a"), call("2", "write_file", "a")}, nil, 0},
		{"a kept read does not", 1, []Output{call("1", "read_file", "a"), call("2", "read_file", "a")}, []string{"a"}, 0},
		{"a kept edit does not", 1, []Output{call("1", "read_file", "a"), call("2", "edit", "a")}, []string{"a"}, 0},
		{"a write of two files does not", 1, []Output{call("1", "read_file", "a"), call("2", "write_file", "a", "b")}, []string{"a"}, 0},
		{"the same file named twice is one", 1, []Output{call("1", "read_file", "a"), call("2", "write_file", "a", "a")}, nil, 0},
		{"first seen first, once", 1, []Output{call("1", "read_file", "b"), call("2", "edit", "a"), call("3", "read_file", "b"), call("4", "ls")}, []string{"b", "a"}, 0},
		{"unknown file", 1, []Output{call("1", "read_file"), call("2", "ls")}, nil, 1},
		{"other tools have no files", 1, []Output{call("1", "ls", "a"), call("2", "ls")}, nil, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, _ := newPipeline(t, limits(func(l *Limits) { l.Watermark.Keep = tt.keep }))
			h := p.NewHistory()
			turn(t, p, h, tt.outputs...)
			r := p.Checkpoint(t.Context(), h, Checkpoint{Trigger: OnDemand})
			if !slices.Equal(r.Evicted, tt.evicted) || r.Unresolved != tt.unresolved || r.DisarmAll != (tt.unresolved > 0) {
				t.Errorf("evicted %v, unresolved %d, disarm all %t", r.Evicted, r.Unresolved, r.DisarmAll)
			}
		})
	}
	t.Run("a pending write does not vouch", func(t *testing.T) {
		p, _ := newPipeline(t, limits(func(l *Limits) { l.Watermark = Watermark{High: 250, Keep: 1, IdleAfter: Never} }))
		h := p.NewHistory()
		turn(t, p, h, call("1", "read_file", "a"))
		turn(t, p, h, call("2", "ls"))
		if r := turn(t, p, h, call("3", "write_file", "a")); r == nil || !slices.Equal(r.Evicted, []string{"a"}) {
			t.Errorf("report %+v", r)
		}
	})
	t.Run("memory pressure drops everything", func(t *testing.T) {
		p, _ := newPipeline(t, limits(func(l *Limits) { l.Watermark.Keep = 1 }))
		h := p.NewHistory()
		turn(t, p, h, call("1", "read_file", "a"), call("2", "ls"))
		if r := p.Checkpoint(t.Context(), h, Checkpoint{Trigger: MemoryPressure}); r == nil || !r.DisarmAll || r.Reason != PressurePath {
			t.Errorf("report %+v", r)
		}
	})
}

// spec: OFF-1, WMK-3
func TestHistoryTakesOnlyWhatBelongsIntoIt(t *testing.T) {
	p, _ := newPipeline(t, Strict())
	ok := p.Bound(t.Context(), Output{Call: Call{ID: "1", Tool: "ls"}})
	for name, try := range map[string]func(h *History) error{
		"a raw result": func(h *History) error { return h.Append(p.Batch(t.Context(), Result{})) },
		"no result":    func(h *History) error { return h.Append(Message{}) },
		"two results":  func(h *History) error { return h.Append(p.Batch(t.Context(), ok, ok)) },
		"another pipeline": func(h *History) error {
			other, _ := newPipeline(t, Strict())
			return h.Append(other.Batch(t.Context(), ok))
		},
		"another call":         func(h *History) error { return h.Append(p.Batch(t.Context(), p.Bound(t.Context(), Output{}))) },
		"the user in between":  func(h *History) error { return h.User("hello") },
		"the model in between": func(h *History) error { return h.Model("hello") },
	} {
		h := p.NewHistory()
		if err := h.Model("", Call{ID: "1", Tool: "ls"}); err != nil {
			t.Fatal(err)
		}
		err := try(h)
		unpaired := name != "a raw result" && name != "another pipeline"
		if err == nil || errors.Is(err, ErrUnpaired) != unpaired || h.Len() != 1 || len(h.Open()) != 1 {
			t.Errorf("%s: %v, %d entries", name, err, h.Len())
		}
		if err := h.Append(p.Batch(t.Context(), ok)); err != nil {
			t.Errorf("%s: afterwards: %v", name, err)
		}
	}
	h := p.NewHistory() // ids may repeat, within a turn as well
	for range 2 {
		if err := errors.Join(h.Model("", Call{Tool: "a"}, Call{Tool: "b"}), h.Append(p.Batch(t.Context(),
			p.Bound(t.Context(), Output{}), p.Bound(t.Context(), Output{})))); err != nil {
			t.Error(err)
		}
	}
}

// spec: WMK-9
func TestCheckpointBetweenClearingsAllocatesNothing(t *testing.T) {
	p, _ := newPipeline(t, Strict())
	h := p.NewHistory()
	for i := range 15 {
		turn(t, p, h, Output{Call: Call{ID: fmt.Sprint(i), Tool: "ls"}, Text: strings.Repeat("x", 25_000)})
	}
	if n := testing.AllocsPerRun(100, func() { p.Checkpoint(context.Background(), h, Checkpoint{}) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// spec: OFF-5
func TestResultsOfAHistoryCanBeTightened(t *testing.T) {
	p, store := newPipeline(t, Strict())
	h := p.NewHistory()
	outputs := []Output{
		{Call: Call{ID: "1", Tool: "ls"}, Text: strings.Repeat("x", 5_000)},
		{Call: Call{ID: "2", Tool: "ls"}, Text: strings.Repeat("x\xff", 2_500)},
		{Call: Call{ID: "3", Tool: "ls"}, Text: strings.Repeat("x", 40_000)},
	}
	turn(t, p, h, outputs...)
	tight, err := New(limits(func(l *Limits) { l.Threshold = 1_000 }), WithStore(store))
	if err != nil {
		t.Fatal(err)
	}
	i := 0
	for r := range h.Results() {
		if err := checkResult(tight, store, outputs[i], tight.Tighten(t.Context(), r)); err != nil {
			t.Errorf("result %d: %v", i, err)
		}
		i++
	}
}

// spec: WMK-4
func TestIdleDropsOldMediaInFixedResults(t *testing.T) {
	p, _ := newPipeline(t, limits(func(l *Limits) { l.Watermark.Keep = 1 }))
	h := p.NewHistory()
	plan := func(id string) Output {
		return Output{Call: Call{ID: id, Tool: "enter_plan_mode"}, Parts: []Part{{Text: "the plan"}, {Media: &Media{Type: "image/png"}}, {Text: "goes on"}}}
	}
	turn(t, p, h, plan("1"), plan("2"), Output{Call: Call{ID: "3", Tool: "enter_plan_mode"}, Text: strings.Repeat("x", 100)})
	r := p.Checkpoint(t.Context(), h, Checkpoint{Trigger: BeforeQuery, Gap: time.Hour})
	var got []string
	for r := range h.Results() {
		var parts []string
		for part := range r.Parts() {
			parts = append(parts, fmt.Sprintf("%.8s %t", part.Text, part.Media != nil))
		}
		got = append(got, fmt.Sprint(r.State(), r.Media(), parts))
	}
	want := []string{
		"kept 0 [the plan false goes on false]", "kept 1 [the plan false  true goes on false]", "kept 0 [xxxxxxxx false]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if r == nil || r.Results != 0 || r.Media != 1 || r.MediaKept != 1 || h.Total() != 0 {
		t.Errorf("report %+v, total %d", r, h.Total())
	}
}
