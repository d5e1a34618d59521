package invariants

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/boundcheck/boundcheck/invariants/scenario"
)

// TestRandomScenariosHaveEveryClass: no kind of scenario is so rare that a quick run could miss what is wrong with it.
func TestRandomScenariosHaveEveryClass(t *testing.T) {
	count, all := map[string]int{}, 0
	for shard := range shards {
		for s := range random(configure(nil), shard) {
			all++
			for _, name := range s.Classes() {
				count[name]++
			}
		}
	}
	if all != shards*howMany[Quick] {
		t.Errorf("%d scenarios", all)
	}
	for _, name := range scenario.AllClasses() {
		share := 100 * float64(count[name]) / float64(all)
		t.Logf("%5.1f %% %s", share, name)
		if share < 2 {
			t.Errorf("only %.1f %% of %d scenarios are of the class %q", share, all, name)
		}
	}
}

// TestRandomScenariosFollowTheSeed: the same seed yields the same, another one or another shard yields others.
func TestRandomScenariosFollowTheSeed(t *testing.T) {
	take := func(seed uint64, shard int) (list []scenario.Scenario) {
		for s := range random(configure([]Option{Seed(seed)}), shard) {
			if list = append(list, s); len(list) == 20 {
				break
			}
		}
		return list
	}
	first := take(1, 0)
	if diff := cmp.Diff(first, take(1, 0)); diff != "" {
		t.Errorf("not the same twice: %.1000s", diff)
	}
	for _, other := range [][]scenario.Scenario{take(2, 0), take(1, 1)} {
		if slices.EqualFunc(first, other, func(a, b scenario.Scenario) bool { return scenario.Format(a) == scenario.Format(b) }) {
			t.Error("another seed or shard yields the same")
		}
	}
}

// TestRandomScenariosAreBounded: what they cost a subject is bounded, whatever the bytes are.
func TestRandomScenariosAreBounded(t *testing.T) {
	properties := gopter.NewProperties(gopter.DefaultTestParametersWithSeed(1))
	properties.Property("steps and payload are within their caps", prop.ForAll(func(data []byte) bool {
		s := scenario.FromBytes(data)
		bytes := 0
		for _, step := range s.Steps {
			for _, p := range slices.Concat([]scenario.Payload{step.Payload}, step.More, step.Metadata) {
				bytes += p.Len()
			}
			for _, source := range step.Sources {
				for _, e := range source.Events {
					bytes += e.Text.Len()
				}
			}
		}
		return len(s.Steps) <= scenario.MaxSteps && bytes <= scenario.MaxPayload
	}, choices))
	properties.TestingRun(t)
}
