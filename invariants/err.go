package invariants

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// errs is about storage that fails, is full, or is given up.
var errs = []Invariant{
	{
		ID: "ERR-1", Level: Must, Requirement: "OFF-10", Needs: []string{subject.CapBound, subject.CapFault},
		Statement: "Whatever the storage does, a call that succeeded is a success, and one that failed is an error.",
		Witnesses: []string{"a success that could not be saved", "an error that could not be saved"},
		check:     checkNeverError, cases: faultCases(),
	},
	{
		ID: "ERR-2", Level: Must, Requirement: "OFF-10", Needs: []string{subject.CapBound, subject.CapFault},
		Statement: "What cannot be saved is bounded all the same, has no pointer, and says why.",
		Witnesses: []string{"an output that could not be saved"},
		check:     checkUnsaved, cases: faultCases(),
	},
	{
		ID: "ERR-3", Level: Must, Requirement: "OFF-10 SPL-5", Needs: []string{subject.CapSpill},
		Statement: "What is larger than an artifact may be, or than the rest of its session, is not saved; what fits exactly is.",
		Witnesses: []string{"an artifact at the limit", "one above the limit of an artifact", "a session at its limit", "one above the limit of a session"},
		check:     checkQuota, cases: quotaCases(),
	},
	{
		ID: "ERR-4", Level: Must, Requirement: "SPL-5 OFF-10", Needs: []string{subject.CapSpill},
		Statement: "The artifacts of a session are never more than it may store, and what failed takes no room.",
		Witnesses: []string{"a session that is full", "a save after one that failed"},
		check:     checkRoom, cases: every(quotaCases(), faultCases()),
	},
	{
		ID: "ERR-5", Level: Must, Requirement: "OFF-10 REF-7", Needs: []string{subject.CapSpill},
		Statement: "A save that was cancelled before it began stores nothing and says so.",
		Witnesses: []string{"a cancelled save"},
		check:     checkCancelled, cases: cancelCases(),
	},
}

// failing reports, for each step, whether the storage fails there, as the scenario says.
func failing(t *trace.Trace) []bool {
	steps := make([]bool, len(t.Scenario.Steps)+1)
	on := false
	for i, s := range t.Scenario.Steps {
		switch s.Op {
		case scenario.Fault:
			on = strings.TrimSpace(s.Program) != ""
		case scenario.Crash:
			on = false
		case scenario.Plant:
			on = true
		}
		steps[i] = on
	}
	return steps
}

// cancelled reports whether the context of a step had ended.
func cancelled(t *trace.Trace, step int) bool {
	return step > 0 && t.Scenario.Steps[step-1].Op == scenario.Cancel
}

func checkNeverError(t *trace.Trace, v *Verdict) {
	on := failing(t)
	for _, e := range t.Events {
		if e.Op == scenario.Call && on[e.Step] && !e.Skipped && e.Broken == nil && e.Err != nil && e.Limits.Validate() == nil {
			v.Failf("step %d: bounding returned an error while the storage failed: %.200v", e.Step, e.Err)
		}
	}
	for p := range passes(t) {
		if p.Op != scenario.Call || !on[p.Step] || p.whole() {
			continue
		}
		failed := p.made.Output.Status != bounding.Success
		switch {
		case p.out.Locator != "":
		case failed:
			v.Saw("an error that could not be saved")
		default:
			v.Saw("a success that could not be saved")
		}
		if p.out.Failed != failed {
			v.Failf("%s: the call ended with %v, the storage failed, and the result says failed=%t", p.name(), p.made.Output.Status, p.out.Failed)
		}
	}
}

func checkUnsaved(t *trace.Trace, v *Verdict) {
	on := failing(t)
	for p := range passes(t) {
		if p.Op != scenario.Call || !on[p.Step] || p.whole() || p.out.Outcome == bounding.Saved {
			continue
		}
		v.Saw("an output that could not be saved")
		within(p, v)
		if p.out.Locator != "" {
			v.Failf("%s: the outcome is %v, and there is a pointer %s", p.name(), p.out.Outcome, p.out.Locator)
		}
		if p.out.Outcome == bounding.NotNeeded && p.single() {
			v.Failf("%s: the output was shortened and could not be saved, and nothing says so", p.name())
		}
	}
}

