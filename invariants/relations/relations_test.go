package relations_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/invariants/model"
	"github.com/boundcheck/boundcheck/invariants/relations"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/smallscope"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// sessions are small histories, short sessions, random ones, and some that hardly any of these would be.
func sessions() iter.Seq[scenario.Scenario] {
	return func(yield func(scenario.Scenario) bool) {
		random := 100
		if testing.Short() {
			random = 20
		}
		for s := range smallscope.Histories(2) {
			if !yield(s) {
				return
			}
		}
		more := true
		smallscope.Sequences(2, 5, 1, func(d smallscope.Decision) bool {
			more = yield(d.Scenario())
			return more
		})
		r := rand.New(rand.NewPCG(1, 2))
		for range random {
			data := make([]byte, 20+r.IntN(100))
			for i := range data {
				data[i] = byte(r.Uint32())
			}
			if !more || !yield(scenario.FromBytes(data)) {
				return
			}
		}
		for _, s := range special() {
			if !yield(s) {
				return
			}
		}
	}
}

func special() []scenario.Scenario {
	call := func(id string, n int) []scenario.Step {
		return []scenario.Step{{Op: scenario.Call, ID: id, Tool: "t", Payload: scenario.Of(n, "x")}, {Op: scenario.Batch}, {Op: scenario.Commit}}
	}
	query := scenario.Step{Op: scenario.Checkpoint, Trigger: bounding.BeforeQuery, Gap: 48 * time.Hour}
	off := bounding.Strict()
	off.Watermark.High, off.Watermark.IdleAfter = bounding.Unlimited, bounding.Never
	off.Watermark.Keep = 1
	low := bounding.Strict()
	low.Watermark.High, low.Watermark.Keep = 300, 1
	var events []scenario.Event
	for range 40 {
		events = append(events, scenario.Event{Kind: "user", Text: scenario.Of(60, "a")}, scenario.Event{Kind: "assistant", Text: scenario.Of(90, "b")})
	}
	reference := scenario.Step{Op: scenario.Reference, Budget: 1_000, Sources: []scenario.Source{
		{Session: "one", Label: "first", Events: events}, {Session: "two", Label: "second", Events: events[:4]}, {Session: "three", Label: "third", Events: events[10:]},
	}}
	return []scenario.Scenario{
		{Limits: off, Steps: slices.Concat(call("a", 100), call("b", 60_000), []scenario.Step{query}, call("c", 50))},
		{Limits: low, Steps: slices.Concat(call("a", 60_000), call("b", 20_000))},
		{Limits: low, Steps: slices.Concat(call("a", 200), call("b", 200), []scenario.Step{query}, call("c", 90), []scenario.Step{query})},
		{Limits: low, Steps: []scenario.Step{reference}},
	}
}

type factory func() subject.Bounder

// hold judges a relation by all sessions, and returns how many it said something about and what it found wrong.
func hold(t *testing.T, r relations.Relation, first, second factory) (int, error) {
	t.Helper()
	n := 0
	for s := range sessions() {
		other, ok := r.Transform(s)
		if !ok {
			continue
		}
		n++
		a := trace.Run(t.Context(), first(), s, -1)
		b := trace.Run(t.Context(), second(), other, -1)
		if err := r.Compare(a, b); err != nil {
			return n, fmt.Errorf("%w\n%s", err, scenario.Format(s))
		}
	}
	return n, nil
}

func TestReferenceHolds(t *testing.T) {
	shown := func() subject.Bounder { return model.New() }
	mirrored := func() subject.Bounder { return model.Incremental() }
	for r := range relations.All() {
		t.Run(r.ID, func(t *testing.T) {
			pairs := [][2]factory{{shown, shown}, {shown, mirrored}}
			if testing.Short() {
				pairs = pairs[:1]
			}
			for _, pair := range pairs {
				n, err := hold(t, r, pair[0], pair[1])
				if err != nil {
					t.Error(err)
				}
				if n == 0 {
					t.Error("the relation says nothing about any of the sessions")
				}
			}
		})
	}
}

// bare bounds into a store of its own, and does no more.
type bare struct{ store spill.Store }

func (b bare) Bound(ctx context.Context, l bounding.Limits, out bounding.Output) (subject.Result, error) {
	p, err := bounding.New(l, bounding.WithStore(b.store), bounding.WithSession("s"))
	if err != nil {
		return subject.Result{}, err
	}
	r := p.Bound(ctx, out)
	result := subject.Result{Call: out.Call, Text: r.Text(), State: r.State(), Outcome: r.Outcome(), Failed: r.IsError()}
	if ref, ok := r.Artifact(); ok {
		result.Locator = ref.Locator
	}
	return result, nil
}

