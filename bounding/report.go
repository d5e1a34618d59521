package bounding

import (
	"fmt"
	"strings"
)

// Report says what a checkpoint did, or why it could do nothing.
//
// spec: WMK-6, WMK-7, WMK-10
type Report struct {
	ClearPlan
	// Evicted are files whose contents may no longer be in the history: a cache of what the model has seen must forget
	// them. Unresolved counts cleared results of file tools whose files are unknown.
	Evicted    []string
	Unresolved int
	// DisarmAll says that such a cache must forget everything: a file is unresolved, or memory is short.
	DisarmAll bool
}

// report turns a plan into a report; it is nil when no path fired.
func report(p ClearPlan, at Checkpoint, file func(slot int) File) *Report {
	if p.Reason == NotFired {
		return nil
	}
	r := &Report{ClearPlan: p}
	r.Evicted, r.Unresolved = Evictions(p, file)
	r.DisarmAll = r.Unresolved > 0 || at.Trigger == MemoryPressure
	return r
}

// String is the report as one line for a log, also when it is nil.
//
// spec: WMK-6
func (r *Report) String() string {
	if r == nil {
		return "tool results: no path fired"
	}
	var b strings.Builder
	if r.Reason == SizePath {
		fmt.Fprintf(&b, "tool results %d > %d", r.Before, r.High)
	} else {
		fmt.Fprintf(&b, "tool results %d, %v path", r.Before, r.Reason)
	}
	fmt.Fprintf(&b, ": cleared %d, media dropped %d, now %d", r.Results, r.Media, r.After)
	if r.Pending > 0 {
		fmt.Fprintf(&b, " (+%d pending)", r.Pending)
	}
	if r.High >= 0 {
		fmt.Fprintf(&b, ", target %d", r.Low)
	}
	if r.SoftExceeded() {
		b.WriteString(" (soft-exceeded)")
	}
	fmt.Fprintf(&b, ", kept %d (%d), protected %d, too small %d", len(r.Kept), r.KeptUnits, r.ProtectedUnits, r.SmallUnits)
	if n := len(r.Evicted); n > 0 {
		fmt.Fprintf(&b, ", %d files left the history", n)
	}
	if r.Unresolved > 0 {
		fmt.Fprintf(&b, ", %d unresolved", r.Unresolved)
	}
	return b.String()
}

// repeats reports whether a report says only what the one before it said: still above the watermark, still nothing to clear.
func (r *Report) repeats(last *Report) bool {
	return last != nil && len(r.Cleared) == 0 && r.Reason == last.Reason && r.SoftExceeded() && last.SoftExceeded() &&
		r.After == last.After && r.Pending == last.Pending
}
