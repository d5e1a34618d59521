package invariants

import (
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/invariants/model"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

var boundingFamilies = []string{"BND-*", "SEN-*", "MET-*", "AGG-*", "TXT-*", "ERR-*", "REC-*", "REF-*", "PRV-*", "CRS-*"}

// TestReferenceBounds holds the reference model against the families that are about one result and one message.
func TestReferenceBounds(t *testing.T) {
	begin := time.Now()
	report, err := Check(t.Context(), func() (subject.Bounder, error) { return model.New(), nil }, Only(boundingFamilies...))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		if f.Status != Pass {
			t.Errorf("%s: %s: %s %q\n%s", f.ID, f.Status, f.Message, f.Missing, f.Scenario)
		}
	}
	t.Logf("%d invariants in %v", len(report.Findings), time.Since(begin))
}
