package machine

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/spill"
	reference "github.com/boundcheck/boundcheck/invariants/model"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

func machine(newSubject func() subject.Bounder) Machine {
	return Machine{New: func() (subject.Bounder, error) { return newSubject(), nil }, Seed: 1, Sequences: 300, Length: 20, Timeout: -1}
}

// TestReference runs both forms of the reference model.
func TestReference(t *testing.T) {
	for name, newSubject := range map[string]func() subject.Bounder{
		"shown":    func() subject.Bounder { return reference.New() },
		"mirrored": func() subject.Bounder { return reference.Incremental() },
	} {
		t.Run(name, func(t *testing.T) {
			if err := machine(newSubject).Check(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// bug is the reference model with something wrong.
type bug struct {
	*reference.Subject
	bound func(l bounding.Limits, out bounding.Output, r *subject.Result) error
	later func(r *subject.Result)
	batch func(results []subject.Result) []subject.Result
	clear func(given, h subject.History, report **subject.ClearReport) subject.History
	save  func(s *subject.Saved, first string)
	page  func(p *subject.Page)
	saved string // the first locator
}

func (b *bug) Bound(ctx context.Context, l bounding.Limits, out bounding.Output) (subject.Result, error) {
	r, err := b.Subject.Bound(ctx, l, out)
	if b.bound != nil && err == nil {
		err = b.bound(l, out, &r)
	}
	return r, err
}

func (b *bug) Tighten(ctx context.Context, l bounding.Limits, r subject.Result) (subject.Result, error) {
	r, err := b.Subject.Tighten(ctx, l, r)
	if b.later != nil {
		b.later(&r)
	}
	return r, err
}

func (b *bug) Batch(ctx context.Context, l bounding.Limits, results []subject.Result) ([]subject.Result, error) {
	if b.batch != nil {
		return b.batch(results), nil
	}
	return b.Subject.Batch(ctx, l, results)
}

func (b *bug) Clear(ctx context.Context, l bounding.Limits, h subject.History, at bounding.Checkpoint) (subject.History, *subject.ClearReport, error) {
	cleared, report, err := b.Subject.Clear(ctx, l, h, at)
	if b.clear != nil && err == nil {
		cleared = b.clear(h, cleared.Clone(), &report)
	}
	return cleared, report, err
}

func (b *bug) Save(ctx context.Context, l bounding.Limits, req spill.Request) (subject.Saved, error) {
	s, err := b.Subject.Save(ctx, l, req)
	if b.save != nil {
		b.saved = cmp.Or(b.saved, s.Locator)
		b.save(&s, b.saved)
	}
	return s, err
}

func (b *bug) Open(ctx context.Context, locator string, offset, limit int64) (subject.Page, error) {
	p, err := b.Subject.Open(ctx, locator, offset, limit)
	if b.page != nil {
		b.page(&p)
	}
	return p, err
}

// first returns the first result of a history that is as wanted.
func first(h subject.History, wanted func(p subject.Position, r subject.Result) bool) *subject.Result {
	for p, r := range h.All() {
		if wanted(p, r) {
			return &h.Messages[p.Message].Results[p.Result]
		}
	}
	return &subject.Result{}
}

var bugs = []struct {
	name, says string
	results    int // of the smallest sequence
	bug        bug
}{
	{"output is not bounded", "and its bound is", 1, bug{bound: func(_ bounding.Limits, out bounding.Output, r *subject.Result) error {
		r.Text, r.State = out.Text, bounding.Raw
		return nil
	}}},
	{"whole means short", "said to be whole", 1, bug{bound: func(_ bounding.Limits, _ bounding.Output, r *subject.Result) error {
		if r.State == bounding.Kept {
			r.Text = r.Text[:len(r.Text)/2]
		}
		return nil
	}}},
	{"hostile ids are errors", "where a result is due", 1, bug{bound: func(_ bounding.Limits, out bounding.Output, _ *subject.Result) error {
		if strings.Contains(out.Call.ID, "..") {
			return errors.New("bad id")
		}
		return nil
	}}},
	{"panics at a path", "panic", 1, bug{bound: func(_ bounding.Limits, out bounding.Output, _ *subject.Result) error {
		if len(out.Call.Files) > 0 {
			panic("path")
		}
		return nil
	}}},
	{"a later pass forgets the locator", "changed the locator", 1, bug{later: func(r *subject.Result) { r.Locator = "" }}},
	{"a later pass adds a notice", "made the result longer", 1, bug{later: func(r *subject.Result) { r.Text += "!" }}},
	{"batches are not bounded", "and its bound is", 5, bug{batch: func(results []subject.Result) []subject.Result { return results }}},
	{"batches change their order", "in the place of call", 2, bug{batch: func(results []subject.Result) []subject.Result {
		slices.Reverse(results)
		return results
	}}},
	{"batches lose results", "of 2 results came back 1", 2, bug{batch: func(results []subject.Result) []subject.Result {
		return results[:1]
	}}},
	{"the oldest pending result is cleared", "before it was sent", 2, bug{clear: func(given, h subject.History, report **subject.ClearReport) subject.History {
		if *report != nil {
			first(h, func(p subject.Position, _ subject.Result) bool { return p.Message >= given.Committed }).Text = ""
		}
		return h
	}}},
	{"clears without a report", "there is no report", 2, bug{clear: func(_, h subject.History, report **subject.ClearReport) subject.History {
		*report = nil
		return h
	}}},
	{"the placeholder is long", "made longer", 2, bug{clear: func(_, h subject.History, _ **subject.ClearReport) subject.History {
		r := first(h, func(_ subject.Position, r subject.Result) bool { return r.State == bounding.Cleared })
		r.Text += strings.Repeat("!", 5_000)
		return h
	}}},
	{"errors are cleared", "is an error", 2, bug{clear: func(given, h subject.History, report **subject.ClearReport) subject.History {
		if *report != nil {
			first(h, func(p subject.Position, r subject.Result) bool {
				return p.Message < given.Committed && r.Failed && r.Text != ""
			}).Text = ""
		}
		return h
	}}},
	{"what was cleared comes back", "came back", 2, bug{clear: func(given, h subject.History, report **subject.ClearReport) subject.History {
		if *report != nil {
			first(h, func(p subject.Position, r subject.Result) bool {
				return given.Messages[p.Message].Results[p.Result].State == bounding.Cleared
			}).State = bounding.Kept
		}
		return h
	}}},
	{"messages are lost", "is gone", 2, bug{clear: func(_, h subject.History, report **subject.ClearReport) subject.History {
		if *report != nil {
			h.Messages = h.Messages[:len(h.Messages)-1]
		}
		return h
	}}},
	{"all saves have one locator", "stands for text", 0, bug{save: func(s *subject.Saved, first string) { s.Locator = first }}},
	{"a byte is lost", "the pages of text", 1, bug{page: func(p *subject.Page) { p.Data = p.Data[:max(0, len(p.Data)-1)] }}},
}

// TestBugs: each wrong subject is found, shrunk to few results, and told as a script that fails in the same way.
func TestBugs(t *testing.T) {
	for _, b := range bugs {
		t.Run(b.name, func(t *testing.T) {
			m := machine(func() subject.Bounder {
				wrong := b.bug
				wrong.Subject = reference.New()
				return &wrong
			})
			err := m.Check(t.Context())
			var failure *Failure
			if !errors.As(err, &failure) {
				t.Fatalf("not found: %v", err)
			}
			if !strings.Contains(failure.Problem, b.says) {
				t.Errorf("%s\nwant %q in it", failure, b.says)
			}
			if n := failure.Scenario.Calls(); n > b.results {
				t.Errorf("%d results, want at most %d\n%s", n, b.results, failure.Script)
			}
			script, err := scenario.Parse("a.txtar", []byte(failure.Script))
			if err != nil {
				t.Fatal(err)
			}
			if problem, err := m.Try(t.Context(), script.Scenario); problem != failure.Problem || err != nil {
				t.Errorf("the script says %q, %v\nand not %q", problem, err, failure.Problem)
			}
		})
	}
}

// TestNoSubject: what cannot be tested is no failure of the subject.
func TestNoSubject(t *testing.T) {
	m := Machine{New: func() (subject.Bounder, error) { return nil, errors.New("out of subjects") }, Sequences: 3, Length: 3}
	err := m.Check(t.Context())
	var failure *Failure
	if err == nil || errors.As(err, &failure) || !strings.Contains(err.Error(), "out of subjects") {
		t.Errorf("%v", err)
	}
}

// TestScenarios: the same seed yields the same sequences, as long as was asked for, and with steps of every kind.
func TestScenarios(t *testing.T) {
	m := Machine{Seed: 3, Sequences: 100, Length: 20}
	all := slices.Collect(m.Scenarios())
	if len(all) != 100 {
		t.Errorf("%d sequences", len(all))
	}
	if !reflect.DeepEqual(all, slices.Collect(m.Scenarios())) {
		t.Error("not the same twice")
	}
	seen, longest := map[scenario.Op]bool{}, 0
	for _, s := range all {
		longest = max(longest, len(s.Steps))
		for _, step := range s.Steps {
			seen[step.Op] = true
		}
	}
	for op := scenario.Call; op <= scenario.Plant; op++ {
		if !seen[op] {
			t.Errorf("no sequence has a %s", op)
		}
	}
	if longest < 40 {
		t.Errorf("the longest has %d steps", longest)
	}
	m.Seed = 4
	if reflect.DeepEqual(all, slices.Collect(m.Scenarios())) {
		t.Error("another seed yields the same")
	}
}
