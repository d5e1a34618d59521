package invariants

import (
	"iter"
	"slices"
	"strings"
)

// Status is what became of one invariant.
type Status string

const (
	Pass    Status = "pass"
	Fail    Status = "fail"
	Skip    Status = "skip"    // the subject lacks the capability, or the profile exempts it
	Vacuous Status = "vacuous" // nothing failed, but something that must happen did not: this is no pass
	Error   Status = "error"   // the harness failed, and nothing is known about the subject: this is no pass
)

// Report is what a run found out.
type Report struct {
	Subject  string    `json:"subject,omitempty"` // who it is, if it says
	Profile  string    `json:"profile"`
	Effort   string    `json:"effort"`
	Seed     uint64    `json:"seed"`
	Caps     []string  `json:"capabilities"`
	Findings []Finding `json:"findings"` // one for each invariant, in the order of the catalogue
	// Stale are the lines of the baseline that are not so any more: what they name passes, is skipped, or fails in another
	// way than they say.
	Stale []string `json:"stale,omitempty"`
}

// Finding is what a run found out about one invariant.
type Finding struct {
	ID     string `json:"id"`
	Level  Level  `json:"level"`
	Status Status `json:"status"`
	// Message says what was expected and what was there, or why nothing is known.
	Message string `json:"message,omitempty"`
	// Scenario is the smallest one that shows it, as a script that replays.
	Scenario string `json:"scenario,omitempty"`
	// Results is how many tool results the scenario has.
	Results int `json:"results,omitempty"`
	// Cases is how many scenarios the invariant was judged by.
	Cases int `json:"cases"`
	// Known says that the baseline knows of the failure.
	Known bool `json:"known,omitempty"`
	// Missing are the witnesses that a vacuous invariant lacks.
	Missing []string `json:"missing,omitempty"`
}

// Conformant reports whether every MUST passed, was skipped, or is known to the baseline, and the baseline is right.
func (r *Report) Conformant() bool {
	return len(r.Stale) == 0 && !slices.ContainsFunc(r.Findings, Finding.Bad)
}

// Bad reports whether the finding speaks against the subject, or against the run.
func (f Finding) Bad() bool {
	switch f.Status {
	case Pass, Skip:
		return false
	case Fail:
		return f.Level == Must && !f.Known
	}
	return true
}

// Count returns how many findings have a status.
func (r *Report) Count(s Status) int {
	n := 0
	for _, f := range r.Findings {
		if f.Status == s {
			n++
		}
	}
	return n
}

// families yields the findings of each family, in the order of the catalogue.
func (r *Report) families() iter.Seq2[string, []Finding] {
	return func(yield func(string, []Finding) bool) {
		rest := r.Findings
		for len(rest) > 0 {
			family, n := familyOf(rest[0].ID), 1
			for n < len(rest) && familyOf(rest[n].ID) == family {
				n++
			}
			if !yield(family, rest[:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// requirements yields the ids of the spec that the finding is about.
func (f Finding) requirements() iter.Seq[string] {
	for i := range All() {
		if i.ID == f.ID {
			return strings.FieldsSeq(i.Requirement)
		}
	}
	return func(func(string) bool) {}
}
