package bounding

// ClearPlan is what a checkpoint decided, in numbers. The zero value, Reason NotFired, says: leave the history alone.
type ClearPlan struct {
	Reason Reason
	// Cleared lists the slots to clear and Kept the results in the keep window, both by index, oldest first.
	Cleared, Kept []int
	// KeptFailed lists those of Kept that report an error. They are there for their media only.
	KeptFailed []int

	High, Low int // H and L that the plan was made with
	// Before is the counted total, committed and pending; Pending is the pending part of it; After is the committed part
	// that remains.
	Before, Pending, After int
	// What After consists of, beside results that could be cleared and need not be: the keep window, results that their
	// owner protects, and results that a placeholder would make longer.
	KeptUnits, ProtectedUnits, SmallUnits int

	Results     int // results cleared
	Media       int // media parts dropped, those inside cleared results included
	MediaKept   int // media parts in the keep windows
	MediaBefore int // media parts in the committed history
}

// SoftExceeded reports whether the history is above the low watermark after the plan, because nothing else may be
// cleared. Landing exactly on the watermark is not.
//
// spec: WMK-6
func (p ClearPlan) SoftExceeded() bool { return p.High >= 0 && p.After+p.Pending > p.Low }

// PlanClear decides what a checkpoint clears. It is a pure function of its arguments, in time linear in the number of
// slots; [Tracker] is the form for long sessions.
//
// Between clearings, that is when the total is not above w.High and no idle gap passed, the plan is the zero value.
//
// spec: WMK-1, WMK-2, WMK-4, WMK-5, WMK-10, WMK-11
func PlanClear(slots []Slot, w Watermark, at Checkpoint) ClearPlan {
	if at.Trigger == OnDemand {
		return planWindows(slots, w, ForcedPath)
	}
	if w.idle(at) {
		if plan := planWindows(slots, w, idleReason(at)); len(plan.Cleared) > 0 {
			return plan
		}
		if w.IdleIsFinal {
			return ClearPlan{}
		}
	}
	return planSize(slots, w)
}

func idleReason(at Checkpoint) Reason {
	if at.Trigger == MemoryPressure {
		return PressurePath
	}
	return IdlePath
}

// planSize clears oldest first until the total is down to the low watermark. It does not stop at the high one, from where
// each further result would rewrite the history again.
//
// spec: WMK-1, WMK-8
func planSize(slots []Slot, w Watermark) ClearPlan {
	plan := measure(slots, w)
	if w.High < 0 || plan.Before <= w.High {
		return ClearPlan{}
	}
	plan.Reason = SizePath
	keepFrom := windowStart(slots, w.keep(), Slot.sizeCandidate)
	remaining := plan.Before
	for i, s := range slots {
		if !s.sizeCandidate() {
			continue
		}
		if i >= keepFrom {
			plan.keep(i, s)
			continue
		}
		switch {
		case !s.clearable(w):
			plan.SmallUnits += s.counted()
		case remaining > plan.Low:
			remaining -= s.counted()
			plan.clear(i, s)
		}
	}
	plan.After = remaining - plan.Pending
	return plan
}

// planWindows clears everything outside the keep windows: results, nested media and media have one each.
func planWindows(slots []Slot, w Watermark, why Reason) ClearPlan {
	plan := measure(slots, w)
	plan.Reason = why
	var keepFrom [3]int
	for kind := range keepFrom {
		keepFrom[kind] = windowStart(slots, w.keep(), func(s Slot) bool {
			return int(s.Kind) == kind && s.windowCandidate(w)
		})
	}
	remaining := plan.Before
	for i, s := range slots {
		switch {
		case !s.windowCandidate(w):
		case i >= keepFrom[s.Kind]:
			plan.keep(i, s)
		case s.clearable(w):
			remaining -= s.counted()
			plan.clear(i, s)
		default:
			plan.SmallUnits += s.counted()
		}
	}
	plan.After = remaining - plan.Pending
	return plan
}

// measure fills in what does not depend on the path.
func measure(slots []Slot, w Watermark) ClearPlan {
	plan := ClearPlan{High: w.High, Low: w.Low()}
	for _, s := range slots {
		n := s.counted()
		plan.Before += n
		if s.Pending {
			plan.Pending += n
			continue
		}
		if s.Protected {
			plan.ProtectedUnits += n
		}
		plan.MediaBefore += s.media()
	}
	return plan
}

// media is the number of media parts that the slot still holds.
func (s Slot) media() int {
	if s.Kind == OtherSlot || s.Media <= 0 {
		return 0
	}
	return min(s.Media, maxUnits)
}

// windowStart returns the index from which the last k candidates begin: 0 when there are fewer.
func windowStart(slots []Slot, k int, candidate func(Slot) bool) int {
	for i := len(slots) - 1; i >= 0; i-- {
		if candidate(slots[i]) {
			if k--; k == 0 {
				return i
			}
		}
	}
	return 0
}

func (p *ClearPlan) keep(i int, s Slot) {
	p.MediaKept += s.media()
	if s.Kind == ResultSlot {
		p.Kept = append(p.Kept, i)
		p.KeptUnits += s.counted()
		if s.Failed {
			p.KeptFailed = append(p.KeptFailed, i)
		}
	}
}

func (p *ClearPlan) clear(i int, s Slot) {
	p.Cleared = append(p.Cleared, i)
	p.Media += s.media()
	if s.Kind == ResultSlot {
		p.Results++
	}
}
