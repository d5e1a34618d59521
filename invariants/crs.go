package invariants

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// crs is about processes and machines that end without a word.
var crs = []Invariant{
	{
		ID: "CRS-1", Level: Must, Requirement: "SPL-3", Needs: []string{subject.CapSpill, subject.CapReopen},
		Statement: "What a history points to is there, whole, after any crash.",
		Witnesses: []string{"read back after a crash that spared everything", "read back after a crash that spared nothing"},
		check:     checkDurable, cases: crashCases(),
	},
	{
		ID: "CRS-2", Level: Must, Requirement: "SPL-3", Needs: []string{subject.CapSpill, subject.CapReopen},
		Statement: "After a crash each artifact is there as a whole or not at all.",
		Witnesses: []string{"artifacts after a crash", "a crash after a save that failed"},
		check:     checkWhole, cases: crashCases(),
	},
	{
		ID: "CRS-3", Level: Must, Requirement: "SPL-3", Needs: []string{subject.CapSpill, subject.CapFault},
		Statement: "What could not be synced is not saved.",
		Witnesses: []string{"a file that could not be synced", "a directory that could not be synced"},
		check:     checkSynced, cases: syncCases(),
	},
	{
		ID: "CRS-4", Level: Must, Requirement: "SPL-3 SPL-5 SPL-6", Needs: []string{subject.CapSpill, subject.CapReopen},
		Statement: "Beginning anew changes nothing: the same artifacts are there, and they count. Crashes, faults, sweeps and time do not break a subject.",
		Witnesses: []string{"two ends in a row", "a session that was full before the crash"},
		check:     checkReopened, cases: crashCases(),
	},
}

func checkDurable(t *trace.Trace, v *Verdict) {
	crashed := -1
	on := failing(t)
	for _, e := range t.Events {
		switch {
		case e.Skipped || e.Broken != nil:
			continue
		case e.Op == scenario.Crash:
			crashed = t.Scenario.Steps[e.Step].Survive
		case e.Op == scenario.Sweep:
			return // what it pointed to may have expired
		}
		if e.Op != scenario.Page && e.Op != scenario.Read || crashed < 0 || t.Scenario.Steps[e.Step].Session != "" || on[e.Step] || cancelled(t, e.Step) {
			continue
		}
		switch crashed {
		case 100:
			v.Saw("read back after a crash that spared everything")
		case 0:
			v.Saw("read back after a crash that spared nothing")
		}
		step := t.Scenario.Steps[e.Step]
		if e.Err != nil && step.Offset >= 0 && step.Limit >= 0 {
			v.Failf("step %d: the artifact of text %d cannot be read after the crash: %.200v", e.Step, e.Of[0], e.Err)
		}
		if len(e.Pages) > 0 && e.Pages[0].Expired {
			v.Failf("step %d: the artifact of text %d is gone after the crash", e.Step, e.Of[0])
		}
	}
	checkReadBackQuietly(t, v)
}

func checkWhole(t *trace.Trace, v *Verdict) {
	sizes := map[int64]bool{}
	byLocator := map[string]int64{}
	several := false // texts of one output: metadata, or parts
	for _, m := range t.Made {
		n := int64(len(rawText(&m.Output)))
		sizes[n] = true
		several = several || len(m.Output.Metadata) > 0 || joined(&m.Output)
		if m.Locator != "" {
			byLocator[m.Locator] = n
		}
	}
	references := slices.ContainsFunc(t.Scenario.Steps, func(s scenario.Step) bool { return s.Op == scenario.Reference })
	failed := false
	for _, e := range t.Events {
		failed = failed || e.Op == scenario.Save && e.Saved.Outcome == bounding.SaveFailed
		if e.Op != scenario.Crash || e.Skipped || e.Broken != nil {
			continue
		}
		if failed {
			v.Saw("a crash after a save that failed")
		}
		for _, s := range e.Stored {
			v.Saw("artifacts after a crash")
			want, known := byLocator[s.Locator]
			switch {
			case several:
			case known && s.Bytes != want:
				v.Failf("step %d: after the crash %s has %d bytes of %d", e.Step, s.Locator, s.Bytes, want)
			case !known && !references && !sizes[s.Bytes]:
				v.Failf("step %d: after the crash there is an artifact of %d bytes, and no text has as many", e.Step, s.Bytes)
			}
		}
	}
}

func checkSynced(t *trace.Trace, v *Verdict) {
	program := ""
	for _, e := range t.Events {
		switch {
		case e.Op == scenario.Fault && e.Err == nil:
			program = t.Scenario.Steps[e.Step].Program
		case e.Op == scenario.Crash:
			program = ""
		}
		file := program == "(fail EIO (op sync))"
		if e.Op != scenario.Save || e.Skipped || e.Broken != nil || e.Err != nil || !file && program != "(fail EIO (op syncdir))" || cancelled(t, e.Step) {
			continue
		}
		if file {
			v.Saw("a file that could not be synced")
		} else {
			v.Saw("a directory that could not be synced")
		}
		if e.Saved.Outcome == bounding.Saved {
			v.Failf("step %d: under %s a text is said to be saved", e.Step, program)
		}
	}
}

