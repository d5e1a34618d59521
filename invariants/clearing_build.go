package invariants

import (
	"iter"
	"slices"
	"strconv"
	"time"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/scenario"
)

func itoa(n int) string { return strconv.Itoa(n) }

// clearLimits are limits under which short texts stay whole and a few of them reach the high watermark.
func clearLimits(high, keep int) bounding.Limits {
	l := bounding.Strict()
	l.Threshold, l.Headroom, l.Preview, l.Batch = 2_000, 200, 100, 20_000
	l.Watermark = bounding.Watermark{High: high, Keep: keep, IdleAfter: time.Hour}
	return l
}

// plain is a tool whose results are bounded by the global limits and may be cleared.
const plain = "look_up"

// script builds a scenario step by step.
type script struct{ scenario.Scenario }

func scripted(l bounding.Limits) *script { return &script{scenario.Scenario{Limits: l}} }

func (s *script) step(steps ...scenario.Step) *script {
	s.Steps = append(s.Steps, steps...)
	return s
}

// call brings the output of a call of the open message.
func (s *script) call(units int, change ...func(*scenario.Step)) *script {
	step := scenario.Step{Op: scenario.Call, ID: "c" + itoa(s.Calls()), Tool: plain, Payload: scenario.Of(units, "x")}
	for _, f := range change {
		f(&step)
	}
	return s.step(step)
}

// batch ends the message, which is then pending; sent also commits it.
func (s *script) batch() *script { return s.step(scenario.Step{Op: scenario.Batch}) }
func (s *script) sent() *script  { return s.batch().step(scenario.Step{Op: scenario.Commit}) }

// old adds committed results of these sizes, one message each.
func (s *script) old(units ...int) *script {
	for _, n := range units {
		s.call(n).sent()
	}
	return s
}

// due adds one pending message with results of these sizes.
func (s *script) due(units ...int) *script {
	for _, n := range units {
		s.call(n)
	}
	return s.batch()
}

func (s *script) turn() *script {
	return s.step(scenario.Step{Op: scenario.Checkpoint, Trigger: bounding.BeforeToolTurn, Gap: bounding.NoGap})
}

func (s *script) query(gap time.Duration) *script {
	return s.step(scenario.Step{Op: scenario.Checkpoint, Trigger: bounding.BeforeQuery, Gap: gap})
}

func (s *script) force() *script {
	return s.step(scenario.Step{Op: scenario.Checkpoint, Trigger: bounding.OnDemand})
}

func (s *script) diagnose() *script { return s.step(scenario.Step{Op: scenario.Diagnose}) }

func asFailed(s *scenario.Step)    { s.Status = bounding.Failed }
func asProtected(s *scenario.Step) { s.Protected = true }

func withMedia(n int) func(*scenario.Step)    { return func(s *scenario.Step) { s.Media = n } }
func byTool(tool string) func(*scenario.Step) { return func(s *scenario.Step) { s.Tool = tool } }
func saying(what string) func(*scenario.Step) {
	return func(s *scenario.Step) { s.Payload = scenario.Of(1, what) }
}
func naming(files ...string) func(*scenario.Step) {
	return func(s *scenario.Step) { s.Files = files }
}

// scripts makes the cases of an invariant out of scripts.
func scripts(list ...*script) func(Effort) iter.Seq[scenario.Scenario] {
	return func(Effort) iter.Seq[scenario.Scenario] {
		return func(yield func(scenario.Scenario) bool) {
			for _, s := range list {
				if !yield(scenario.Scenario{Limits: s.Limits, Steps: slices.Clone(s.Steps)}) {
					return
				}
			}
		}
	}
}