// saves yields the texts that were given to the store by themselves, each with what its session held before.
func saves(t *trace.Trace) func(yield func(e *trace.Event, before int64) bool) {
	return func(yield func(*trace.Event, int64) bool) {
		var before int64
		unknown := false
		on := failing(t)
		for i := range t.Events {
			e := &t.Events[i]
			if e.Op == scenario.Save && !e.Skipped && e.Err == nil && e.Broken == nil && t.Made[e.Of[0]].Owner == trace.Session && !on[e.Step] && !unknown {
				if !yield(e, before) {
					return
				}
			}
			switch e.Op {
			case scenario.Call, scenario.Tighten, scenario.Batch, scenario.Save, scenario.Reference, scenario.Crash, scenario.Sweep:
				if e.Skipped {
					continue
				}
				unknown = on[e.Step] || e.Err != nil
				before = 0
				for _, s := range e.Stored {
					before += s.Bytes
				}
			}
		}
	}
}

func checkQuota(t *trace.Trace, v *Verdict) {
	for e, before := range saves(t) {
		size := int64(len(t.Made[e.Of[0]].Output.Text))
		l := e.Limits
		if cancelled(t, e.Step) || l.Validate() != nil {
			continue
		}
		large := l.ArtifactBytes >= 0 && size > l.ArtifactBytes
		full := l.SessionBytes >= 0 && size > 0 && before+size > l.SessionBytes
		switch {
		case size == l.ArtifactBytes:
			v.Saw("an artifact at the limit")
		case size == l.ArtifactBytes+1:
			v.Saw("one above the limit of an artifact")
		}
		switch {
		case before+size == l.SessionBytes:
			v.Saw("a session at its limit")
		case before+size == l.SessionBytes+1:
			v.Saw("one above the limit of a session")
		}
		saved := e.Saved.Outcome == bounding.Saved
		if saved == (large || full) {
			v.Failf("step %d: %d bytes, under limits of %d for an artifact and %d for a session that holds %d, are %v",
				e.Step, size, l.ArtifactBytes, l.SessionBytes, before, e.Saved.Outcome)
		}
		if saved != (e.Saved.Locator != "") {
			v.Failf("step %d: the outcome is %v, and the pointer is %q", e.Step, e.Saved.Outcome, e.Saved.Locator)
		}
	}
}

func checkRoom(t *trace.Trace, v *Verdict) {
	most := int64(-1) // the highest limit so far: what was stored under it stays
	for _, e := range t.Events {
		l := e.Limits
		if l.Validate() != nil {
			return
		}
		if l.SessionBytes < 0 {
			return
		}
		most = max(most, l.SessionBytes)
		var held int64
		for _, s := range e.Stored {
			held += s.Bytes
		}
		if held == l.SessionBytes && held > 0 {
			v.Saw("a session that is full")
		}
		if held > most {
			v.Failf("step %d: the session holds %d bytes of %d", e.Step, held, most)
		}
	}
	failed := false
	for _, e := range t.Events {
		if e.Op == scenario.Save && e.Err == nil && !e.Skipped && e.Broken == nil && e.Saved.Outcome == bounding.SaveFailed {
			failed = true
		}
		if failed && e.Op == scenario.Save && e.Saved.Outcome == bounding.Saved {
			v.Saw("a save after one that failed")
		}
	}
	for e, before := range saves(t) {
		size := int64(len(t.Made[e.Of[0]].Output.Text))
		if l := e.Limits; e.Saved.Outcome == bounding.SessionFull && before+size <= l.SessionBytes && !cancelled(t, e.Step) {
			v.Failf("step %d: %d bytes have no room in a session that holds %d of %d: something that failed takes it", e.Step, size, before, l.SessionBytes)
		}
	}
}

