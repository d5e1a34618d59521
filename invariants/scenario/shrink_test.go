package scenario

import (
	"slices"
	"testing"

	"github.com/boundcheck/boundcheck/bounding"
)

// predicates fail for scenarios that hold something, each with the least that it needs.
var predicates = []struct {
	name  string
	calls int // in the smallest scenario
	steps int
	fails func(s Scenario) bool
}{
	{"a call", 1, 1, func(s Scenario) bool { return s.Calls() > 0 }},
	{"two calls, then a checkpoint", 2, 3, func(s Scenario) bool {
		i := slices.IndexFunc(s.Steps, func(s Step) bool { return s.Op == Checkpoint })
		return i > 0 && Scenario{Steps: s.Steps[:i]}.Calls() >= 2
	}},
	{"more than 500 bytes in two calls", 2, 2, func(s Scenario) bool {
		n := 0
		for _, step := range s.Steps {
			if step.Op == Call && step.Payload.Len() > 500 {
				n++
			}
		}
		return n >= 2
	}},
	{"an error with media", 1, 1, func(s Scenario) bool {
		return slices.ContainsFunc(s.Steps, func(s Step) bool { return s.Op == Call && s.Status != 0 && s.Media > 0 })
	}},
	{"a later pass over the second text", 2, 3, func(s Scenario) bool {
		n := 0
		for _, step := range s.Steps {
			if step.Op == Call || step.Op == Save {
				n++
			}
			if step.Op == Tighten && step.Of == n-1 && n >= 2 {
				return true
			}
		}
		return false
	}},
	{"other limits", 0, 1, func(s Scenario) bool {
		return slices.ContainsFunc(s.Steps, func(s Step) bool { return s.Op == SetLimits })
	}},
	{"a text of 601 to 700 bytes", 1, 1, func(s Scenario) bool {
		return slices.ContainsFunc(s.Steps, func(s Step) bool {
			return s.Op == Call && s.Payload.Len() > 600 && s.Payload.Len() <= 700
		})
	}},
}

// TestShrink shrinks what random bytes make: to the fewest steps, and to the shortest text.
func TestShrink(t *testing.T) {
	for _, p := range predicates {
		found := 0
		for seed := uint64(0); found < 20 && seed < 20_000; seed++ {
			s := FromBytes(random(seed))
			if !p.fails(s) {
				continue
			}
			found++
			asked := 0
			small := Shrink(s, func(s Scenario) bool { asked++; return p.fails(s) })
			saves := 0
			for _, step := range small.Steps {
				if step.Op == Save {
					saves++
				}
			}
			if !p.fails(small) || len(small.Steps) != p.steps || small.Calls()+saves < p.calls {
				t.Errorf("%s, seed %d: %d steps became\n%s", p.name, seed, len(s.Steps), Format(small))
			}
			if asked > maxAttempts {
				t.Errorf("%s, seed %d: asked %d times", p.name, seed, asked)
			}
			if again := Shrink(s, p.fails); Format(again) != Format(small) {
				t.Errorf("%s, seed %d: not the same twice", p.name, seed)
			}
		}
		if found < 20 {
			t.Errorf("%s: only %d scenarios", p.name, found)
		}
	}
}

// TestShrinkIsPlain: what does not matter is gone.
func TestShrinkIsPlain(t *testing.T) {
	s := Scenario{Limits: bounding.Strict(), Steps: []Step{
		{Op: Fault, Program: "(fail EIO)"},
		{Op: Call, ID: "../../etc", Tool: "mcp__x", Status: bounding.Failed, Media: 2, Nested: true, Bounded: true, Protected: true,
			Payload: Payload{{3, "\r\n"}, {900, "😀"}, {2, "y"}}, More: []Payload{Of(3, "m")}, Metadata: []Payload{Of(70, "é")}, Files: []string{"f"}},
		{Op: Batch, Order: []int{0}}, {Op: Commit},
	}}
	small := Shrink(s, func(s Scenario) bool {
		return slices.ContainsFunc(s.Steps, func(s Step) bool { return s.Payload.Len() > 100 && len(s.Metadata) == 1 })
	})
	const want = "limits scaled\ncall c0 shell 101*x metadata=0*x\n"
	if got := Format(small); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
