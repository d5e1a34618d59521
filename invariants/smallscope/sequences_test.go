package smallscope_test

import (
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/smallscope"
)

// units of the commands that add a result.
var results = map[smallscope.Command]bounding.Slot{
	smallscope.AddMid:   {Units: 2, Placeholder: 1},
	smallscope.AddBig:   {Units: 4, Media: 1, Placeholder: 1},
	smallscope.AddError: {Units: 3, Media: 1, Placeholder: 1, Failed: true},
	smallscope.AddMedia: {Media: 1, Placeholder: 1},
}

// TestTrackerOverSequences holds a tracker that lives through each session against the oracle, at every checkpoint.
func TestTrackerOverSequences(t *testing.T) {
	for _, limits := range []struct{ high, keep int }{{5, 1}, {7, 2}} {
		begin := time.Now()
		walked := smallscope.Sequences(6, limits.high, limits.keep, func(d smallscope.Decision) bool {
			tracker := bounding.NewTracker(d.Watermark)
			var got bounding.ClearPlan
			for _, c := range d.Commands {
				switch c {
				case smallscope.Commit:
					tracker.Commit()
				case smallscope.Turn:
					got = tracker.Checkpoint(bounding.Checkpoint{Trigger: bounding.BeforeToolTurn, Gap: bounding.NoGap})
				case smallscope.Idle:
					got = tracker.Checkpoint(bounding.Checkpoint{Trigger: bounding.BeforeQuery, Gap: time.Hour})
				default:
					tracker.Add(results[c])
				}
			}
			if !smallscope.Agrees(got, d.Want) {
				t.Errorf("%v over %+v\ngot  %+v\nwant %+v", d.Commands, d.Slots, got, d.Want)
				return false
			}
			if plan := bounding.PlanClear(d.Slots, d.Watermark, d.At); !smallscope.Agrees(plan, d.Want) {
				t.Errorf("PlanClear over %+v\ngot  %+v\nwant %+v", d.Slots, plan, d.Want)
				return false
			}
			return true
		})
		if walked.States < 20_000 {
			t.Errorf("%d states, want at least 20,000", walked.States)
		}
		t.Logf("H %d, K %d: %d states, %d transitions in %v", limits.high, limits.keep, walked.States, walked.Transitions, time.Since(begin))
	}
}
