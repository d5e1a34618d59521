package badimpl

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/invariants/subject"
)

// Bug is one wrong bounding layer.
type Bug struct {
	Name string
	// Does is what it does wrong, in a sentence.
	Does string
	// Source is where the bug was found: a public report, a review, a design note.
	Source string
	// Kills are the invariants that must not hold.
	Kills []string
	// New returns one that nothing has used.
	New func() subject.Bounder
}

// families are the bugs of each part of the catalogue.
var families = [][]Bug{bounds, messages, plans, clears, stores, references}

// All returns the bugs by name.
func All() []Bug {
	bugs := slices.Concat(families...)
	slices.SortFunc(bugs, func(a, b Bug) int { return strings.Compare(a.Name, b.Name) })
	return bugs
}
