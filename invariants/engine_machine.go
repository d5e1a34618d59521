package invariants

import (
	"iter"

	"github.com/boundcheck/boundcheck/invariants/machine"
	"github.com/boundcheck/boundcheck/invariants/scenario"
)

func init() {
	engines = append(engines, source{name: "command sequences", families: everyFamily, scenarios: sequences})
}

// sequences yields what package machine would do. In sequences every command has something to work on, and most of them
// grow to be long.
func sequences(c config) iter.Seq[scenario.Scenario] {
	return func(yield func(scenario.Scenario) bool) {
		const atOnce = 150
		for chunk := range [...]int{Quick: 1, Full: 40, Nightly: 1_000}[c.effort] {
			m := machine.Machine{Seed: int64(c.seed)*1_000 + int64(chunk), Sequences: atOnce, Length: 20}
			for s := range m.Scenarios() {
				if !yield(s) {
					return
				}
			}
		}
	}
}
