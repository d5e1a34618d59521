package badimpl

import (
	"context"
	"slices"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/model"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

// planned is the model with another planner.
type planned struct {
	*model.Subject
	fault faulty
}

func (p planned) Plan(slots []bounding.Slot, w bounding.Watermark, at bounding.Checkpoint) bounding.ClearPlan {
	return p.fault.Plan(slots, w, at)
}

func (p planned) Clear(_ context.Context, l bounding.Limits, h subject.History, at bounding.Checkpoint) (subject.History, *subject.ClearReport, error) {
	cleared, report := model.ClearWith(p.Plan, l, h, at)
	if report != nil {
		switch {
		case p.fault.is("soft always"):
			report.Soft = true
		case p.fault.is("soft at the target"):
			report.Soft = report.Soft || report.After+report.Pending == report.Low
		}
	}
	return cleared, report, nil
}

// plan is a bug in what a checkpoint decides.
func plan(name, does, source string, kills ...string) Bug {
	return Bug{Name: name, Does: does, Source: source, Kills: kills, New: func() subject.Bounder {
		return planned{model.New(), faulty(does)}
	}}
}

const (
	design = "design note of clearing to a low watermark"
	review = "survived the review of that change"
	qwen   = "qwen-code 0.24.4"
)

// plans are ways to decide wrongly what a checkpoint clears. What each does is the fault that its planner asks for.
var plans = []Bug{
	plan("clear-trigger-at-the-watermark", "trigger at the watermark", design, "CLR-1", "PFX-1"),
	plan("clear-stop-below-the-target", "stop below the target", design, "CLR-4"),
	plan("clear-stop-at-the-watermark", "stop at the watermark", design, "CLR-2", "PFX-5"),
	plan("clear-target-rounded-up", "target rounded up", design, "CLR-2"),
	plan("clear-pending-takes-a-slot", "pending takes a slot", review, "PRO-1"),
	plan("clear-error-takes-a-slot", "error takes a slot", qwen, "PRO-1"),
	plan("clear-empty-takes-a-slot", "empty takes a slot", review, "PRO-1"),
	plan("clear-placeholder-takes-a-slot", "placeholder takes a slot", design, "PRO-1"),
	plan("clear-media-only-takes-a-slot-on-the-size-path", "media-only takes a slot on the size path", design, "PRO-1"),
	plan("clear-window-by-position", "window by position", design, "PRO-1"),
	plan("clear-newest-first", "newest first", design, "CLR-3"),
	plan("clear-pending-not-in-the-total", "pending not in the total", design, "CLR-1", "PRO-2"),
	plan("clear-pending-cleared", "pending cleared", design, "PRO-2"),
	plan("clear-soft-at-the-target", "soft at the target", review, "CLR-2"),
	plan("clear-soft-always", "soft always", review, "CLR-2"),
	plan("clear-old-media-only-stays", "old media-only stays", review, "CLR-9"),
	plan("clear-clears-errors", "clears errors", design, "CLR-9"),
	plan("clear-clears-what-is-small", "clears what is small", qwen, "CLR-7"),
	plan("clear-k-of-0-keeps-none", "K of 0 keeps none", design, "PRO-3"),
	plan("clear-clears-on-after-the-target", "clears on after the target", design, "CLR-4"),
	plan("clear-fires-without-a-watermark", "fires without a watermark", design, "CLR-10"),
	plan("clear-idle-after-the-gap-only", "idle after the gap only", design, "CLR-9"),
	plan("clear-idle-clears-recent-media", "idle clears recent media", design, "CLR-9"),
}

// faulty decides as the requirements say, but for one fault.
type faulty string

func (f faulty) is(fault string) bool { return string(f) == fault }

func (f faulty) text(s bounding.Slot) int {
	if s.Kind != bounding.ResultSlot || s.Failed && !f.is("clears errors") || s.Cleared || f.is("pending not in the total") && s.Pending {
		return 0
	}
	return s.Units
}

func (f faulty) claims(s bounding.Slot, idle bool) bool {
	switch {
	case s.Protected:
		return false
	case s.Pending:
		return f.is("pending takes a slot")
	case s.Failed:
		return f.is("error takes a slot")
	case s.Cleared:
		return f.is("placeholder takes a slot")
	case s.Kind == bounding.ResultSlot && s.Units == 0 && s.Media == 0:
		return f.is("empty takes a slot")
	case s.Kind == bounding.ResultSlot && s.Units == 0:
		return idle || f.is("media-only takes a slot on the size path")
	case s.Kind == bounding.ResultSlot:
		return true
	}
	return idle && s.Media > 0
}

func (f faulty) window(slots []bounding.Slot, w bounding.Watermark, idle bool) map[int]bool {
	window, room := map[int]bool{}, map[bounding.Kind]int{}
	keep := max(w.Keep, 1)
	if f.is("K of 0 keeps none") {
		keep = max(w.Keep, 0)
	}
	for i := len(slots) - 1; i >= 0; i-- {
		s := slots[i]
		if f.claims(s, idle) || f.is("window by position") {
			if room[s.Kind]++; room[s.Kind] <= keep {
				window[i] = true
			}
		}
	}
	return window
}

func (f faulty) Plan(slots []bounding.Slot, w bounding.Watermark, at bounding.Checkpoint) bounding.ClearPlan {
	idle := w.IdleAfter >= 0 && (at.Trigger == bounding.MemoryPressure || at.Trigger == bounding.BeforeQuery &&
		(at.Gap > w.IdleAfter || at.Gap == w.IdleAfter && !f.is("idle after the gap only")))
	switch {
	case at.Trigger == bounding.OnDemand:
		return f.windows(slots, w, bounding.ForcedPath)
	case idle:
		why := bounding.IdlePath
		if at.Trigger == bounding.MemoryPressure {
			why = bounding.PressurePath
		}
		if p := f.windows(slots, w, why); len(p.Cleared) > 0 {
			return p
		}
	}
	return f.size(slots, w)
}

func (f faulty) windows(slots []bounding.Slot, w bounding.Watermark, why bounding.Reason) bounding.ClearPlan {
	p := bounding.ClearPlan{Reason: why}
	window := f.window(slots, w, true)
	for i, s := range slots {
		mediaOnly := s.Units == 0 && s.Media > 0
		recent := window[i] && !(f.is("idle clears recent media") && mediaOnly)
		if recent || s.Pending && !f.is("pending cleared") || s.Protected || s.Cleared || s.Failed && !f.is("clears errors") ||
			s.Units == 0 && s.Media == 0 || f.is("old media-only stays") && mediaOnly ||
			s.Kind == bounding.ResultSlot && s.Units <= s.Placeholder && s.Media == 0 && !f.is("clears what is small") {
			continue
		}
		if s.Kind == bounding.ResultSlot || s.Media > 0 {
			p.Cleared = append(p.Cleared, i)
		}
	}
	return f.sum(p, slots, w)
}

func (f faulty) size(slots []bounding.Slot, w bounding.Watermark) bounding.ClearPlan {
	total := 0
	for _, s := range slots {
		total += f.text(s)
	}
	high := w.High
	if high < 0 && f.is("fires without a watermark") {
		high = 3
	}
	if high < 0 || total < high || total == high && !f.is("trigger at the watermark") {
		return bounding.ClearPlan{}
	}
	low := high / 2
	switch {
	case f.is("stop at the watermark"):
		low = high
	case f.is("target rounded up"):
		low = (high + 1) / 2
	case f.is("stop below the target"):
		low--
	}
	p := bounding.ClearPlan{Reason: bounding.SizePath}
	window := f.window(slots, w, false)
	order := make([]int, len(slots))
	for i := range order {
		order[i] = i
	}
	if f.is("newest first") {
		slices.Reverse(order)
	}
	for _, i := range order {
		s := slots[i]
		if total <= low && !(f.is("clears on after the target") && len(p.Cleared) > 0) {
			break
		}
		if f.text(s) == 0 || s.Pending && !f.is("pending cleared") || s.Protected || window[i] ||
			s.Units <= s.Placeholder && s.Media == 0 && !f.is("clears what is small") {
			continue
		}
		total -= f.text(s)
		p.Cleared = append(p.Cleared, i)
	}
	slices.Sort(p.Cleared)
	return f.sum(p, slots, w)
}

func (f faulty) sum(p bounding.ClearPlan, slots []bounding.Slot, w bounding.Watermark) bounding.ClearPlan {
	p.High, p.Low = w.High, w.Low()
	for i, s := range slots {
		n := f.text(s)
		p.Before += n
		if s.Pending {
			p.Pending += n
		}
		if slices.Contains(p.Cleared, i) {
			p.Media += s.Media
			if s.Kind == bounding.ResultSlot {
				p.Results++
			}
		} else if !s.Pending {
			p.After += n
		}
	}
	return p
}