func checkCancelled(t *trace.Trace, v *Verdict) {
	for i, e := range t.Events {
		if e.Op != scenario.Save || e.Skipped || e.Broken != nil || !cancelled(t, e.Step) || t.Made[e.Of[0]].Owner != trace.Session {
			continue
		}
		v.Saw("a cancelled save")
		if e.Err == nil && e.Saved.Outcome == bounding.Saved {
			v.Failf("step %d: the save was cancelled before it began, and is said to be done", e.Step)
		}
		var before []subject.Stored
		for _, earlier := range slices.Backward(t.Events[:i]) {
			if earlier.Stored != nil {
				before = earlier.Stored
				break
			}
		}
		if len(e.Stored) > len(before) {
			v.Failf("step %d: the save was cancelled before it began, and an artifact is there", e.Step)
		}
	}
}

// faultCases make the storage fail in every way before outputs and texts that have to be saved.
func faultCases() supply {
	var list []*script
	l := scenario.Scaled()
	for _, program := range []string{"(fail EIO)", "(fail ENOSPC (op write))", "(short 3 ENOSPC (and (op write) (name \".partial*\")))", "(fail EIO (op sync))",
		"(fail EIO (op syncdir))", "(fail EXDEV (op rename))", "(fail EACCES (op create))", "(fail EROFS (op mkdir create))", "(fail EMFILE (op open opendir))",
		"(fail EIO (nth 12))", "(fail EIO (and (op sync) (nth 2)))", "(fail ENOSPC (beyond 400))", "(panic (op rename))", "(panic (and (op write) (name \".partial*\")))"} {
		for _, status := range []bounding.Status{bounding.Success, bounding.Failed} {
			s := scripted(l)
			s.step(scenario.Step{Op: scenario.Fault, Program: program})
			s.call(700, func(s *scenario.Step) { s.Status = status }).call(9_000).call(10)
			s.step(scenario.Step{Op: scenario.Save, ID: "s", Payload: scenario.Of(300, "s")}, scenario.Step{Op: scenario.Fault},
				scenario.Step{Op: scenario.Save, ID: "t", Payload: scenario.Of(300, "t")})
			list = append(list, s.batch())
		}
		// What failed gives its room back: the rest of the session can be had.
		s := scripted(l)
		s.step(scenario.Step{Op: scenario.Fault, Program: program}, scenario.Step{Op: scenario.Save, ID: "s", Payload: scenario.Of(40_000, "s")},
			scenario.Step{Op: scenario.Fault}, scenario.Step{Op: scenario.Save, ID: "t", Payload: scenario.Of(40_000, "t")},
			scenario.Step{Op: scenario.Save, ID: "u", Payload: scenario.Of(40_000, "u")}, scenario.Step{Op: scenario.Save, ID: "v", Payload: scenario.Of(20_000, "v")})
		list = append(list, s)
	}
	return scripts(list...)
}

func quotaCases() supply {
	var list []*script
	for _, sizes := range [][]int{{40_000}, {40_001}, {39_999}, {40_000, 40_000, 20_000}, {40_000, 40_000, 20_001, 20_000}, {40_000, 40_000, 19_999, 1, 1}, {0, 0}} {
		s := scripted(scenario.Scaled())
		for i, n := range sizes {
			s.step(scenario.Step{Op: scenario.Save, ID: "s" + itoa(i), Payload: scenario.Of(n, "x")})
		}
		list = append(list, s)
	}
	for _, limit := range []int64{0, 1} {
		l := scenario.Scaled()
		l.SessionBytes = limit
		list = append(list, scripted(l).step(scenario.Step{Op: scenario.Save, ID: "a", Payload: scenario.Of(1, "x")}, scenario.Step{Op: scenario.Save, ID: "b", Payload: scenario.Of(1, "x")}))
	}
	return scripts(list...)
}

func cancelCases() supply {
	save := scenario.Step{Op: scenario.Save, ID: "a", Payload: scenario.Of(500, "x")}
	return scripts(
		scripted(scenario.Scaled()).step(scenario.Step{Op: scenario.Cancel}, save),
		scripted(scenario.Scaled()).step(save, scenario.Step{Op: scenario.Cancel}, save, save),
		scripted(scenario.Scaled()).step(scenario.Step{Op: scenario.Cancel}).call(9_000).batch(),
	)
}
