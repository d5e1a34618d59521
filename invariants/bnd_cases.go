package invariants

import (
	"iter"
	"slices"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/text"
	"github.com/boundcheck/boundcheck/invariants/scenario"
)

// one is a scenario of one call, which is tightened and becomes a message of its own.
func one(l bounding.Limits, tool string, payload scenario.Payload, change ...func(*scenario.Step)) *script {
	s := scripted(l)
	s.call(0, append([]func(*scenario.Step){byTool(tool), func(s *scenario.Step) { s.Payload = payload }}, change...)...)
	return s.step(scenario.Step{Op: scenario.Tighten}).batch()
}

// around are the sizes just below, at, and just above a limit.
func around(n int) []int { return []int{max(0, n-1), n, n + 1} }

// every joins supplies.
func every(list ...supply) supply {
	return func(e Effort) iter.Seq[scenario.Scenario] {
		return func(yield func(scenario.Scenario) bool) {
			for _, s := range list {
				for sc := range s(e) {
					if !yield(sc) {
						return
					}
				}
			}
		}
	}
}

var sentinels = func() []string {
	var list []string
	for _, u := range scenario.Units {
		if looksBounded(u.Text) {
			list = append(list, u.Text)
		}
	}
	return list
}()

// boundCases have outputs around every bound, and far above it, with what looks bounded at their beginning and end.
func boundCases() supply {
	var list []*script
	l := scenario.Scaled()
	for _, tool := range []string{"look_up", "shell", "agent", "mcp__x", "read_file"} {
		sizes := []int{10_000}
		if b := l.Budget(l.Tool(tool)); b >= 0 {
			sizes = slices.Concat(sizes, around(b), around(2*b), around(l.Threshold+l.Headroom), []int{3 * b})
		}
		for _, n := range sizes {
			list = append(list, one(l, tool, scenario.Of(n, "x")), one(l, tool, scenario.Of(n, "x"), func(s *scenario.Step) { s.Bounded = true }))
		}
		for _, sign := range sentinels {
			list = append(list,
				one(l, tool, slices.Concat(scenario.Of(1, sign), scenario.Of(5_000, "x"))),
				one(l, tool, slices.Concat(scenario.Of(5_000, "x"), scenario.Of(1, sign))),
				one(l, tool, scenario.Of(3_000/len(sign)+1, sign)))
		}
	}
	full := bounding.Strict()
	list = append(list, one(full, "shell", scenario.Of(100_001, "x")), one(full, "look_up", scenario.Of(28_001, "x")),
		one(full, "mcp__server__tool", scenario.Of(500_001, "x")))
	return scripts(list...)
}

// limitCases are around the budget, the gate and the line cap, in each unit.
func limitCases() supply {
	var list []*script
	l := scenario.Scaled()
	l.Threshold, l.Headroom, l.Lines, l.Preview = 1_600, 200, 20, 400
	l.Tools["shell"] = bounding.Tool{Budget: 1_700}
	for _, tool := range []string{"look_up", "shell"} {
		for _, n := range slices.Concat(around(l.Budget(l.Tool(tool))), around(l.Threshold+l.Headroom), []int{1, 0, 4_000}) {
			list = append(list, one(l, tool, scenario.Of(n, "x")), one(l, tool, slices.Concat(scenario.Of(n/2, "a"), scenario.Of(n-n/2, "b"))))
		}
		for _, lines := range around(l.Lines) {
			list = append(list, one(l, tool, scenario.Of(lines, "a line that is long enough to count, and more of it, and more of it\n")))
		}
		list = append(list, one(l, tool, scenario.Of(30, "a line of a log that has more lines than fit\n")))
	}
	two := scripted(l)
	two.call(0, saying("the first output, which is another one")).call(0, func(s *scenario.Step) {
		s.Payload = slices.Concat(scenario.Of(1, "the second output begins"), scenario.Of(5_000, "y"), scenario.Of(1, "the second output ends"))
	}).batch()
	list = append(list, two)
	full := bounding.Strict()
	for _, n := range slices.Concat(around(25_000), around(28_000)) {
		list = append(list, one(full, "look_up", scenario.Of(n, "x")))
	}
	for _, n := range around(1_000) {
		list = append(list, one(full, "look_up", scenario.Of(n, "line\n")))
	}
	return scripts(list...)
}

