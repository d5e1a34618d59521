package relations

import (
	"iter"
	"slices"

	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// Relation is one thing that must be true of a session and of another one that is made from it.
type Relation struct {
	ID        string
	Statement string
	// Transform returns the other session, or false where the relation says nothing. It leaves s as it is.
	Transform func(s scenario.Scenario) (scenario.Scenario, bool)
	// Compare returns what is wrong about the two, in words. The first is the session that was given.
	Compare func(a, b *trace.Trace) error
}

// All yields the relations in the order of their numbers.
func All() iter.Seq[Relation] { return slices.Values(all) }

var all = slices.Concat(clearing, references)
