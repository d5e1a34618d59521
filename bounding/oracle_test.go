package bounding

import "slices"

// oracle is a second statement of the clearing rules, written from the requirements alone: it recounts everything before
// each decision and shares no code with the planners. With a fault it is a named wrong implementation.
type oracle struct{ fault string }

// oracleFaults are the wrong implementations that the scenarios of the tests must tell from the right one.
var oracleFaults = []string{
	"fires at H", "never fires", "low is H", "low rounded up", "stops below L only", "clears without end",
	"newest first", "pending not counted", "pending cleared", "pending takes slot", "error takes slot", "error counted",
	"placeholder counted", "placeholder takes slot", "protected takes slot", "protected cleared", "protected not counted",
	"keeps one less", "keeps one more", "small cleared", "small takes no slot", "small not counted", "media-only takes slot",
	"size clears media", "idle spares media-only", "idle forgets media-only", "idle stops at L", "idle shares one window",
	"idle is final", "idle gap exclusive", "idle clears pending", "forced obeys limits", "pressure needs a gap",
	"tool turn is idle", "nested text counted", "error media cleared", "K of 0 keeps nothing",
}

func (o oracle) is(fault string) bool { return o.fault == fault }

func (o oracle) units(s Slot) int {
	switch {
	case s.Kind == NestedMediaSlot && o.is("nested text counted"):
		return s.Units
	case s.Kind != ResultSlot,
		s.Failed && !o.is("error counted"),
		s.Cleared && !o.is("placeholder counted"),
		s.Protected && o.is("protected not counted"),
		s.Pending && o.is("pending not counted"),
		o.is("small not counted") && o.tooSmall(s):
		return 0
	}
	return s.Units
}

func (o oracle) tooSmall(s Slot) bool { return s.Media == 0 && s.Units <= s.Placeholder }

func (o oracle) total(slots []Slot) (n int) {
	for _, s := range slots {
		n += o.units(s)
	}
	return n
}

// takesSlot says which committed results may claim one of the K places.
func (o oracle) takesSlot(s Slot, idle bool) bool {
	switch {
	case s.Kind != ResultSlot:
		return false
	case s.Pending:
		return o.is("pending takes slot")
	case s.Protected:
		return o.is("protected takes slot")
	case s.Failed:
		return o.is("error takes slot")
	case s.Cleared:
		return o.is("placeholder takes slot")
	case o.is("small takes no slot") && o.tooSmall(s):
		return false
	}
	if s.Units > 0 {
		return true
	}
	return s.Media > 0 && (idle && !o.is("idle forgets media-only") || o.is("media-only takes slot"))
}

// newest marks the youngest k of the chosen slots.
func (o oracle) newest(slots []Slot, k int, chosen func(Slot) bool) map[int]bool {
	if k < 1 && !o.is("K of 0 keeps nothing") {
		k = 1
	}
	if o.is("keeps one less") {
		k--
	}
	if o.is("keeps one more") {
		k++
	}
	kept := map[int]bool{}
	for i := len(slots) - 1; i >= 0 && len(kept) < k; i-- {
		if chosen(slots[i]) {
			kept[i] = true
		}
	}
	return kept
}

// cleared returns what a checkpoint clears and which path did it.
func (o oracle) cleared(slots []Slot, w Watermark, at Checkpoint) ([]int, Reason) {
	slots = slices.Clone(slots)
	if at.Trigger == OnDemand && !(o.is("forced obeys limits") && w.High < 0) {
		return o.everything(slots, w), ForcedPath
	}
	idle := at.Trigger == BeforeQuery && at.Gap >= 0 && at.Gap >= w.IdleAfter ||
		at.Trigger == MemoryPressure && !o.is("pressure needs a gap") ||
		at.Trigger == BeforeToolTurn && o.is("tool turn is idle")
	if o.is("idle gap exclusive") && at.Gap == w.IdleAfter {
		idle = false
	}
	if w.IdleAfter >= 0 && idle {
		reason := IdlePath
		if at.Trigger == MemoryPressure {
			reason = PressurePath
		}
		if list := o.everything(slots, w); len(list) > 0 {
			return list, reason
		}
		if o.is("idle is final") {
			return nil, NotFired
		}
	}
	return o.bySize(slots, w)
}

func (o oracle) bySize(slots []Slot, w Watermark) ([]int, Reason) {
	if w.High < 0 || o.is("never fires") {
		return nil, NotFired
	}
	if total := o.total(slots); total < w.High || total == w.High && !o.is("fires at H") {
		return nil, NotFired
	}
	low := w.High / 2
	switch {
	case o.is("low is H"):
		low = w.High
	case o.is("low rounded up"):
		low = (w.High + 1) / 2
	case o.is("stops below L only"):
		low--
	case o.is("clears without end"):
		low = -1 << 30
	}
	kept := o.newest(slots, w.Keep, func(s Slot) bool { return o.takesSlot(s, false) })
	var list []int
	for o.total(slots) > low {
		next := -1
		for i, s := range slots {
			fit := s.Kind == ResultSlot && !s.Failed && !s.Cleared && !kept[i] &&
				(s.Units > 0 || s.Media > 0 && o.is("size clears media")) &&
				(!s.Pending || o.is("pending cleared")) && (!s.Protected || o.is("protected cleared")) &&
				(!o.tooSmall(s) || o.is("small cleared"))
			if fit && (next < 0 || o.is("newest first")) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		slots[next].Cleared = true
		list = append(list, next)
	}
	slices.Sort(list)
	return list, SizePath
}

func (o oracle) everything(slots []Slot, w Watermark) []int {
	results := o.newest(slots, w.Keep, func(s Slot) bool { return o.takesSlot(s, true) })
	media := func(kind Kind) map[int]bool {
		return o.newest(slots, w.Keep, func(s Slot) bool {
			return (s.Kind == kind || o.is("idle shares one window")) && s.Kind != ResultSlot && s.Media > 0 &&
				!s.Pending && !s.Protected && !s.Failed && !s.Cleared
		})
	}
	nested, loose := media(NestedMediaSlot), media(MediaSlot)
	var list []int
	for i, s := range slots {
		if s.Pending && !o.is("idle clears pending") || s.Protected || s.Cleared {
			continue
		}
		if s.Failed && !(o.is("error media cleared") && s.Media > 0) {
			continue
		}
		if o.is("idle stops at L") && o.total(slots) <= w.High/2 {
			break
		}
		out := false
		switch s.Kind {
		case ResultSlot:
			out = !results[i] && (s.Units > 0 && !o.tooSmall(s) || s.Media > 0 && !o.is("idle spares media-only"))
		case NestedMediaSlot:
			out = s.Media > 0 && !nested[i]
		case MediaSlot:
			out = s.Media > 0 && !loose[i]
		}
		if out {
			slots[i].Cleared = true
			list = append(list, i)
		}
	}
	return list
}
