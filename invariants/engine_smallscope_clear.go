package invariants

import (
	"iter"

	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/smallscope"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

// clearEngines search small histories for families that are about clearing.
var clearEngines = []source{
	{name: "small histories", families: []string{"CLR", "PRO", "PFX", "DIA"}, scenarios: smallHistories},
	{name: "short sessions", families: []string{"CLR", "PRO", "PFX", "DIA"}, scenarios: shortSessions},
	{name: "small histories on numbers", families: []string{"CLR", "PRO", "PFX"}, search: plannedHistories},
}

func smallHistories(c config) iter.Seq[scenario.Scenario] {
	return smallscope.Histories([...]int{3, 3, 4}[c.effort])
}

// shortSessions are the shortest ways to every checkpoint over a history of a few results.
func shortSessions(c config) iter.Seq[scenario.Scenario] {
	return func(yield func(scenario.Scenario) bool) {
		smallscope.Sequences([...]int{2, 3, 4}[c.effort], 5, 1, func(d smallscope.Decision) bool { return yield(d.Scenario()) })
	}
}

// plannedHistories holds the planner of a subject, if it has one, against the oracle, and yields what the smallest difference
// looks like as a session.
func plannedHistories(c config, s subject.Bounder) iter.Seq[scenario.Scenario] {
	return func(yield func(scenario.Scenario) bool) {
		planner, ok := s.(subject.Planner)
		if !ok || !subject.CapsOf(s).Has(subject.CapPlan) {
			return
		}
		for n := range [...]int{5, 6, 7}[c.effort] + 1 {
			_, found := smallscope.Plans(planner, n)
			if found == nil {
				continue
			}
			for s := range found.Scenarios() {
				if !yield(s) {
					return
				}
			}
			return
		}
	}
}
