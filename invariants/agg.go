package invariants

import (
	"iter"
	"slices"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// agg is about the results of one message.
var agg = []Invariant{
	{
		ID: "AGG-1", Level: Must, Requirement: "OFF-8", Needs: []string{subject.CapBound, subject.CapBatch},
		Statement: "The results of a message are together within the batch budget, whatever they are.",
		Witnesses: []string{"a message above the budget", "more results than stubs fit"},
		check:     checkSum, cases: batchCases(),
	},
	{
		ID: "AGG-2", Level: Must, Requirement: "OFF-8", Needs: []string{subject.CapBound, subject.CapBatch},
		Statement: "A message within the batch budget, which may be reached exactly, is left as it is.",
		Witnesses: []string{"a message at the budget", "a message below the budget"},
		check:     checkUnderBudget, cases: batchCases(),
	},
	{
		ID: "AGG-3", Level: Must, Requirement: "OFF-8", Needs: []string{subject.CapBound, subject.CapBatch},
		Statement: "The largest results are offloaded first, the earlier of equals.",
		Witnesses: []string{"one of two offloaded", "one of two equals offloaded"},
		check:     checkLargestFirst, cases: batchCases(),
	},
	{
		ID: "AGG-4", Level: Must, Requirement: "OFF-8", Needs: []string{subject.CapBound, subject.CapBatch},
		Statement: "No more is offloaded than has to be: with the last one back, the message would be above the budget.",
		Witnesses: []string{"an offload"},
		check:     checkFewest, cases: batchCases(),
	},
	{
		ID: "AGG-5", Level: Must, Requirement: "OFF-8 WMK-3", Needs: []string{subject.CapBound, subject.CapBatch},
		Statement: "Results keep their order, their calls and their number; none gets longer; bounding a message returns.",
		Witnesses: []string{"a message above the budget", "equal ids"},
		check:     checkOrder, cases: batchCases(),
	},
	{
		ID: "AGG-6", Level: Must, Requirement: "OFF-8", Needs: []string{subject.CapBound, subject.CapBatch},
		Statement: "In which order parallel calls are completed makes no difference.",
		Witnesses: []string{"a message above the budget, completed the other way round"},
		relation:  &relation{otherWayRound, sameResults}, cases: batchCases(),
	},
	{
		ID: "AGG-7", Level: Must, Requirement: "OFF-2 OFF-8", Needs: []string{subject.CapBound, subject.CapBatch},
		Statement: "Everything counts towards the batch budget: errors, exempt tools, stubs, metadata.",
		Witnesses: []string{"above the budget with errors", "above the budget with exempt tools", "above the budget with stubs", "above the budget with metadata"},
		check:     checkAllCount, cases: batchCases(),
	},
	{
		ID: "AGG-8", Level: Must, Requirement: "OFF-8 WMK-1", Needs: []string{subject.CapBound, subject.CapBatch},
		Statement: "Bounding a message touches no message before it.",
		Witnesses: []string{"a message above the budget after another one"},
		check:     checkEarlier, cases: batchCases(),
	},
}

// message is one message that was brought within the batch budget.
type message struct {
	*trace.Event
	passes        []pass
	before, after []int // sizes
	same          bool  // under the limits that its results were bounded under
}

func (m message) sum(sizes []int) int {
	n := 0
	for _, s := range sizes {
		n += s
	}
	return n
}

// over reports whether the message was above the budget.
func (m message) over() bool { return m.Limits.Batch >= 0 && m.sum(m.before) > m.Limits.Batch }

func messages(t *trace.Trace) func(yield func(message) bool) {
	return func(yield func(message) bool) {
		var m message
		for p := range passes(t) {
			if !p.batched {
				continue
			}
			if p.index == 0 {
				m = message{Event: p.Event, same: true}
			}
			m.passes = append(m.passes, p)
			m.before = append(m.before, p.Limits.Unit.Count(p.in.Text))
			m.after = append(m.after, p.size())
			m.same = m.same && p.same
			if p.index == len(p.In)-1 && !yield(m) {
				return
			}
		}
	}
}

func (m message) name() string { return "step " + itoa(m.Step) + ", batch" }

func checkSum(t *trace.Trace, v *Verdict) {
	for m := range messages(t) {
		if m.over() {
			v.Saw("a message above the budget")
			if len(m.before)*200 > m.Limits.Batch {
				v.Saw("more results than stubs fit")
			}
		}
		if n := m.sum(m.after); m.Limits.Batch >= 0 && n > m.Limits.Batch {
			v.Failf("%s: %d results are %d together, and the budget is %d", m.name(), len(m.after), n, m.Limits.Batch)
		}
	}
}

func checkUnderBudget(t *trace.Trace, v *Verdict) {
	for m := range messages(t) {
		if m.over() || !m.same {
			continue
		}
		v.Saw("a message below the budget")
		if m.sum(m.before) == m.Limits.Batch {
			v.Saw("a message at the budget")
		}
		for _, p := range m.passes {
			if p.in.Text != p.out.Text || p.in.State != p.out.State || p.in.Locator != p.out.Locator {
				v.Failf("%s: %d are within the budget of %d, and text %d was changed", m.name(), m.sum(m.before), m.Limits.Batch, p.of)
			}
		}
	}
}

// offloaded reports whether the batch made a stub of a result.
func (p pass) offloaded() bool {
	return p.in.State != bounding.Stubbed && p.out.State == bounding.Stubbed
}

// largestFirst reports whether the message was brought down by offloading alone.
func (m message) largestFirst() bool {
	return m.same && m.Limits.Sharing == bounding.LargestFirst && !slices.ContainsFunc(m.passes, func(p pass) bool {
		return !p.offloaded() && p.in.Text != p.out.Text
	})
}

func checkLargestFirst(t *trace.Trace, v *Verdict) {
	for m := range messages(t) {
		if !m.largestFirst() {
			continue
		}
		for i, p := range m.passes {
			if !p.offloaded() {
				continue
			}
			for j, q := range m.passes {
				if q.in.Text != q.out.Text || q.in.State == bounding.Stubbed || q.in.State == bounding.Raw || m.before[j] <= maxNotice || len(q.made.Output.Metadata) > 0 {
					continue // its stub may be no shorter, or it is metadata that is large
				}
				v.Saw("one of two offloaded")
				if m.before[j] == m.before[i] {
					v.Saw("one of two equals offloaded")
				}
				if m.before[j] > m.before[i] || m.before[j] == m.before[i] && j < i {
					v.Failf("%s: the result %d of %d was offloaded, and the result %d of %d was not", m.name(), i, m.before[i], j, m.before[j])
				}
			}
		}
	}
}

func checkFewest(t *trace.Trace, v *Verdict) {
	for m := range messages(t) {
		if !m.largestFirst() {
			continue
		}
		last := -1
		for i, p := range m.passes {
			if p.offloaded() && (last < 0 || m.before[i] <= m.before[last]) {
				last = i
			}
		}
		if last < 0 {
			continue
		}
		v.Saw("an offload")
		if n := m.sum(m.after) - m.after[last] + m.before[last]; n <= m.Limits.Batch {
			v.Failf("%s: the result %d of %d was offloaded, and without that the message is %d of %d", m.name(), last, m.before[last], n, m.Limits.Batch)
		}
	}
}

func checkOrder(t *trace.Trace, v *Verdict) {
	for _, e := range t.Events {
		if e.Op != scenario.Batch || e.Skipped || e.Limits.Validate() != nil {
			continue
		}
		switch {
		case e.Broken != nil:
			v.Failf("step %d: bounding the message did not return: %s: %s", e.Step, e.Broken.Kind, firstLine(e.Broken.Detail))
			return
		case e.Err != nil:
			v.Failf("step %d: bounding the message returned an error: %.200v", e.Step, e.Err)
			return
		case len(e.In) != len(e.Out):
			v.Failf("step %d: %d results became %d", e.Step, len(e.In), len(e.Out))
			return
		}
	}
	for m := range messages(t) {
		ids := map[string]bool{}
		for i, p := range m.passes {
			if ids[p.in.Call.ID] {
				v.Saw("equal ids")
			}
			ids[p.in.Call.ID] = true
			if p.in.Call.ID != p.out.Call.ID || p.in.Call.Tool != p.out.Call.Tool || p.in.Failed != p.out.Failed {
				v.Failf("%s: the result %d answered %q of %s, and answers %q of %s now", m.name(), i, p.in.Call.ID, p.in.Call.Tool, p.out.Call.ID, p.out.Call.Tool)
			}
			if m.after[i] > m.before[i] {
				v.Failf("%s: the result %d grew from %d to %d", m.name(), i, m.before[i], m.after[i])
			}
		}
		if m.over() {
			v.Saw("a message above the budget")
		}
	}
}

// otherWayRound completes the calls of each message in the other order, and hands them over in the order of the calls.
func otherWayRound(s scenario.Scenario) (scenario.Scenario, bool) {
	steps := slices.Clone(s.Steps)
	found := false
	calls := 0 // of the open message, side by side up to here
	for i, step := range steps {
		switch step.Op {
		case scenario.Call:
			calls++
			continue
		case scenario.Batch:
			if open := steps[i-calls : i]; calls > 1 && step.Order == nil {
				slices.Reverse(open)
				for n := range open {
					steps[i].Order = append(steps[i].Order, calls-1-n)
				}
				found = true
			}
			calls = 0
		case scenario.Tighten, scenario.Read, scenario.Page, scenario.Fault, scenario.Cancel, scenario.Save:
			return s, false // they are about one of the calls, or between two of them
		default:
			if calls > 0 {
				return s, false
			}
		}
	}
	s.Steps = steps
	return s, found
}

// sameResults compares the messages of two runs, but for where things are stored.
func sameResults(a, b *trace.Trace, v *Verdict) {
	var others []message
	for m := range messages(b) {
		others = append(others, m)
	}
	i := 0
	for m := range messages(a) {
		if i >= len(others) {
			return
		}
		o := others[i]
		i++
		if m.over() {
			v.Saw("a message above the budget, completed the other way round")
		}
		for j, p := range m.passes {
			if j >= len(o.passes) || p.in.Outcome != o.passes[j].in.Outcome {
				return // the store was full sooner
			}
			// Where things are stored differs, in names of equal length.
			if was, is := p.out, o.passes[j].out; m.after[j] != o.after[j] || was.State != is.State || p.whole() != o.passes[j].whole() {
				v.Failf("%s: the result %d is %v of %d, and %v of %d when the calls are completed the other way round",
					m.name(), j, was.State, m.after[j], is.State, o.after[j])
			}
		}
	}
}

func checkAllCount(t *trace.Trace, v *Verdict) {
	for m := range messages(t) {
		if m.over() {
			for _, p := range m.passes {
				switch {
				case p.in.Failed:
					v.Saw("above the budget with errors")
				case p.tool.Exempt:
					v.Saw("above the budget with exempt tools")
				case p.in.State == bounding.Stubbed:
					v.Saw("above the budget with stubs")
				}
				if len(p.made.Output.Metadata) > 0 {
					v.Saw("above the budget with metadata")
				}
			}
		}
		if n := m.sum(m.after); m.Limits.Batch >= 0 && n > m.Limits.Batch {
			v.Failf("%s: with errors, exempt tools, stubs and metadata the results are %d, and the budget is %d", m.name(), n, m.Limits.Batch)
		}
	}
}

func checkEarlier(t *trace.Trace, v *Verdict) {
	for m := range messages(t) {
		if m.over() && len(m.Event.Before.Messages) > 0 {
			v.Saw("a message above the budget after another one")
		}
		for i, was := range m.Event.Before.Messages {
			if i >= len(m.Event.After.Messages) || !subject.SameMessage(was, m.Event.After.Messages[i]) {
				v.Failf("%s: the message %d, which was complete before, is another one now", m.name(), i)
			}
		}
	}
}

// batchCases are messages around the budget, with everything in them that could be left out of the sum.
func batchCases() supply {
	return func(Effort) iter.Seq[scenario.Scenario] {
		return func(yield func(scenario.Scenario) bool) {
			l := scenario.Scaled()
			l.Threshold, l.Headroom, l.Preview, l.Batch = 4_000, 400, 200, 9_000
			l.Tools["shell"] = bounding.Tool{Budget: 4_000}
			kinds := []func(*scenario.Step){func(*scenario.Step) {}, asFailed, byTool("read_file"), func(s *scenario.Step) { s.Payload = scenario.Of(20_000, "y") },
				func(s *scenario.Step) { s.Metadata = []scenario.Payload{scenario.Of(900, "m")} }}
			sets := [][]int{{3_000, 3_000, 2_999}, {3_000, 3_000, 3_000}, {3_000, 3_000, 3_001}, {4_000, 4_000, 4_000}, {4_000, 3_000, 2_500}, {1, 4_000, 4_000, 4_000},
				{4_000, 4_000, 4_000, 4_000, 4_000, 4_000}, {2_000, 4_000, 2_500, 1_500}, {8_999}, {9_000}, {9_001}, {30_000, 30_000}}
			for _, sizes := range sets {
				for _, kind := range kinds {
					s := scripted(l).old(500)
					for i, n := range sizes {
						if i == 0 {
							s.call(n, kind)
						} else {
							s.call(n)
						}
					}
					if !yield(s.batch().Scenario) {
						return
					}
				}
			}
			for _, n := range []int{12, 60, 100} { // more results than stubs fit
				s := scripted(l)
				for range n {
					s.call(3_000, func(s *scenario.Step) { s.ID = "same" })
				}
				if !yield(s.batch().Scenario) {
					return
				}
			}
			full := scripted(bounding.Strict())
			for range 9 {
				full.call(24_000)
			}
			yield(full.batch().Scenario)
		}
	}
}
