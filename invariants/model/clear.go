package model

import (
	"slices"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

// Planner decides what a checkpoint clears, as [bounding.PlanClear] does.
type Planner func(slots []bounding.Slot, w bounding.Watermark, at bounding.Checkpoint) bounding.ClearPlan

// ClearWith clears a history as the model does, but with the decisions of another planner. It is for implementations that
// are wrong in nothing but what they decide.
func ClearWith(plan Planner, l bounding.Limits, h subject.History, at bounding.Checkpoint) (subject.History, *subject.ClearReport) {
	v := view{&l}
	var slots []bounding.Slot
	var first []int // the first slot of each message
	for i, m := range h.Messages {
		first = append(first, len(slots))
		slots = v.Slots(slots, m)
		for j := first[i]; j < len(slots); j++ {
			slots[j].Pending = i >= h.Committed
		}
	}
	where := func(slot int) (message, inside int) {
		i, found := slices.BinarySearch(first, slot)
		for found && i+1 < len(first) && first[i+1] == slot { // messages without slots
			i++
		}
		if !found {
			i--
		}
		return i, slot - first[i]
	}
	p := plan(slots, l.Watermark, at)
	if p.Reason == bounding.NotFired {
		return h, nil
	}
	r := &bounding.Report{ClearPlan: p}
	r.Evicted, r.Unresolved = bounding.Evictions(p, func(slot int) bounding.File {
		message, inside := where(slot)
		return v.File(h.Messages[message], inside)
	})
	r.DisarmAll = r.Unresolved > 0 || at.Trigger == bounding.MemoryPressure
	if len(p.Cleared) > 0 {
		h.Messages = slices.Clone(h.Messages)
	}
	for _, slot := range p.Cleared {
		message, inside := where(slot)
		h.Messages[message] = v.Clear(h.Messages[message], []int{inside})
	}
	return h, exportReport(r)
}

func exportReport(r *bounding.Report) *subject.ClearReport {
	return &subject.ClearReport{
		Reason: r.Reason.String(), Before: r.Before, After: r.After, Pending: r.Pending, High: r.High, Low: r.Low,
		Cleared: r.Results, Kept: len(r.Kept), Media: r.Media, Soft: r.SoftExceeded(),
		Evicted: r.Evicted, Unresolved: r.Unresolved, DisarmAll: r.DisarmAll,
	}
}
