package invariants

import (
	"fmt"
	"iter"
	"strings"

	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// Level says how much an invariant matters.
type Level string

const (
	Must   Level = "must"
	Should Level = "should" // fails are reported, and do not make a subject non-conformant
)

// Invariant is one thing that must hold, whatever a session does.
type Invariant struct {
	ID          string
	Level       Level
	Statement   string
	Requirement string   // ids of the spec, separated by spaces
	Needs       []string // capabilities without which the invariant says nothing
	// Witnesses are what must have happened in some scenario for a pass to mean anything. Without all of them the
	// invariant is vacuous.
	Witnesses []string

	// check judges one trace. A relational invariant has a relation instead.
	check    func(t *trace.Trace, v *Verdict)
	relation *relation
	// cases are the scenarios that were made for this invariant: one at each border, one for each witness.
	cases func(e Effort) iter.Seq[scenario.Scenario]
}

// relation judges a scenario by another one that is made from it, such as the same with every size doubled.
type relation struct {
	// transform returns the other scenario, or false where the relation says nothing.
	transform func(s scenario.Scenario) (scenario.Scenario, bool)
	compare   func(a, b *trace.Trace, v *Verdict)
}

// Family is the part of the id before the hyphen.
func (i Invariant) Family() string { return familyOf(i.ID) }

func familyOf(id string) string {
	family, _, _ := strings.Cut(id, "-")
	return family
}

// Verdict is what a check says about one trace.
type Verdict struct {
	failure   string
	witnesses map[string]bool
	parent    *Verdict // fails with this one
}

// Failf says that the invariant does not hold, in words that name what was expected and what was there. The first failure
// counts.
func (v *Verdict) Failf(format string, args ...any) {
	if v.failure == "" {
		v.failure = fmt.Sprintf(format, args...)
	}
	if v.parent != nil {
		v.parent.Failf(format, args...)
	}
}

// Failed reports whether the invariant is known not to hold.
func (v *Verdict) Failed() bool { return v.failure != "" }

// Saw notes that something happened that a pass needs to mean anything. It must be one of the invariant's witnesses.
func (v *Verdict) Saw(witness string) {
	if v.witnesses == nil {
		v.witnesses = map[string]bool{}
	}
	v.witnesses[witness] = true
}

// All yields the catalogue, in the order of the families.
func All() iter.Seq[Invariant] {
	return func(yield func(Invariant) bool) {
		for _, family := range catalogue {
			for _, i := range family {
				if !yield(i) {
					return
				}
			}
		}
	}
}

// catalogue has the families in the order in which they are reported.
var catalogue = [][]Invariant{bnd, rec, sen, met, agg, clr, pro, pfx, fil, txt, refs, dia, prv, errs, crs}
