package invariants

import (
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/invariants/model"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

var boundingFamilies = []string{"BND-*", "SEN-*", "MET-*", "AGG-*", "TXT-*", "ERR-*", "REC-*", "REF-*", "PRV-*", "CRS-*"}

// TestReferenceBounds holds the reference model against the families that are about one result and one message.
func TestReferenceBounds(t *testing.T) {
	begin := time.Now()
	options := []Option{Only(boundingFamilies...)}
	if testing.Short() {
		options = append(options, CasesOnly())
	}
	report, err := Check(t.Context(), func() (subject.Bounder, error) { return model.New(), nil }, options...)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		if f.Status != Pass && f.ID != "PRV-3" { // which is TestReferenceOnDisk's
			t.Errorf("%s: %s: %s %q\n%s", f.ID, f.Status, f.Message, f.Missing, f.Scenario)
		}
	}
	t.Logf("%d invariants in %v", len(report.Findings), time.Since(begin))
}

// TestReferenceOnDisk holds the model with files on this machine against what is about files.
func TestReferenceOnDisk(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes, and links need a privilege")
	}
	report, err := Check(t.Context(), func() (subject.Bounder, error) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		return model.NewOnDisk(dir), err
	}, Only("PRV-*", "REC-2", "REC-4", "ERR-3"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		if f.Status != Pass && f.ID != "PRV-5" { // whose witness needs a storage that fails
			t.Errorf("%s: %s: %s %q\n%s", f.ID, f.Status, f.Message, f.Missing, f.Scenario)
		}
	}
}
