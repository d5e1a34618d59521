package scenario

import "slices"

// Calls is the number of tool calls in the scenario.
func (s Scenario) Calls() int {
	n := 0
	for _, step := range s.Steps {
		if step.Op == Call {
			n++
		}
	}
	return n
}

// Shrink returns a scenario that is smaller and still fails, as long as it finds one.
func Shrink(s Scenario, fails func(Scenario) bool) Scenario {
	for again := true; again; {
		again = false
		for i := len(s.Steps) - 1; i >= 0; i-- {
			smaller := s
			smaller.Steps = slices.Delete(slices.Clone(s.Steps), i, i+1)
			if fails(smaller) {
				s, again = smaller, true
			}
		}
	}
	return s
}
