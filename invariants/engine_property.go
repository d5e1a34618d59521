package invariants

import (
	"fmt"
	"iter"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"

	"github.com/boundcheck/boundcheck/invariants/scenario"
)

func init() {
	for shard := range shards {
		engines = append(engines, source{
			name:      fmt.Sprintf("random scenarios %d", shard),
			families:  everyFamily,
			scenarios: func(c config) iter.Seq[scenario.Scenario] { return random(c, shard) },
		})
	}
}

// shards is into how many sources the random scenarios are split, so that several processors can work on them. What each
// yields depends on the seed only, and not on how many there are at work.
const shards = 6

// everyFamily are the families that random scenarios serve.
var everyFamily = []string{"BND", "REC", "SEN", "MET", "AGG", "CLR", "PRO", "PFX", "FIL", "TXT", "REF", "DIA", "PRV", "ERR", "CRS"}

// howMany is how many random scenarios a shard yields.
var howMany = [...]int{Quick: 250, Full: 5_000, Nightly: 100_000}

// random yields scenarios of random bytes, which gopter makes: the generators of this module are decoders of bytes, because
// gopter's own combinators lose the shrinking, and shrinking is done on scenarios.
func random(c config, shard int) iter.Seq[scenario.Scenario] {
	return func(yield func(scenario.Scenario) bool) {
		parameters := gopter.DefaultGenParameters().WithSize(maxBytes).CloneWithSeed(int64(c.seed)*shards + int64(shard))
		for range howMany[c.effort] {
			data, ok := choices(parameters).Retrieve()
			if ok && !yield(scenario.FromBytes(data.([]byte))) {
				return
			}
		}
	}
}

// maxBytes is the longest string of random bytes, of which a scenario of MaxSteps can be made.
const maxBytes = 160

// choices generates bytes of which most are choices, and some announce a value in full. Values in full are seldom large,
// because a scenario that stores megabytes takes as long as a hundred others.
var choices = gen.SliceOf(gen.Weighted([]gen.WeightedGen{
	{Weight: 20, Gen: gen.UInt8Range(0, 127)},
	{Weight: 1, Gen: gen.UInt8Range(128, 199)},
	{Weight: 1, Gen: gen.UInt8Range(200, 255)},
}))
