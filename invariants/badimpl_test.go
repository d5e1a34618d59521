package invariants_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/invariants"
	"github.com/boundcheck/boundcheck/invariants/internal/badimpl"
	"github.com/boundcheck/boundcheck/invariants/model"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

// notKilled are the musts that no wrong implementation here breaks, with the reason.
var notKilled = map[string]string{
	"AGG-8": "a subject is handed the results of one message only, so that it cannot reach another",
	"PRV-3": "the disk in memory has no links; TestReferenceOnDisk is about those",
}

// TestBugsDie holds each wrong implementation against the invariants that are declared for it. Each must find it, with a
// script that shows the same on it and nothing on the reference model; every must finds one at least.
func TestBugsDie(t *testing.T) {
	begin := time.Now()
	bugs := badimpl.All()
	if testing.Short() {
		t.Skip("115 runs: the long run has them")
	}
	killed := map[string]bool{}
	var clearing []int
	for _, b := range bugs {
		newBug := func() (subject.Bounder, error) { return b.New(), nil }
		report, err := invariants.Check(t.Context(), newBug, invariants.Only(b.Kills...), invariants.CasesOnly())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range report.Findings {
			if f.Status != invariants.Fail {
				t.Errorf("%s: %s: %s %s", b.Name, f.ID, f.Status, f.Message)
				continue
			}
			killed[f.ID] = true
			if strings.HasPrefix(b.Name, "clear-") && b.Name != "clear-each-checkpoint" {
				clearing = append(clearing, f.Results)
			}
			replays(t, b, f)
		}
	}
	for i := range invariants.All() {
		if _, excused := notKilled[i.ID]; i.Level == invariants.Must && killed[i.ID] == excused {
			t.Errorf("%s: finds a wrong implementation: %t, excused: %t", i.ID, killed[i.ID], excused)
		}
	}
	slices.Sort(clearing)
	if median := clearing[len(clearing)/2]; median > 3 {
		t.Errorf("the median of the scenarios about clearing has %d results, want at most 3", median)
	}
	if len(bugs) < 60 {
		t.Errorf("only %d bugs", len(bugs))
	}
	t.Logf("%d bugs in %v, scenarios about clearing have %v results", len(bugs), time.Since(begin), clearing)
}

// replays runs the script of a finding on the bug and, the other way round, on the reference model.
func replays(t *testing.T, b badimpl.Bug, f invariants.Finding) {
	t.Helper()
	script, err := scenario.Parse(b.Name, []byte(f.Scenario))
	if err != nil {
		t.Errorf("%s: %s: %v", b.Name, f.ID, err)
		return
	}
	if b.Name == "clear-tells-the-time" {
		return // two runs are compared, and time goes on
	}
	if err := invariants.Replay(t.Context(), script, func() (subject.Bounder, error) { return b.New(), nil }); err != nil {
		t.Error(err)
	}
	script.Expect[0].Words[0] = "holds"
	if err := invariants.Replay(t.Context(), script, func() (subject.Bounder, error) { return model.New(), nil }); err != nil {
		t.Error(err)
	}
}
