package oracle

import (
	"strings"

	"github.com/boundcheck/boundcheck/bounding"
)

// Decision is what becomes of the body of one output.
type Decision struct {
	State   bounding.State
	Outcome bounding.Outcome // Saved stands for any attempt to save
	// Limit is what the body may measure, or Unlimited.
	Limit int
}

// Bound decides about an output with no metadata and one text, when a store is there that takes everything, and the notice
// is shorter than the body: text is never replaced by something longer.
//
// spec: OFF-2, OFF-3, OFF-9, UNI-5
func Bound(l bounding.Limits, out bounding.Output) Decision {
	body := out.Text
	tool := l.Tool(out.Call.Tool)
	size := l.Unit.Count(body)
	lines := strings.Count(strings.TrimSuffix(body, "\n"), "\n") + 1 // a line end at the end begins no line
	switch {
	case l.Threshold >= 0 && size > l.Threshold+l.Headroom && !tool.Exempt && !out.Bounded:
		return Decision{bounding.Stubbed, bounding.Saved, l.Budget(tool)}
	case tool.Budget == 0 && l.Threshold >= 0 && size > l.Threshold,
		tool.Budget > 0 && size > tool.Budget,
		tool.Budget == 0 && l.Lines >= 0 && lines > l.Lines:
		return Decision{bounding.Trimmed, bounding.Saved, l.Budget(tool)}
	}
	return Decision{bounding.Kept, bounding.NotNeeded, l.Budget(tool)}
}
