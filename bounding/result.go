package bounding

import (
	"iter"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/text"
)

// Result is a tool result that went through the bounds of a [Pipeline]. Only a pipeline makes one; the zero value is Raw,
// and no history takes it. A Result is a value: a later pass returns another one and leaves this one alone.
type Result struct {
	by        *Pipeline // under whose limits it is
	call      Call
	status    Status
	state     State
	protected bool
	bounded   bool // its producer brought it down to its own budget
	unit      text.Unit
	body      piece
	meta      piece
	parts     []Part  // the parts of a whole body, when it has several
	media     []Media // in order
}

// Call is the call that the result answers.
func (r Result) Call() Call { return r.call.own() }

// Status says how the call ended. No bound changes it.
//
// spec: OFF-10
func (r Result) Status() Status { return r.status }

// IsError reports whether the call ended in any other way than success.
func (r Result) IsError() bool { return r.status != Success }

// State says how much of the output is in the result.
func (r Result) State() State { return r.state }

// Text is what the model gets: the body, and after it the metadata. It is valid UTF-8.
func (r Result) Text() string {
	switch {
	case r.meta.shown == "":
		return r.body.shown
	case r.body.shown == "":
		return r.meta.shown
	}
	return r.body.shown + metadataBreak + r.meta.shown
}

// Body is the text of the result without the metadata.
func (r Result) Body() string { return r.body.shown }

// Metadata is the text that was put beside the output.
func (r Result) Metadata() string { return r.meta.shown }

// Parts yields the text and the media of the result in order, for messages that are made of parts: as the tool gave them
// while the body is whole, otherwise the text of the body followed by the media. The metadata is the last part.
func (r Result) Parts() iter.Seq[Part] {
	return func(yield func(Part) bool) {
		if r.parts != nil {
			for _, p := range r.parts {
				shown := p.medium() // what is changed in it changes nothing here
				if shown.Text = text.Clean(p.Text); !yield(shown) {
					return
				}
			}
		} else {
			if r.body.shown != "" && !yield(Part{Text: r.body.shown}) {
				return
			}
			for _, m := range r.media {
				if !yield(Part{Media: &m}) {
					return
				}
			}
		}
		if r.meta.shown != "" {
			yield(Part{Text: r.meta.shown})
		}
	}
}

// Media is the number of media parts in the result.
func (r Result) Media() int { return len(r.media) }

// Protected reports whether the result is never cleared.
func (r Result) Protected() bool { return r.protected }

// Size is what the text measures, in the unit of the pipeline.
func (r Result) Size() int { return r.body.units + r.sep() + r.meta.units }

// BodySize and MetadataSize are what the two parts of the text measure.
func (r Result) BodySize() int     { return r.body.units }
func (r Result) MetadataSize() int { return r.meta.units }

// Unit is the unit of the sizes.
func (r Result) Unit() text.Unit { return r.unit }

// Original is the size of the text that the tool gave, in every unit.
//
// spec: UNI-4
func (r Result) Original() text.Size { return r.body.total }

// Preview is what of the tool's text is still shown: all of it in Head while it is whole.
func (r Result) Preview() (head, tail string) {
	if !r.body.cut {
		return r.body.shown, ""
	}
	return r.body.head, r.body.tail
}

// Outcome says where the rest of the text is.
//
// spec: OFF-9, OFF-10
func (r Result) Outcome() Outcome { return r.body.became() }

// Artifact is the artifact with the tool's text, when the outcome is Saved.
func (r Result) Artifact() (spill.Ref, bool) { return r.body.artifact() }

// MetadataOutcome and MetadataArtifact are Outcome and Artifact of the metadata.
func (r Result) MetadataOutcome() Outcome            { return r.meta.became() }
func (r Result) MetadataArtifact() (spill.Ref, bool) { return r.meta.artifact() }

// became is the outcome as long as it matters: a text that is shown whole needs no artifact, even if it has one.
func (p *piece) became() Outcome {
	if !p.cut {
		return NotNeeded
	}
	return p.outcome
}

func (p *piece) artifact() (spill.Ref, bool) {
	if p.became() != Saved {
		return spill.Ref{}, false
	}
	return p.ref, true
}

// sep is the size of what stands between body and metadata.
func (r Result) sep() int {
	if r.body.shown == "" || r.meta.shown == "" {
		return 0
	}
	return len(metadataBreak)
}

// in returns the result measured in another unit.
func (r Result) in(u text.Unit) Result {
	if r.unit != u {
		r.unit = u
		r.body.units, r.meta.units = u.Count(r.body.shown), u.Count(r.meta.shown)
	}
	return r
}