// previewCases have budgets that are too small for anything.
func previewCases() supply {
	return func(e Effort) iter.Seq[scenario.Scenario] {
		return func(yield func(scenario.Scenario) bool) {
			for preview := range 41 {
				for _, threshold := range []int{0, 1, 12, 40, 100, 300} {
					l := scenario.Scaled()
					l.Threshold, l.Headroom, l.Preview = threshold, preview%3*5, preview
					for _, payload := range []scenario.Payload{scenario.Of(threshold+l.Headroom+1, "x"), scenario.Of(700, "é"), scenario.Of(90, "😀\r\n")} {
						if !yield(one(l, "look_up", payload).Scenario) {
							return
						}
					}
				}
			}
			for n := range 37 { // every length, for a small budget
				l := scenario.Scaled()
				l.Threshold, l.Headroom, l.Preview = 12, 6, 3
				if !yield(one(l, "look_up", scenario.Of(n, "x")).Scenario) {
					return
				}
			}
		}
	}
}

func exemptCases() supply {
	var list []*script
	l := scenario.Scaled()
	l.Tools["pages"] = bounding.Tool{Budget: 900, Exempt: true}
	for _, n := range slices.Concat(around(900), []int{3_000}) {
		list = append(list, one(l, "pages", scenario.Of(n, "x")))
	}
	for _, n := range slices.Concat(around(l.Batch), []int{9_000}) {
		list = append(list, one(l, "read_file", scenario.Of(n, "x")))
		two := scripted(l)
		list = append(list, two.call(n, byTool("read_file")).call(n, byTool("read_file")).batch())
	}
	return scripts(list...)
}

func emptyCases() supply {
	var list []*script
	l := scenario.Scaled()
	for _, payload := range []scenario.Payload{nil, scenario.Of(1, " \n\t"), scenario.Of(700, "x"), scenario.Of(3_000, "x"), scenario.Of(4_000, " "), scenario.Of(1, "x")} {
		for media := range 3 {
			list = append(list, one(l, "look_up", payload, withMedia(media)),
				one(l, "look_up", payload, withMedia(media), func(s *scenario.Step) { s.Nested = true; s.More = []scenario.Payload{scenario.Of(5, "more ")} }))
		}
	}
	return scripts(list...)
}

func errorCases() supply {
	var list []*script
	l := scenario.Scaled()
	for status := bounding.Success; status <= bounding.Cancelled; status++ {
		for _, n := range []int{0, 10, 600, 601, 672, 673, 1_200, 1_201, 9_000} {
			list = append(list, one(l, "look_up", scenario.Of(n, "x"), func(s *scenario.Step) { s.Status = status }))
		}
	}
	return scripts(list...)
}

// unitCases are texts at a limit that count differently in each unit.
func unitCases() supply {
	var list []*script
	for _, unit := range []text.Unit{text.UTF16, text.Bytes, text.Runes} {
		l := scenario.Scaled()
		l.Unit = unit
		for _, piece := range []string{"é", "€", "😀", "\xff"} {
			size := unit.Count(piece)
			for _, n := range around(l.Threshold / size) {
				list = append(list, one(l, "look_up", scenario.Of(n, piece)))
			}
			list = append(list, one(l, "look_up", slices.Concat(scenario.Of((l.Threshold-1)/size, piece), scenario.Of((l.Threshold-1)%size+1, "x"))),
				one(l, "look_up", scenario.Of(3_000, piece)))
		}
	}
	return scripts(list...)
}
