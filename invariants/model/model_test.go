package model_test

import (
	"testing"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/model"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// TestRightValue is the arithmetic of WMK-8: 167 results of 25,500 units, each checked while it is pending, are 14 rewrites.
func TestRightValue(t *testing.T) {
	s := scenario.Scenario{Limits: bounding.Strict()}
	for range 167 {
		s.Steps = append(s.Steps,
			scenario.Step{Op: scenario.Call, ID: "a", Tool: "shell", Payload: scenario.Of(25_500, "x")},
			scenario.Step{Op: scenario.Batch}, scenario.Step{Op: scenario.Checkpoint}, scenario.Step{Op: scenario.Commit})
	}
	for name, m := range map[string]subject.Bounder{"shown": model.New(), "mirrored": model.Incremental()} {
		rewrites := 0
		for _, e := range trace.Run(t.Context(), m, s, 0).Events {
			if e.Err != nil || e.Broken != nil || e.Skipped {
				t.Fatalf("%s: step %d: %+v", name, e.Step, e.Err)
			}
			if e.Report != nil && e.Report.Cleared > 0 {
				rewrites++
			}
		}
		if rewrites != 14 {
			t.Errorf("%s: %d rewrites, want 14", name, rewrites)
		}
	}
}
