package invariants

import (
	"slices"
	"time"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// pro is about what a checkpoint must leave alone.
var pro = []Invariant{
	{
		ID: "PRO-1", Level: Must, Requirement: "WMK-2 WMK-4", Needs: []string{subject.CapClear},
		Statement: "The newest K committed results that could be cleared are kept, and only these: pending results, errors, placeholders and results without text take no place, and media-only results take one on the idle and the forced path alone.",
		Witnesses: []string{"newer pending", "newer error", "newer placeholder", "newer empty", "newer media-only on the size path", "media-only in the window"},
		check:     checkWindow, cases: windowCases(),
	},
	{
		ID: "PRO-2", Level: Must, Requirement: "WMK-1 WMK-2", Needs: []string{subject.CapClear},
		Statement: "Pending results count towards the watermark and are never cleared.",
		Witnesses: []string{"fires for the pending results alone", "all above the target is pending", "forced with pending results"},
		check:     checkPending, cases: pendingCases(),
	},
	{
		ID: "PRO-3", Level: Must, Requirement: "WMK-2", Needs: []string{subject.CapClear},
		Statement: "K below 1 keeps the newest result as K of 1 does, and with K of at least the number of results none is cleared.",
		Witnesses: []string{"K of 1", "K is all results", "K is more"},
		check:     checkKeep, cases: keepCases(),
	},
}

func checkWindow(t *trace.Trace, v *Verdict) {
	for c := range clearings(t) {
		if len(c.want.Cleared) == 0 && c.want.Reason != bounding.SizePath {
			continue
		}
		idle := !c.onSize
		window := c.protected(idle)
		oldest := len(c.slots)
		for i := range window {
			oldest = min(oldest, i)
			if idle && c.slots[i].Kind == bounding.ResultSlot && c.slots[i].Units == 0 {
				v.Saw("media-only in the window")
			}
			if slices.Contains(c.changed, i) {
				v.Failf("step %d: %s is among the newest %d, and was cleared", c.Step, c.name(i), max(c.Limits.Watermark.Keep, 1))
			}
		}
		for _, s := range c.slots[min(oldest+1, len(c.slots)):] {
			switch {
			case s.Kind != bounding.ResultSlot:
			case s.Pending:
				v.Saw("newer pending")
			case s.Failed:
				v.Saw("newer error")
			case s.Cleared:
				v.Saw("newer placeholder")
			case s.Units == 0 && s.Media == 0:
				v.Saw("newer empty")
			case s.Units == 0 && !idle:
				v.Saw("newer media-only on the size path")
			}
		}
		// What had to go and stayed was kept by a place that nobody may have.
		for _, i := range c.want.Cleared {
			if !slices.Contains(c.changed, i) {
				v.Failf("step %d: %s is not among the newest %d that could be cleared, and was kept", c.Step, c.name(i), max(c.Limits.Watermark.Keep, 1))
			}
		}
	}
}

func checkPending(t *trace.Trace, v *Verdict) {
	for c := range clearings(t) {
		if c.want.Pending > 0 && c.want.Reason == bounding.SizePath {
			if c.total()-c.want.Pending <= c.Limits.Watermark.High {
				v.Saw("fires for the pending results alone")
			}
			if c.want.Pending > c.low() {
				v.Saw("all above the target is pending")
			}
			if len(c.want.Cleared) > 0 && !c.fired() {
				v.Failf("step %d: the total of %d, of which %d pending, is above %d, and nothing was cleared", c.Step, c.total(), c.want.Pending, c.Limits.Watermark.High)
			}
		}
		for i, s := range c.slots {
			if !s.Pending {
				continue
			}
			if c.At.Trigger == bounding.OnDemand {
				v.Saw("forced with pending results")
			}
			if slices.Contains(c.changed, i) {
				v.Failf("step %d: %s is pending, and was cleared", c.Step, c.name(i))
			}
		}
	}
}

func checkKeep(t *trace.Trace, v *Verdict) {
	for c := range clearings(t) {
		if len(c.want.Cleared) == 0 && c.want.Reason != bounding.SizePath && c.At.Trigger != bounding.OnDemand {
			continue
		}
		claims, newest := 0, -1
		for i, s := range c.slots {
			if counted(s) > 0 && !s.Pending && !s.Protected {
				claims++
				newest = i
			}
		}
		keep := c.Limits.Watermark.Keep
		switch {
		case claims < 2:
		case keep == 1:
			v.Saw("K of 1")
		case keep == claims:
			v.Saw("K is all results")
		case keep > claims:
			v.Saw("K is more")
		}
		if newest >= 0 && c.onSize && slices.Contains(c.changed, newest) {
			v.Failf("step %d: K is %d, and the newest result, %s, was cleared", c.Step, keep, c.name(newest))
		}
		if keep < 1 && len(c.changed) < len(c.want.Cleared) {
			v.Failf("step %d: K is %d and keeps one; %d results were cleared, want %d", c.Step, keep, len(c.changed), len(c.want.Cleared))
		}
		for _, i := range c.changed {
			if s := c.slots[i]; keep >= claims && c.onSize && counted(s) > 0 {
				v.Failf("step %d: K is %d, there are %d results that could be cleared, and %s was", c.Step, keep, claims, c.name(i))
			}
		}
	}
}

// windowCases put in front of an old result everything that may look like a newer one.
func windowCases() supply {
	var list []*script
	for _, newer := range []func(s *script){
		func(s *script) { s.due(60) },
		func(s *script) { s.call(60, asFailed).sent() },
		func(s *script) { s.call(0).sent() },
		func(s *script) { s.call(0, withMedia(1)).sent() },
		func(s *script) { s.call(60, asProtected).sent() },
		func(s *script) { s.call(60, asFailed, withMedia(1)).sent() },
	} {
		for _, check := range []func(s *script){
			func(s *script) { s.turn() }, func(s *script) { s.query(time.Hour) }, func(s *script) { s.force() },
		} {
			s := scripted(clearLimits(160, 1)).old(100, 81)
			newer(s)
			check(s)
			list = append(list, s)
		}
	}
	return scripts(append(list,
		scripted(clearLimits(160, 1)).old(100, 81).force().due(100).turn(),
		scripted(clearLimits(160, 1)).old(60, 100).force().old(90, 90).turn().force(),
		scripted(clearLimits(100, 1)).old(60).call(60, asProtected).sent().old(10, 40).turn(),
		scripted(clearLimits(100, 1)).old(60).call(0, withMedia(1)).sent().query(time.Hour).old(50).turn().due(60).turn(),
		scripted(clearLimits(250, 5)).old(50, 50, 50, 50, 50, 50).due(60, 60, 60, 60, 60).turn(),
		clearedOutOfOrder(2, 100),
		clearedOutOfOrder(2, 100, 90),
	)...)
}

// clearedOutOfOrder has a placeholder that is newer than results with text: those were of a tool whose results are never
// cleared, until other limits say otherwise.
func clearedOutOfOrder(keep int, fixed ...int) *script {
	looser := clearLimits(1_000, 1)
	looser.Tools = map[string]bounding.Tool{plain: {Fixed: true}}
	s := scripted(looser).old(fixed...).call(60, byTool("other")).call(50, byTool("other")).sent().force()
	tight := clearLimits(100, keep)
	return s.step(scenario.Step{Op: scenario.SetLimits, Limits: &tight}).turn()
}

func pendingCases() supply {
	return scripts(
		scripted(clearLimits(200, 1)).old(80, 80).due(41).turn(),
		scripted(clearLimits(200, 1)).old(80, 80).due(40).turn(),
		scripted(clearLimits(200, 1)).due(100, 101).turn(),
		scripted(clearLimits(200, 1)).old(50, 60).due(100, 101).turn(),
		scripted(clearLimits(200, 1)).old(50, 60).due(100, 101).force(),
		scripted(clearLimits(200, 1)).old(50, 60).call(100).call(0, withMedia(2)).batch().query(time.Hour),
	)
}

// keepCases set K when the results are there, because limits with K below 1 may be refused from the beginning.
func keepCases() supply {
	var list []*script
	for _, keep := range []int{-1, 0, 1, 2, 3, 4} {
		keeps := clearLimits(150, keep)
		set := scenario.Step{Op: scenario.SetLimits, Limits: &keeps}
		list = append(list,
			scripted(clearLimits(150, 1)).old(60, 60, 60).step(set).turn(),
			scripted(clearLimits(150, 1)).old(60, 60, 60).due(70).step(set).turn(),
			scripted(clearLimits(150, 1)).old(60, 60, 60).step(set).force())
	}
	return scripts(list...)
}
