package oracle

import (
	"time"

	"github.com/boundcheck/boundcheck/bounding"
)

// Plan is what a checkpoint must decide.
type Plan struct {
	Reason bounding.Reason // NotFired when nothing may change and nothing needs to be said
	// Cleared are the slots to clear, oldest first.
	Cleared []int
	// Before is the counted total with the pending part, Pending that part, After what is left of the committed part.
	Before, Pending, After int
	// Results and Media are the results cleared and the media parts dropped.
	Results, Media int
	// Soft says that the total stays above the low watermark.
	Soft bool
}

// Clear decides a checkpoint.
//
// spec: WMK-1, WMK-2, WMK-3, WMK-4, WMK-5, WMK-6, WMK-11
func Clear(slots []bounding.Slot, w bounding.Watermark, at bounding.Checkpoint) Plan {
	if at.Trigger == bounding.OnDemand {
		return windows(slots, w, bounding.ForcedPath)
	}
	idleAllowed := w.IdleAfter >= 0
	if idleAllowed && at.Trigger == bounding.MemoryPressure {
		if p := windows(slots, w, bounding.PressurePath); len(p.Cleared) > 0 {
			return p
		}
	}
	if idleAllowed && at.Trigger == bounding.BeforeQuery && at.Gap >= 0 && at.Gap-w.IdleAfter >= time.Duration(0) {
		if p := windows(slots, w, bounding.IdlePath); len(p.Cleared) > 0 {
			return p
		}
	}
	return size(slots, w)
}

// size is the path of WMK-1: when the total is above H, the oldest first, until it is not above L.
func size(slots []bounding.Slot, w bounding.Watermark) Plan {
	if w.High < 0 || total(slots, nil) <= w.High {
		return Plan{}
	}
	p := Plan{Reason: bounding.SizePath}
	for i, s := range slots {
		if total(slots, p.Cleared) <= (w.High-w.High%2)/2 {
			break
		}
		if text(s) > 0 && !s.Pending && !s.Protected && !newest(slots, i, w, false) && shrinks(s) {
			p.Cleared = append(p.Cleared, i)
		}
	}
	return p.sum(slots, w)
}

// windows is the path of WMK-4: everything outside the keep windows, whatever the total is.
func windows(slots []bounding.Slot, w bounding.Watermark, why bounding.Reason) Plan {
	p := Plan{Reason: why}
	for i, s := range slots {
		switch {
		case s.Pending, s.Protected, s.Failed, s.Cleared, !claims(s, true), newest(slots, i, w, true):
		case s.Kind == bounding.ResultSlot && !shrinks(s):
		default:
			p.Cleared = append(p.Cleared, i)
		}
	}
	return p.sum(slots, w)
}

func (p Plan) sum(slots []bounding.Slot, w bounding.Watermark) Plan {
	p.Before = total(slots, nil)
	p.Pending = 0
	for _, s := range slots {
		if s.Pending {
			p.Pending += text(s)
		}
	}
	p.After = total(slots, p.Cleared) - p.Pending
	for _, i := range p.Cleared {
		if slots[i].Kind == bounding.ResultSlot {
			p.Results++
		}
		p.Media += slots[i].Media
	}
	p.Soft = w.High >= 0 && p.After+p.Pending > (w.High-w.High%2)/2
	return p
}

// text is what a slot counts. Errors, placeholders and what is no text count nothing.
func text(s bounding.Slot) int {
	if s.Kind != bounding.ResultSlot || s.Failed || s.Cleared || s.Units < 0 {
		return 0
	}
	return s.Units
}

// total recounts the slots without those that are cleared.
func total(slots []bounding.Slot, cleared []int) int {
	n := 0
	for i, s := range slots {
		gone := false
		for _, c := range cleared {
			gone = gone || c == i
		}
		if !gone {
			n += text(s)
		}
	}
	return n
}

// claims reports whether a slot takes one of the K places of its kind.
func claims(s bounding.Slot, idle bool) bool {
	if s.Pending || s.Protected || s.Failed || s.Cleared {
		return false
	}
	switch s.Kind {
	case bounding.ResultSlot:
		return s.Units > 0 || idle && s.Media > 0
	case bounding.MediaSlot, bounding.NestedMediaSlot:
		return idle && s.Media > 0
	}
	return false
}

// newest reports whether a slot is among the K newest of its kind that claim a place, where K below 1 is 1.
func newest(slots []bounding.Slot, i int, w bounding.Watermark, idle bool) bool {
	if !claims(slots[i], idle) {
		return false
	}
	newer := 0
	for _, s := range slots[i+1:] {
		if s.Kind == slots[i].Kind && claims(s, idle) {
			newer++
		}
	}
	return newer < w.Keep || newer < 1
}

// shrinks reports whether clearing a result makes it shorter, or drops a medium.
func shrinks(s bounding.Slot) bool { return s.Units > s.Placeholder || s.Media > 0 }