func checkReopened(t *trace.Trace, v *Verdict) {
	on := failing(t)
	for i, e := range t.Events {
		switch e.Op {
		case scenario.Crash, scenario.Fault, scenario.Sweep, scenario.Advance:
		default:
			continue
		}
		if e.Broken != nil {
			v.Failf("step %d: %s did not return: %s: %s", e.Step, e.Op, e.Broken.Kind, firstLine(e.Broken.Detail))
			return
		}
		if e.Op != scenario.Crash || e.Skipped || i == 0 {
			continue
		}
		before := t.Events[i-1]
		if before.Op == scenario.Crash {
			v.Saw("two ends in a row")
			if !sameStored(before.Stored, e.Stored) {
				v.Failf("step %d: there were %d artifacts after one end, and %d after the next", e.Step, len(before.Stored), len(e.Stored))
			}
		}
		if before.Op == scenario.Save && before.Saved.Outcome == bounding.Saved && !on[before.Step] {
			if held(before.Stored) == before.Limits.SessionBytes {
				v.Saw("a session that was full before the crash")
			}
			if !sameStored(before.Stored, e.Stored) {
				v.Failf("step %d: there were %d artifacts before the crash, and %d after it", e.Step, len(before.Stored), len(e.Stored))
			}
		}
	}
	checkRoom(t, v.quiet())
}

// quiet is a verdict that fails with this one, and sees nothing.
func (v *Verdict) quiet() *Verdict { return &Verdict{parent: v} }

func held(list []subject.Stored) int64 {
	var n int64
	for _, s := range list {
		n += s.Bytes
	}
	return n
}

func sameStored(a, b []subject.Stored) bool {
	sorted := func(list []subject.Stored) []subject.Stored {
		return slices.SortedFunc(slices.Values(list), func(a, b subject.Stored) int { return strings.Compare(a.Locator, b.Locator) })
	}
	return slices.Equal(sorted(a), sorted(b))
}

// crashCases crash after saves of all kinds, and in the middle of some, with everything, half and nothing spared.
func crashCases() supply {
	var list []*script
	page := func(of int) scenario.Step { return scenario.Step{Op: scenario.Page, Of: of} }
	for _, survive := range []int{100, 50, 0} {
		for seed := range uint64(3) {
			crash := scenario.Step{Op: scenario.Crash, Survive: survive, Seed: seed}
			s := scripted(scenario.Scaled())
			s.call(9_000).step(scenario.Step{Op: scenario.Save, ID: "a", Payload: scenario.Of(300, "a")}, crash, page(0), page(1), crash, crash, page(0), page(1),
				scenario.Step{Op: scenario.Save, ID: "b", Payload: scenario.Of(40_000, "b")}, crash, page(2))
			list = append(list, s)
			full := scripted(scenario.Scaled())
			for i, n := range []int{40_000, 40_000, 20_000} {
				full.step(scenario.Step{Op: scenario.Save, ID: "f" + itoa(i), Payload: scenario.Of(n, "f")})
			}
			list = append(list, full.step(crash, scenario.Step{Op: scenario.Save, ID: "g", Payload: scenario.Of(1, "g")}, page(0), page(1), page(2)))
			for n := 1; n < 36; n++ { // a disk that fails in the middle of a save, and then loses its power
				broken := scripted(scenario.Scaled())
				list = append(list, broken.step(scenario.Step{Op: scenario.Save, ID: "a", Payload: scenario.Of(300, "a")},
					scenario.Step{Op: scenario.Fault, Program: "(fail EIO (from " + itoa(n) + "))"},
					scenario.Step{Op: scenario.Save, ID: "b", Payload: scenario.Of(400, "b")}, crash, page(0),
					scenario.Step{Op: scenario.Save, ID: "c", Payload: scenario.Of(40_000, "c")}, scenario.Step{Op: scenario.Save, ID: "d", Payload: scenario.Of(40_000, "d")},
					scenario.Step{Op: scenario.Crash, Survive: 100}))
			}
		}
	}
	return scripts(list...)
}

func syncCases() supply {
	var list []*script
	for _, program := range []string{"(fail EIO (op sync))", "(fail EIO (op syncdir))"} {
		list = append(list, scripted(scenario.Scaled()).step(scenario.Step{Op: scenario.Fault, Program: program},
			scenario.Step{Op: scenario.Save, ID: "a", Payload: scenario.Of(300, "a")}, scenario.Step{Op: scenario.Save, ID: "b", Payload: scenario.Of(300, "b")}))
	}
	return scripts(list...)
}
