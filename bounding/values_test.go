package bounding

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Results, entries and histories are values: what a caller changes afterwards, in what it gave or in what it got, changes
// nothing in them.
func TestValuesShareNothing(t *testing.T) {
	p, _ := newPipeline(t, Strict())
	files := []string{"/a"}
	picture, inPart := []Media{{Type: "image/png"}}, &Media{Type: "image/png"}
	calls := []Call{{ID: "1", Tool: "write_file", Files: files}, {ID: "2", Tool: "ls", Files: files}}
	h := p.NewHistory()
	if err := h.User("look", picture...); err != nil {
		t.Fatal(err)
	}
	if err := h.Model("", calls...); err != nil {
		t.Fatal(err)
	}
	open := h.Open()
	whole := p.Bound(t.Context(), Output{Call: calls[0], Text: "a", Parts: []Part{{Text: "b"}, {Media: inPart}}})
	cut := p.Bound(t.Context(), Output{Call: calls[1], Parts: []Part{{Text: strings.Repeat("x", 40_000)}, {Media: inPart}}})
	m := p.Batch(t.Context(), whole, cut)
	if err := h.Append(m); err != nil {
		t.Fatal(err)
	}
	state := func() string {
		var b strings.Builder
		for _, e := range h.Entries() {
			fmt.Fprint(&b, e.Calls, e.Media, e.Result.Call())
			for part := range e.Result.Parts() {
				if part.Media != nil {
					fmt.Fprint(&b, *part.Media)
				}
			}
		}
		for _, r := range append(m.Results(), whole, cut) {
			fmt.Fprint(&b, r.Call())
		}
		return b.String()
	}
	before := state()
	files[0], picture[0].Type, inPart.Type, calls[0].ID = "evil", "evil", "evil", "evil"
	open[0].Files[0], m.Results()[0].Call().Files[0] = "evil", "evil"
	for _, e := range h.Entries() {
		for i := range e.Calls {
			e.Calls[i].Files[0], e.Calls[i].ID = "evil", "evil"
		}
		for i := range e.Media {
			e.Media[i].Type = "evil"
		}
		for part := range e.Result.Parts() {
			if part.Media != nil {
				part.Media.Type = "evil"
			}
		}
		if f := e.Result.Call().Files; len(f) > 0 {
			f[0] = "evil"
		}
	}
	if after := state(); after != before || strings.Contains(before, "evil") {
		t.Errorf("%s became %s", before, after)
	}
}

type recorder struct{ seen []Transition }

func (r *recorder) Transition(_ context.Context, t Transition) { r.seen = append(r.seen, t) }
func (r *recorder) StoreFailed(context.Context, StoreFailure)  {}
func (r *recorder) Cleared(context.Context, *Report)           {}

// Every bound that changes a result is told by itself, with what became of body, metadata and media.
//
// spec: OFF-12
func TestTraceTellsEveryBound(t *testing.T) {
	var trace recorder
	p, _ := newPipeline(t, limits(func(l *Limits) { l.Batch, l.Watermark.Keep = 48_000, 1 }), WithTracer(&trace))
	out := Output{Call: Call{ID: "1", Tool: "ls"}, Text: strings.Repeat("x", 40_000), Metadata: []string{strings.Repeat("h", 100_000)}}
	r := p.Bound(t.Context(), out)
	body, _ := r.Artifact()
	meta, _ := r.MetadataArtifact()
	one := Transition{CallID: "1", Tool: "ls", Before: Raw, After: Stubbed, Cause: GateBound, From: 140_002, Outcome: Saved, Artifact: body.Locator}
	two := one
	two.Before, two.Cause, two.MetadataOutcome, two.MetadataArtifact = Stubbed, MetadataBound, Saved, meta.Locator
	three := two
	three.Cause, three.To = BatchBound, r.Size()
	if len(trace.seen) == 3 {
		one.To = trace.seen[0].To
		two.From, two.To = one.To, trace.seen[1].To
		three.From = two.To
	}
	if diff := cmp.Diff([]Transition{one, two, three}, trace.seen); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	trace.seen = nil
	h := p.NewHistory()
	if err := h.User("look", Media{}, Media{}); err != nil {
		t.Fatal(err)
	}
	for i, tool := range []string{"enter_plan_mode", "enter_plan_mode", "ls", "ls"} {
		turn(t, p, h, Output{Call: Call{ID: fmt.Sprint(i), Tool: tool}, Text: strings.Repeat("t", 50), Parts: []Part{{Media: &Media{}}}})
	}
	trace.seen = nil
	p.Checkpoint(t.Context(), h, Checkpoint{Trigger: OnDemand})
	want := []Transition{
		{Before: Kept, After: Cleared, Cause: Watermarked, Media: 1},
		{CallID: "0", Tool: "enter_plan_mode", Before: Kept, After: Kept, Cause: Watermarked, From: 50, To: 50, Media: 1},
		{CallID: "2", Tool: "ls", Before: Kept, After: Cleared, Cause: Watermarked, From: 50, To: 33, Outcome: Aged, Media: 1},
	}
	if diff := cmp.Diff(want, trace.seen); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Under Qwen an error with media takes a keep slot, and still has written nothing.
//
// spec: WMK-7
func TestFailedWriteVouchesForNothing(t *testing.T) {
	for _, status := range []Status{Success, Failed, Thrown, TimedOut, Cancelled} {
		l := Qwen()
		l.Watermark.Keep = 1
		p, _ := newPipeline(t, l)
		h := p.NewHistory()
		body := strings.Repeat("x", 1_000)
		turn(t, p, h, Output{Call: Call{ID: "1", Tool: "read_file", Files: []string{"/a"}}, Text: body})
		turn(t, p, h, Output{Call: Call{ID: "2", Tool: "write_file", Files: []string{"/a"}}, Status: status, Text: body, Parts: []Part{{Media: &Media{}}}})
		r := p.Checkpoint(t.Context(), h, Checkpoint{Trigger: OnDemand})
		if vouched := len(r.Evicted) == 0; vouched != (status == Success) || !slices.Equal(r.Kept, []int{1}) {
			t.Errorf("%v: evicted %v, kept %v", status, r.Evicted, r.Kept)
		}
	}
}
