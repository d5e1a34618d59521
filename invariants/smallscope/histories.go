package smallscope

import (
	"fmt"
	"iter"
	"slices"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/scenario"
)

// limits are limits under which the texts of this package stay whole.
func limits(o occasion) bounding.Limits {
	l := bounding.Strict()
	l.Threshold, l.Headroom, l.Preview, l.Batch = 2_000, 200, 100, 200_000
	l.Watermark = o.watermark()
	return l
}

// A letter of a history as a tool call. The sizes are such that the small one is below the placeholder, and that sums of
// them meet half a watermark exactly, and miss it by one.
var sizes = map[string]int{"small": 20, "mid": 41, "big": 81, "error": 81, "pending": 41}

func call(name string, i int) scenario.Step {
	s := scenario.Step{Op: scenario.Call, ID: fmt.Sprintf("c%d", i), Tool: "look_up", Payload: scenario.Of(sizes[name], "x")}
	switch name {
	case "big", "media":
		s.Media = 1
	case "error":
		s.Status, s.Media = bounding.Failed, 1
	}
	if sizes[name] == 0 {
		s.Payload = nil
	}
	return s
}

// history is a word as steps: each result in a message of its own, and the pending ones in one message. What was cleared
// before cannot be called for; it comes from clearing.
func (w word) history() []scenario.Step {
	var steps []scenario.Step
	for i, l := range w.letters {
		name := committed[l].name
		if name == "cleared" {
			continue
		}
		steps = append(steps, call(name, i), scenario.Step{Op: scenario.Batch})
	}
	if len(steps) > 0 {
		steps = append(steps, scenario.Step{Op: scenario.Commit})
	}
	for i := range w.pending {
		steps = append(steps, call("pending", len(w.letters)+i))
	}
	if w.pending > 0 {
		steps = append(steps, scenario.Step{Op: scenario.Batch})
	}
	return steps
}

// highs are the watermarks at which something changes for these texts: at the total, and where half of it is a total that
// is reached on the way, with the odd ones beside.
func (w word) highs() []int {
	var texts []int
	total := 0
	for _, l := range w.letters {
		if k := committed[l]; !k.slot.Failed && k.name != "cleared" {
			texts = append(texts, sizes[k.name])
		}
	}
	total = w.pending * sizes["pending"]
	for _, n := range texts {
		total += n
	}
	highs := []int{total, total - 1}
	for subset := range 1 << min(len(texts), 4) {
		left := total
		for i, n := range texts[:min(len(texts), 4)] {
			if subset>>i&1 == 1 {
				left -= n
			}
		}
		highs = append(highs, 2*left-1, 2*left, 2*left+1)
	}
	slices.Sort(highs)
	return slices.DeleteFunc(slices.Compact(highs), func(h int) bool { return h < 0 || h > total })
}

// scenarios yields a history with everything that can be asked about it: every watermark that matters, each K, each
// trigger, and a second checkpoint after the first.
func (w word) scenarios(keeps []int, at bounding.Checkpoint) iter.Seq[scenario.Scenario] {
	return func(yield func(scenario.Scenario) bool) {
		steps := w.history()
		check := scenario.Step{Op: scenario.Checkpoint, Trigger: at.Trigger, Gap: at.Gap}
		highs := w.highs()
		if at.Trigger != bounding.BeforeToolTurn {
			highs = []int{60}
		}
		for _, keep := range keeps {
			for _, high := range highs {
				s := scenario.Scenario{Limits: limits(occasion{high, max(keep, 1), at}),
					Steps: slices.Concat(steps, []scenario.Step{check, check, {Op: scenario.Diagnose}})}
				if keep < 1 { // limits may refuse it, planners take it
					odd := limits(occasion{high, keep, at})
					s.Steps = slices.Concat(steps, []scenario.Step{{Op: scenario.SetLimits, Limits: &odd}, check})
				}
				if !yield(s) {
					return
				}
			}
		}
	}
}

// Histories yields every history of at most n results with the checkpoints that can tell something about it.
func Histories(n int) iter.Seq[scenario.Scenario] {
	return func(yield func(scenario.Scenario) bool) {
		for size := range n + 1 {
			for w := range words(size) {
				if w.redundant() {
					continue
				}
				for _, at := range []bounding.Checkpoint{toolTurn, idle, forced} {
					for s := range w.scenarios([]int{1, 2}, at) {
						if !yield(s) {
							return
						}
					}
				}
			}
		}
	}
}

// redundant reports whether the history is a shorter one again, because what was cleared before is left out.
func (w word) redundant() bool {
	return slices.ContainsFunc(w.letters, func(l int) bool { return committed[l].name == "cleared" })
}

// Scenarios are the histories that a counterexample of a planner becomes, for a subject that plans with it: the same
// letters as texts.
func (c *Counterexample) Scenarios() iter.Seq[scenario.Scenario] {
	w := word{}
	for _, s := range c.Slots {
		if s.Pending {
			w.pending++
			continue
		}
		w.letters = append(w.letters, slices.IndexFunc(committed, func(k kind) bool { return k.slot == s }))
	}
	return w.scenarios([]int{c.Watermark.Keep}, c.At)
}
