package smallscope_test

import (
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/model"
	"github.com/boundcheck/boundcheck/invariants/smallscope"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

// tracked plans with a tracker that grows by one result after the other.
type tracked struct{}

func (tracked) Plan(slots []bounding.Slot, w bounding.Watermark, at bounding.Checkpoint) bounding.ClearPlan {
	t := bounding.NewTracker(w)
	done := false
	for _, s := range slots {
		if s.Pending && !done {
			t.Commit()
			done = true
		}
		t.Add(s)
	}
	if !done {
		t.Commit()
	}
	return t.Checkpoint(at)
}

func TestPlannersAgreeWithTheOracle(t *testing.T) {
	for name, p := range map[string]subject.Planner{"PlanClear": model.New(), "Tracker": tracked{}} {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			total := 0
			for n := range 6 {
				cases, bad := smallscope.Plans(p, n)
				if total += cases; bad != nil {
					t.Fatalf("%d results: %+v", n, *bad)
				}
			}
			t.Logf("%d cases in %v", total, time.Since(begin))
		})
	}
}

// TestSixResults is the search of all histories of six results. How long it takes is told, and decides nothing.
func TestSixResults(t *testing.T) {
	if testing.Short() {
		t.Skip("a million cases")
	}
	begin := time.Now()
	cases, bad := smallscope.Plans(model.New(), 6)
	if bad != nil {
		t.Fatalf("%+v", *bad)
	}
	if cases < 1_000_000 {
		t.Errorf("%d cases, want a million", cases)
	}
	t.Logf("%d cases in %v", cases, time.Since(begin))
}

// unfit panics on what it does not expect.
type unfit struct{ subject.Planner }

func (u unfit) Plan(slots []bounding.Slot, w bounding.Watermark, at bounding.Checkpoint) bounding.ClearPlan {
	for _, s := range slots {
		if s.Failed {
			panic("an error")
		}
	}
	return u.Planner.Plan(slots, w, at)
}

func TestPanicOfAPlannerIsFound(t *testing.T) {
	_, found := smallscope.Plans(unfit{model.New()}, 1)
	if found == nil || found.Panic != "an error" {
		t.Errorf("got %+v, want the panic", found)
	}
	n := 0
	for range found.Scenarios() {
		n++
	}
	if n == 0 {
		t.Error("the counterexample is no scenario")
	}
}
