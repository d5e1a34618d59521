package invariants

import (
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/invariants/model"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

var clearingFamilies = []string{"CLR-*", "PRO-*", "PFX-*", "FIL-*", "DIA-*"}

// TestReferenceClears holds both ways in which the reference model clears against the families that are about clearing.
func TestReferenceClears(t *testing.T) {
	for name, newSubject := range map[string]func() (subject.Bounder, error){
		"shown":    func() (subject.Bounder, error) { return model.New(), nil },
		"mirrored": func() (subject.Bounder, error) { return model.Incremental(), nil },
	} {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			report, err := Check(t.Context(), newSubject, Only(clearingFamilies...))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range report.Findings {
				if f.Status != Pass {
					t.Errorf("%s: %s: %s %q\n%s", f.ID, f.Status, f.Message, f.Missing, f.Scenario)
				}
			}
			t.Logf("%d invariants in %v", len(report.Findings), time.Since(begin))
		})
	}
}
