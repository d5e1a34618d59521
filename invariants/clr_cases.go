package invariants

import (
	"iter"
	"time"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/scenario"
)

type supply = func(Effort) iter.Seq[scenario.Scenario]

// triggerCases are totals one below, at and one above the watermark, by what was sent and by what is about to be.
func triggerCases() supply {
	var list []*script
	for _, last := range []int{99, 100, 101} {
		list = append(list,
			scripted(clearLimits(200, 1)).old(100, last).turn(),
			scripted(clearLimits(200, 1)).old(100).due(last).turn(),
			scripted(clearLimits(200, 1)).old(100, last).query(bounding.NoGap),
			scripted(clearLimits(200, 1)).old(100, last).query(time.Hour-1))
	}
	return scripts(append(list,
		scripted(clearLimits(0, 1)).old(100, 100).turn(),
		scripted(clearLimits(0, 1)).old(0).turn(),
		scripted(clearLimits(1, 1)).old(40, 40).turn(),
		scripted(clearLimits(bounding.Unlimited, 1)).old(100, 100).turn(),
		scripted(clearLimits(200, 1)).call(300, asFailed).sent().old(100, 100).turn(),
		scripted(clearLimits(200, 1)).old(100, 100, 100).turn().old(50).turn().old(51, 100).turn(),
	)...)
}

// targetCases end one below, on and one above half the watermark, for even and odd watermarks.
func targetCases() supply {
	var list []*script
	for _, high := range []int{200, 201} {
		for _, newest := range []int{99, 100, 101} {
			list = append(list,
				scripted(clearLimits(high, 1)).old(81, 41, 40, newest).turn(),
				scripted(clearLimits(high, 1)).old(60, 60, 50, newest-50, 50).turn(),
				scripted(clearLimits(high, 1)).old(81, 41, 40).due(newest).turn())
		}
	}
	return scripts(append(list,
		scripted(clearLimits(161, 1)).old(81, 41, 40).turn(),
		scripted(clearLimits(200, 2)).old(50).call(60, asFailed).sent().old(80, 90, 20, 10).turn(),
		scripted(clearLimits(200, 3)).old(100, 100, 100).due(100).turn(),
		scripted(clearLimits(200, 1)).call(100, asProtected).sent().old(100, 40, 60).turn(),
		scripted(clearLimits(200, 1)).call(50).call(50).call(50).call(60).sent().turn(),
	)...)
}

func untouchedCases() supply {
	remark := func(s *scenario.Step) { s.Metadata = []scenario.Payload{scenario.Of(10, "m")} }
	says := scenario.Step{Op: scenario.User, Payload: scenario.Of(5, "q"), Media: 2}
	return scripts(
		scripted(clearLimits(200, 1)).step(says).call(100, withMedia(2)).call(100).sent().old(50).turn(),
		scripted(clearLimits(200, 1)).call(100, remark).sent().step(says).old(120, 40).turn(),
		scripted(clearLimits(200, 1)).step(says).old(100, 50).step(says).query(time.Hour),
		scripted(clearLimits(200, 1)).call(100, asFailed, remark).call(150, remark, withMedia(1)).call(60).sent().force(),
		scripted(clearLimits(1_000, 1)).call(5_000).call(900).sent().due(500).turn(),
	)
}

func idempotentCases() supply {
	return scripts(
		scripted(clearLimits(200, 1)).old(100, 100, 100).turn().turn(),
		scripted(clearLimits(200, 2)).old(100, 100, 100, 100).turn().turn().old(100).turn().turn(),
		scripted(clearLimits(200, 1)).old(100, 100).query(time.Hour).query(time.Hour).old(150).turn(),
		scripted(clearLimits(200, 1)).old(100, 100).force().force().due(150).turn().turn(),
		scripted(clearLimits(200, 1)).call(5_000).sent().old(100, 100).force().force().old(200, 200).turn(),
	)
}

// shrinkCases are texts around the length of the placeholder, with and without a locator in it.
func shrinkCases() supply {
	n := len(bounding.ClearedText)
	var list []*script
	for _, first := range []int{1, n - 1, n, n + 1, n + 2} {
		list = append(list,
			scripted(clearLimits(100, 1)).old(first, 60, 80).turn(),
			scripted(clearLimits(100, 1)).old(first, 60, 80).force(),
			scripted(clearLimits(100, 1)).call(first, withMedia(1)).sent().old(60, 80).force())
	}
	return scripts(append(list,
		scripted(clearLimits(100, 1)).call(5_000).sent().old(80).turn(),
		scripted(clearLimits(100, 1)).call(0, saying(bounding.ClearedText)).sent().old(80, 90).turn(),
		scripted(clearLimits(100, 1)).call(0, saying(bounding.ClearedText+" It is in x")).sent().old(80, 90).turn(),
	)...)
}

func reportCases() supply {
	forged := saying(bounding.ClearedText + " It is in x")
	return scripts(
		scripted(clearLimits(150, 1)).call(0, forged).sent().old(80, 90).turn(),
		scripted(clearLimits(200, 1)).old(100, 80).due(70).turn(),
		scripted(clearLimits(200, 1)).old(100, 80).query(time.Hour),
		scripted(clearLimits(200, 1)).call(0, withMedia(2)).call(90, withMedia(1)).sent().old(80).due(30).query(2*time.Hour),
		scripted(clearLimits(200, 1)).old(100, 80).force(),
		scripted(clearLimits(bounding.Unlimited, 1)).old(100, 80).due(10).force(),
		scripted(clearLimits(200, 2)).old(100, 80).due(70).turn().step(scenario.Step{Op: scenario.Commit}).due(90).turn(),
	)
}

func mediaCases() supply {
	says := scenario.Step{Op: scenario.User, Media: 3}
	return scripts(
		scripted(clearLimits(200, 1)).call(0, withMedia(1)).sent().old(100, 120, 50).turn(),
		scripted(clearLimits(200, 1)).call(300, asFailed, withMedia(1)).sent().old(100, 120, 50).turn(),
		scripted(clearLimits(200, 1)).call(0, withMedia(1)).sent().call(0, withMedia(1)).sent().query(time.Hour),
		scripted(clearLimits(200, 2)).call(0, withMedia(1)).call(0, withMedia(2)).call(0, withMedia(1)).sent().force(),
		scripted(clearLimits(200, 1)).old(50).call(40, asFailed, withMedia(1)).sent().call(0, withMedia(1)).sent().query(time.Hour),
		scripted(clearLimits(200, 2)).step(says).old(50).query(time.Hour),
		scripted(clearLimits(200, 1)).call(60, withMedia(1), byTool("enter_plan_mode")).call(60, withMedia(1), byTool("enter_plan_mode")).sent().force(),
	)
}

func disabledCases() supply {
	off := clearLimits(bounding.Unlimited, 1)
	off.Watermark.IdleAfter = bounding.Never
	full := bounding.Strict()
	full.Watermark.High, full.Watermark.IdleAfter = bounding.Unlimited, bounding.Never
	large := scripted(full)
	for range 26 {
		large.call(25_000).sent().turn()
	}
	return scripts(
		scripted(off).old(100, 900, 2_100, 5_000).query(48*time.Hour).due(100).turn(),
		scripted(off).call(0, withMedia(2)).step(scenario.Step{Op: scenario.Batch}, scenario.Step{Op: scenario.Commit},
			scenario.Step{Op: scenario.User, Media: 2}).old(50).query(48*time.Hour).
			step(scenario.Step{Op: scenario.Checkpoint, Trigger: bounding.MemoryPressure}),
		large.query(48*time.Hour),
	)
}
