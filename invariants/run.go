package invariants

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/boundcheck/boundcheck/invariants/subject"
)

// Run holds a subject against the catalogue, with one subtest for each invariant, named Family/ID.
//
//	func TestBounding(t *testing.T) {
//		invariants.Run(t, func(t *testing.T) subject.Bounder { return agent.NewBounder(t.TempDir()) })
//	}
//
// newSubject returns a subject that nothing has used before. It is called for every scenario, by several goroutines; what
// it sets up with t.Cleanup lives as long as the whole run.
func Run(t *testing.T, newSubject func(t *testing.T) subject.Bounder, options ...Option) {
	t.Helper()
	report, err := Check(t.Context(), func() (subject.Bounder, error) { return newSubject(t), nil }, options...)
	if err != nil {
		t.Fatal(err)
	}
	for _, stale := range report.Stale {
		t.Errorf("the baseline is stale: %s", stale)
	}
	for family, findings := range report.families() {
		t.Run(family, func(t *testing.T) {
			for _, f := range findings {
				t.Run(f.ID, func(t *testing.T) { f.tell(t) })
			}
		})
	}
}

// tell makes a finding the outcome of a test.
func (f Finding) tell(t *testing.T) {
	t.Attr("invariant", f.ID)
	for id := range f.requirements() {
		t.Attr("requirement", id)
	}
	if f.Scenario != "" {
		path := filepath.Join(t.ArtifactDir(), f.ID+".txtar")
		if err := os.WriteFile(path, []byte(f.Scenario), 0o600); err != nil {
			t.Error(err)
		}
	}
	switch {
	case f.Status == Skip:
		t.Skip(f.Message)
	case f.Bad():
		t.Errorf("%s: %s: %s\n%s", f.ID, f.Status, f.Message, f.Scenario)
	case f.Status == Fail:
		t.Logf("%s does not hold: %s\n%s", f.ID, f.Message, f.Scenario)
	}
}
