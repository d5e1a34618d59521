package invariants

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boundcheck/boundcheck/invariants/model"
	"github.com/boundcheck/boundcheck/invariants/smallscope"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

var clearingFamilies = []string{"CLR-*", "PRO-*", "PFX-*", "FIL-*", "DIA-*"}

// TestReferenceClears holds both ways in which the reference model clears against the families that are about clearing. The
// one with a history of its own is held against the cases and the search alone: where a message was brought within its
// budget, it may have stored a text that it then left whole. Its placeholder has the pointer, which the checks do not see
// as long as the text is whole.
func TestReferenceClears(t *testing.T) {
	options := map[string][]Option{"mirrored": {CasesOnly()}}
	if testing.Short() {
		options["shown"] = []Option{CasesOnly()}
	}
	for name, newSubject := range map[string]func() (subject.Bounder, error){
		"shown":    func() (subject.Bounder, error) { return model.New(), nil },
		"mirrored": func() (subject.Bounder, error) { return model.Incremental(), nil },
	} {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			report, err := Check(t.Context(), newSubject, append(options[name], Only(clearingFamilies...))...)
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

// TestWrongPlansDieSmall holds the wrong planners against every history of a few results, on numbers.
func TestWrongPlansDieSmall(t *testing.T) {
	for _, w := range wrongPlans {
		results := -1
		for n := 0; n <= 3 && results < 0; n++ {
			if _, found := smallscope.Plans(faulty(w.fault), n); found != nil {
				results = n
			}
		}
		// What only the report says is no decision on numbers.
		if strings.HasPrefix(w.fault, "soft") {
			continue
		}
		if results < 0 {
			t.Errorf("%q decides as it should in every history of at most 3 results", w.fault)
		}
	}
	if _, found := smallscope.Plans(faulty(""), 4); found != nil {
		t.Errorf("the planner without a fault differs: %+v", *found)
	}
}

// TestWrongClearersDie runs every wrong implementation through the families that are about clearing. Each must be found by
// the invariants that are named for it, and by one of them in a session of at most 3 results.
func TestWrongClearersDie(t *testing.T) {
	defer func(all []source) { engines = all }(engines)
	// The cases and the search on numbers must be enough: what takes chance to find is not found small.
	engines = slices.DeleteFunc(slices.Clone(clearEngines), func(s source) bool { return s.search == nil })
	killed := map[string]bool{}
	begin := time.Now()
	for _, w := range slices.Concat(wrongPlans, wrongClears) {
		report, err := Check(t.Context(), func() (subject.Bounder, error) { return newWrongClearer(w.fault), nil }, Only(w.kills...))
		if err != nil {
			t.Fatal(err)
		}
		smallest := -1
		for _, f := range report.Findings {
			if f.Status != Fail {
				t.Errorf("%q: %s: %s", w.fault, f.ID, f.Status)
				continue
			}
			killed[f.ID] = true
			if smallest < 0 || f.Results < smallest {
				smallest = f.Results
			}
		}
		if smallest > 3 && !w.large {
			t.Errorf("%q: the smallest session has %d results, want at most 3", w.fault, smallest)
		}
	}
	for i := range All() {
		if matches(i.ID) && !killed[i.ID] {
			t.Errorf("%s finds none of the wrong implementations", i.ID)
		}
	}
	t.Logf("%d wrong implementations in %v", len(wrongPlans)+len(wrongClears), time.Since(begin))
}

func matches(id string) bool {
	return slices.ContainsFunc(clearingFamilies, func(p string) bool { return strings.HasPrefix(id, p[:len(p)-1]) })
}

// TestSameSeedSameReport runs a wrong implementation twice, with different numbers of workers.
func TestSameSeedSameReport(t *testing.T) {
	run := func(workers int) *Report {
		report, err := Check(t.Context(), func() (subject.Bounder, error) { return newWrongClearer("pending takes a slot"), nil },
			Only("CLR-*", "PRO-*", "FIL-*"), Seed(7), Workers(workers))
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	if d := cmp.Diff(run(1), run(2)); d != "" {
		t.Error(d)
	}
}
