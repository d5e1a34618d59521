package bounding

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// answering is a store that writes, and answers as it likes.
type answering struct {
	spill.Memory
	change func(ref *spill.Ref)
}

func (s *answering) Save(ctx context.Context, req spill.Request) (spill.Ref, error) {
	ref, err := s.Memory.Save(ctx, req)
	s.change(&ref)
	return ref, err
}

type panicking struct{}

func (panicking) Save(context.Context, spill.Request) (spill.Ref, error) { panic("boom") }
func (panicking) Open(context.Context, string) (spill.Artifact, error)   { panic("boom") }

// What a store says goes into the text only if it can be what it must be; otherwise the save has failed.
//
// spec: OFF-9, OFF-10
func TestAnswersOfStoresAreChecked(t *testing.T) {
	digest := strings.Repeat("0", 64)
	for name, tt := range map[string]struct {
		change func(ref *spill.Ref)
		ok     bool
	}{
		"as it is":            {func(*spill.Ref) {}, true},
		"upper case":          {func(ref *spill.Ref) { ref.SHA256 = strings.ToUpper(ref.SHA256) }, true},
		"no digest":           {func(ref *spill.Ref) { ref.SHA256 = "" }, false},
		"short digest":        {func(ref *spill.Ref) { ref.SHA256 = digest[1:] }, false},
		"long digest":         {func(ref *spill.Ref) { ref.SHA256 = digest + "0" }, false},
		"huge digest":         {func(ref *spill.Ref) { ref.SHA256 = strings.Repeat("z", 100_000) }, false},
		"digest is no number": {func(ref *spill.Ref) { ref.SHA256 = "\xff\x1b" + digest[2:] }, false},
		"one byte less":       {func(ref *spill.Ref) { ref.Bytes-- }, false},
		"one byte more":       {func(ref *spill.Ref) { ref.Bytes++ }, false},
		"no locator":          {func(ref *spill.Ref) { ref.Locator = "" }, false},
		"bell":                {func(ref *spill.Ref) { ref.Locator += "\a" }, false},
		"DEL":                 {func(ref *spill.Ref) { ref.Locator += "\x7f" }, false},
		"next line":           {func(ref *spill.Ref) { ref.Locator += "\u0085" }, false},
		"line separator":      {func(ref *spill.Ref) { ref.Locator += "\u2028" }, false},
		"right to left":       {func(ref *spill.Ref) { ref.Locator += "\u202e" }, false},
		"invalid UTF-8":       {func(ref *spill.Ref) { ref.Locator += "\xff" }, false},
		"longest locator":     {func(ref *spill.Ref) { ref.Locator = strings.Repeat("l", 4_096) }, true},
		"too long":            {func(ref *spill.Ref) { ref.Locator = strings.Repeat("l", 4_097) }, false},
		"other scripts":       {func(ref *spill.Ref) { ref.Locator = "/tmp/データ é" }, true},
		"hint with escapes":   {func(ref *spill.Ref) { ref.RetrievalHint = "\x1b]0;x\a\x00 \u2028\u202eopen\nit\xff" }, true},
	} {
		quota := spill.NewQuota(100_000)
		p, err := New(Strict(), WithStore(&answering{change: tt.change}), WithQuota(quota))
		if err != nil {
			t.Fatal(err)
		}
		r := p.Bound(t.Context(), output("ls", strings.Repeat("x", 40_000)))
		if ok := r.Outcome() == Saved; ok != tt.ok || !utf8.ValidString(r.Text()) || r.Size() > 7_000 {
			t.Errorf("%s: %v with %d units: %.200q", name, r.Outcome(), r.Size(), r.Text())
		}
		for _, c := range r.Text() {
			if c != '\n' && unprintable(c) {
				t.Errorf("%s: %q is shown", name, c)
			}
		}
		if n := quota.Used(""); n != 40_000 {
			t.Errorf("%s: %d bytes are counted, 40,000 were written", name, n)
		}
	}
}

// What was written stays counted, and the next store is counted by itself.
//
// spec: OFF-10
func TestOrphansAreCounted(t *testing.T) {
	bad := &answering{change: func(ref *spill.Ref) { ref.SHA256 = "" }}
	for limit, want := range map[int64]struct {
		outcome Outcome
		used    int64
	}{80_000: {Saved, 80_000}, 79_999: {SessionFull, 40_000}, 39_999: {SessionFull, 0}} {
		quota := spill.NewQuota(limit)
		p, err := New(Strict(), WithStore(bad, &spill.Memory{}), WithQuota(quota))
		if err != nil {
			t.Fatal(err)
		}
		if r := p.Bound(t.Context(), output("ls", strings.Repeat("x", 40_000))); r.Outcome() != want.outcome || quota.Used("") != want.used {
			t.Errorf("limit %d: %v, %d bytes are counted", limit, r.Outcome(), quota.Used(""))
		}
	}
}

// spec: OFF-10
func TestNothingPanics(t *testing.T) {
	long := strings.Repeat("x", 40_000)
	quota := spill.NewQuota(100_000)
	var none context.Context
	p, err := New(Strict(), WithStore(panicking{}, &spill.Local{}, &spill.Memory{}), WithQuota(quota), WithTracer(LogTo(nil)))
	if err != nil {
		t.Fatal(err)
	}
	r := p.Bound(none, output("ls", long))
	if r.Outcome() != Saved || quota.Used("") != 40_000 {
		t.Errorf("%v, %d bytes are counted", r.Outcome(), quota.Used(""))
	}
	if back := p.Import(none, output("ls", r.Text())); back.Original() != r.Original() {
		t.Errorf("it came back as %v", back.State())
	}
	alone, err := New(Strict(), WithStore(panicking{}), WithQuota(quota), WithTracer(LogTo(slog.New(slog.DiscardHandler))))
	if err != nil {
		t.Fatal(err)
	}
	if r := alone.Bound(none, output("ls", long)); r.Outcome() != SaveFailed || quota.Used("") != 40_000 {
		t.Errorf("%v, %d bytes are counted", r.Outcome(), quota.Used(""))
	}
	for name, option := range map[string]Option{
		"no option": nil, "no store": WithStore(nil), "typed nil": WithStore((*spill.Memory)(nil)), "typed nil, local": WithStore((*spill.Local)(nil)),
	} {
		if _, err := New(Strict(), option); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if r := p.Checkpoint(none, nil, Checkpoint{Trigger: OnDemand}); r != nil || r.String() == "" {
		t.Errorf("report %v of no history", r)
	}
	var h History
	if err := h.User("hello", Media{}); err != nil || h.Total() != 0 || h.Len() != 1 {
		t.Errorf("%v, %d entries", err, h.Len())
	}
	h.Commit()
	p.Checkpoint(none, &h, Checkpoint{Trigger: OnDemand})
	if err := h.Model("", Call{ID: "call_0"}); err != nil {
		t.Error(err)
	}
	if err := h.Append(p.Batch(none, r)); err == nil {
		t.Error("a zero history took a result")
	}
	if plan := PlanBatch([]int{5, 5}, 3, LargestFirst, nil); plan.After != 3 || len(plan.Offloaded) != 0 {
		t.Errorf("%+v", plan)
	}
	if paths, n := Evictions(ClearPlan{Cleared: []int{1, 2}}, nil); len(paths) != 0 || n != 2 {
		t.Errorf("%v, %d unresolved", paths, n)
	}
}