// TestStores holds MR12 between stores that name their artifacts in different ways.
func TestStores(t *testing.T) {
	for r := range relations.All() {
		if r.ID != "MR12" {
			continue
		}
		local, err := spill.NewLocal(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		in := func(s spill.Store) factory { return func() subject.Bounder { return bare{s} } }
		if _, err := hold(t, r, in(&spill.Memory{}), in(local)); err != nil {
			t.Error(err)
		}
		if _, err := hold(t, r, in(&spill.Memory{}), in(&spill.Memory{})); err != nil {
			t.Error(err)
		}
	}
}

// wrong is the reference model with one method gone wrong.
type wrong struct {
	*model.Subject
	clear     func(m *model.Subject, l bounding.Limits, h subject.History, at bounding.Checkpoint) (subject.History, *subject.ClearReport, error)
	reference func(r subject.References) subject.References
	batch     func(r subject.Result) subject.Result
}

func (w wrong) Clear(ctx context.Context, l bounding.Limits, h subject.History, at bounding.Checkpoint) (subject.History, *subject.ClearReport, error) {
	if w.clear == nil {
		return w.Subject.Clear(ctx, l, h, at)
	}
	return w.clear(w.Subject, l, h, at)
}

func (w wrong) Batch(ctx context.Context, l bounding.Limits, results []subject.Result) ([]subject.Result, error) {
	list, err := w.Subject.Batch(ctx, l, results)
	for i := range list {
		if w.batch != nil {
			list[i] = w.batch(list[i])
		}
	}
	return list, err
}

func (w wrong) Reference(ctx context.Context, req subject.ReferenceRequest) (subject.References, error) {
	r, err := w.Subject.Reference(ctx, req)
	if w.reference != nil && err == nil {
		r = w.reference(r)
	}
	return r, err
}

// under clears under other limits than it is asked to.
func under(change func(l *bounding.Limits, h subject.History)) factory {
	return func() subject.Bounder {
		return wrong{Subject: model.New(), clear: func(m *model.Subject, l bounding.Limits, h subject.History, at bounding.Checkpoint) (subject.History, *subject.ClearReport, error) {
			change(&l, h)
			return m.Clear(context.Background(), l, h, at)
		}}
	}
}

// renumbered writes at the end of each placeholder how many messages there are.
func renumbered() subject.Bounder {
	return wrong{Subject: model.New(), clear: func(m *model.Subject, l bounding.Limits, h subject.History, at bounding.Checkpoint) (subject.History, *subject.ClearReport, error) {
		after, report, err := m.Clear(context.Background(), l, h, at)
		after = after.Clone()
		for p, r := range after.All() {
			if r.State == bounding.Cleared {
				after.Messages[p.Message].Results[p.Result].Text = fmt.Sprintf("%s %d", bounding.ClearedText, len(h.Messages))
			}
		}
		return after, report, err
	}}
}

func TestWrongSubjectsAreFound(t *testing.T) {
	right := func() subject.Bounder { return model.New() }
	wrongs := map[string]factory{
		"MR3": renumbered,
		"MR6": under(func(l *bounding.Limits, _ subject.History) { l.Watermark.High = max(l.Watermark.High, 0) }),
		"MR7": under(func(l *bounding.Limits, _ subject.History) { l.Watermark.Keep = 4 - l.Watermark.Keep }),
		"MR8": under(func(l *bounding.Limits, _ subject.History) { l.Watermark.High = 1_000 * (l.Watermark.High % 2) }),
		"MR10": under(func(l *bounding.Limits, h subject.History) {
			if slices.ContainsFunc(h.Messages, func(m subject.Message) bool { return m.Role == bounding.UserRole && m.Text != "" }) {
				l.Watermark.Keep++
			}
		}),
		"MR11": under(func(l *bounding.Limits, h subject.History) {
			for _, r := range h.All() {
				if r.State == bounding.Cleared {
					l.Watermark.Keep++
				}
			}
		}),
		"MR13": func() subject.Bounder {
			return wrong{Subject: model.New(), reference: func(r subject.References) subject.References {
				for i := range r.Items {
					r.Items[i].OmittedBytes += i
				}
				return r
			}}
		},
		"MR16": renumbered,
	}
	for r := range relations.All() {
		second := wrongs[r.ID]
		first := second
		if r.ID == "MR12" {
			first, second = right, func() subject.Bounder {
				return wrong{Subject: model.New(), batch: func(r subject.Result) subject.Result {
					if r.Outcome == bounding.Saved {
						r.Outcome = bounding.SaveFailed
					}
					return r
				}}
			}
		}
		if second == nil {
			t.Errorf("%s has no wrong subject", r.ID)
			continue
		}
		if _, err := hold(t, r, first, second); err == nil {
			t.Errorf("%s (%s) finds nothing wrong", r.ID, r.Statement)
		}
	}
}
