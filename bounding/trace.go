package bounding

import (
	"context"

	"github.com/boundcheck/boundcheck/bounding/text"
)

// Tracer is told what happens to results. Nothing it gets holds payload: sizes, names and ids only. Its methods are called
// from the goroutines that use the pipeline.
//
// spec: OFF-12, WMK-6
type Tracer interface {
	// Transition is called once for each bound that changed the state or the size of a result, after it did, and once for
	// each new result. It is called for each medium, too, that a checkpoint drops: with the result that it was in, or with
	// no call when it stood on its own.
	Transition(ctx context.Context, t Transition)
	// StoreFailed is called when a store could not save a text, whether the next one could or not.
	StoreFailed(ctx context.Context, f StoreFailure)
	// Cleared is called for each checkpoint that has something new to report.
	Cleared(ctx context.Context, r *Report)
}

// Cause says which pass made a transition.
type Cause uint8

const (
	WithinBounds  Cause = iota // a new result that no bound touched
	GateBound                  // too large for the history: offloaded
	ToolBound                  // above the budget of its tool, or the line cap
	MetadataBound              // its metadata was above its share
	BatchBound                 // the message was above the batch budget
	Watermarked                // it was old, and a checkpoint cleared it
)

var causeNames = names("cause", "within-bounds", "gate", "tool", "metadata", "batch", "watermark")

func (c Cause) String() string { return causeNames.of(int(c)) }

// Transition is what one bound did to one result.
type Transition struct {
	CallID, Tool  string
	Before, After State
	Cause         Cause
	From, To      int // sizes of the whole text of the entry
	Unit          text.Unit
	Outcome       Outcome
	Artifact      string // the locator, when the outcome is Saved
	// MetadataOutcome and MetadataArtifact say the same of the metadata.
	MetadataOutcome  Outcome
	MetadataArtifact string
	Media            int // media that were dropped
}

// StoreFailure is a text that a store did not take.
type StoreFailure struct {
	CallID, Tool string
	Bytes        int
	Outcome      Outcome // Saved when another store took it
	Err          error   // what the stores said
}

// transition reports a change of a result.
func (p *Pipeline) transition(ctx context.Context, r *Result, before State, from int, cause Cause) {
	p.tell(ctx, r.became(before, from, cause))
}

func (p *Pipeline) tell(ctx context.Context, t Transition) {
	if p.tracer != nil {
		p.tracer.Transition(given(ctx), t)
	}
}

// became describes what a result has become.
func (r *Result) became(before State, from int, cause Cause) Transition {
	t := Transition{
		CallID: r.call.ID, Tool: r.call.Tool, Before: before, After: r.state, Cause: cause,
		From: from, To: r.Size(), Unit: r.unit, Outcome: r.Outcome(), MetadataOutcome: r.MetadataOutcome(),
	}
	if ref, ok := r.Artifact(); ok {
		t.Artifact = ref.Locator
	}
	if ref, ok := r.MetadataArtifact(); ok {
		t.MetadataArtifact = ref.Locator
	}
	return t
}
