package invariants

import (
	"iter"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"

	"github.com/boundcheck/boundcheck/invariants/scenario"
)

func init() {
	engines = append(engines, source{name: "random scenarios", families: everyFamily, scenarios: random})
}

// everyFamily are the families that random scenarios serve.
var everyFamily = []string{"BND", "REC", "SEN", "MET", "AGG", "CLR", "PRO", "PFX", "FIL", "TXT", "REF", "DIA", "PRV", "ERR", "CRS"}

// howMany is how many random scenarios there are.
var howMany = map[Effort]int{Quick: 600, Full: 20_000, Nightly: 500_000}

// random yields scenarios of random bytes, which gopter makes: the generators of this module are decoders of bytes, because
// gopter's own combinators lose the shrinking, and shrinking is done on scenarios.
func random(c config) iter.Seq[scenario.Scenario] {
	return func(yield func(scenario.Scenario) bool) {
		parameters := gopter.DefaultGenParameters().WithSize(maxBytes)
		parameters.Rng.Seed(int64(c.seed))
		for range howMany[c.effort] {
			data, ok := choices(parameters).Retrieve()
			if ok && !yield(scenario.FromBytes(data.([]byte))) {
				return
			}
		}
	}
}

// maxBytes is the longest string of random bytes: some 30 steps.
const maxBytes = 160

// choices generates bytes of which most are choices, and some announce a value in full.
func choices(p *gopter.GenParameters) *gopter.GenResult {
	return gen.SliceOf(gen.Weighted([]gen.WeightedGen{
		{Weight: 15, Gen: gen.UInt8Range(0, 199)},
		{Weight: 1, Gen: gen.UInt8Range(200, 255)},
	}))(p)
}
