package invariants

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// pfx is about what a prompt cache relies on: that the beginning of a request is that of the one before.
var pfx = []Invariant{
	{
		ID: "PFX-1", Level: Must, Requirement: "WMK-1", Needs: []string{subject.CapClear},
		Statement: "A checkpoint that has nothing to clear hands back the history as it was, in every byte.",
		Witnesses: []string{"a quiet checkpoint of a history with results"},
		check:     checkQuiet, cases: quietCases(),
	},
	{
		ID: "PFX-2", Level: Must, Requirement: "WMK-1", Needs: []string{subject.CapClear},
		Statement: "Between two firings each request begins with the whole request before it.",
		Witnesses: []string{"a longer request with no firing between", "a request after a firing"},
		check:     checkRequests, cases: quietCases(),
	},
	{
		ID: "PFX-3", Level: Must, Requirement: "WMK-1 WMK-3", Needs: []string{subject.CapClear},
		Statement: "What changes first in a firing is the oldest result that it clears.",
		Witnesses: []string{"something before the oldest cleared", "something older was cleared before"},
		check:     checkFirstChange, cases: quietCases(),
	},
	{
		ID: "PFX-4", Level: Must, Requirement: "WMK-1 WMK-8", Needs: []string{subject.CapClear},
		Statement: "As long as what is pending, protected or too small to clear fits under the target, a firing needs as much new text as lies between the target and the watermark.",
		Witnesses: []string{"several firings under the condition"},
		check:     checkAmortised, cases: amortisedCases(),
	},
	{
		ID: "PFX-5", Level: Must, Requirement: "WMK-8", Needs: []string{subject.CapClear},
		Statement: "A session of equal results fires at exactly the steps that the arithmetic gives: 167 results of 25,500 fire 14 times. One whose kept results fill the watermark fires at two checkpoints in a row and then rests.",
		Witnesses: []string{"14 rewrites", "two in a row, then rest"},
		check:     checkRightValues, cases: rightValueCases(),
	},
	{
		ID: "PFX-6", Level: Must, Requirement: "WMK-1 WMK-3", Needs: []string{subject.CapClear},
		Statement: "What was sent changes its form at most once, and then to a placeholder.",
		Witnesses: []string{"a result cleared, and sent again", "a result sent again as it was"},
		check:     checkForms, cases: quietCases(),
	},
	{
		ID: "PFX-7", Level: Must, Requirement: "WMK-1 UNI-3", Needs: []string{subject.CapClear},
		Statement: "The same session gives the same history a second time, but for locators: nothing in it comes from the time or from chance.",
		Witnesses: []string{"a history with a stub and a placeholder"},
		relation:  &relation{again, sameHistories}, cases: quietCases(),
	},
}

func checkQuiet(t *trace.Trace, v *Verdict) {
	for c := range clearings(t) {
		if len(c.want.Cleared) > 0 {
			continue
		}
		if len(c.slots) > 0 {
			v.Saw("a quiet checkpoint of a history with results")
		}
		if len(c.After.Messages) != len(c.Before.Messages) {
			v.Failf("step %d: nothing was to be cleared, and %d messages became %d", c.Step, len(c.Before.Messages), len(c.After.Messages))
			return
		}
		for i, m := range c.Before.Messages {
			if !subject.SameMessage(m, c.After.Messages[i]) {
				v.Failf("step %d: nothing was to be cleared, and message %d changed", c.Step, i)
			}
		}
	}
}

// sent is a history as it reaches the model: the messages as bytes.
func sent(h subject.History) []string {
	var list []string
	for _, m := range h.Messages {
		var b strings.Builder
		field := func(s string) { b.WriteString(itoa(len(s)) + ":" + s) }
		field(m.Role.String())
		field(m.Text)
		media := func(all []bounding.Media) {
			for _, medium := range all {
				field(medium.Type)
				value, _ := medium.Value.(string)
				field(value)
			}
		}
		media(m.Media)
		for _, c := range m.Calls {
			field(c.ID)
			field(c.Tool)
		}
		for _, r := range m.Results {
			field(r.Call.ID)
			field(r.Text)
			media(r.Media)
		}
		list = append(list, b.String())
	}
	return list
}

func checkRequests(t *trace.Trace, v *Verdict) {
	if otherwise(t) {
		return
	}
	var last []string
	for c := range clearings(t) {
		request := sent(c.After)
		if last != nil && len(c.want.Cleared) > 0 {
			v.Saw("a request after a firing")
		}
		if last != nil && len(c.want.Cleared) == 0 {
			if len(request) > len(last) {
				v.Saw("a longer request with no firing between")
			}
			if len(request) < len(last) || !slices.Equal(request[:len(last)], last) {
				v.Failf("step %d: nothing was to be cleared, and the request does not begin with the one before it", c.Step)
			}
		}
		last = request
	}
}

func checkFirstChange(t *trace.Trace, v *Verdict) {
	gone := map[place]bool{}
	for c := range clearings(t) {
		if len(c.want.Cleared) == 0 {
			continue
		}
		oldest := c.places[c.want.Cleared[0]]
		if oldest.message > 1 || oldest.index > 0 {
			v.Saw("something before the oldest cleared")
		}
		for p := range gone {
			if p.message < oldest.message {
				v.Saw("something older was cleared before")
			}
		}
		before, after := sent(c.Before), sent(c.After)
		for i := range before {
			if i >= len(after) || before[i] == after[i] {
				continue
			}
			if i < oldest.message {
				v.Failf("step %d: message %d changed, and the oldest result to clear is in message %d", c.Step, i, oldest.message)
			}
			for j, r := range c.Before.Messages[i].Results {
				if i == oldest.message && j < oldest.index && j < len(c.After.Messages[i].Results) && r.Text != c.After.Messages[i].Results[j].Text {
					v.Failf("step %d: result %d of message %d changed, and the oldest to clear is result %d", c.Step, j, i, oldest.index)
				}
			}
			break
		}
		for _, i := range c.changed {
			gone[c.places[i]] = true
		}
	}
}

func checkAmortised(t *trace.Trace, v *Verdict) {
	firings, appended, largest, waste, most := 0, 0, 0, 0, 0
	var high, low, keep int
	first := true
	seen := map[place]bool{}
	for c := range clearings(t) {
		w := c.Limits.Watermark
		if first {
			high, low, keep, first = w.High, w.Low(), max(w.Keep, 1), false
		}
		if w.High != high || max(w.Keep, 1) != keep || w.High < 0 {
			return
		}
		small := 0
		for i, s := range c.slots {
			if n := counted(s); n > 0 {
				largest = max(largest, n)
				if !seen[c.places[i]] {
					appended += n
				}
				if n <= s.Placeholder && s.Media == 0 || s.Protected {
					small += n
				}
			}
			seen[c.places[i]] = true
		}
		waste, most = max(waste, small), max(most, c.want.Pending)
		if c.onSize && c.fired() {
			firings++
		}
	}
	if first || high <= low || most+keep*largest+waste > low {
		return
	}
	if firings > 1 {
		v.Saw("several firings under the condition")
	}
	if limit := 1 + appended/(high-low); firings > limit {
		v.Failf("%d firings for %d units of new text, where each needs %d: at most %d", firings, appended, high-low, limit)
	}
}

// checkRightValues holds sessions of equal results, each checked while it is pending and sent then, against the arithmetic.
func checkRightValues(t *trace.Trace, v *Verdict) {
	checkUniform(t, v)
	checkSaturated(t, v)
}

func checkUniform(t *trace.Trace, v *Verdict) {
	steps := t.Scenario.Steps
	if len(steps) == 0 || len(steps)%4 != 0 {
		return
	}
	for i, s := range steps {
		if s.Op != [...]scenario.Op{scenario.Call, scenario.Batch, scenario.Checkpoint, scenario.Commit}[i%4] ||
			s.Op == scenario.Checkpoint && s.Trigger != bounding.BeforeToolTurn {
			return
		}
	}
	w := t.Scenario.Limits.Watermark
	size, n := -1, 0
	var fired []int
	for c := range clearings(t) {
		s := c.slots[len(c.slots)-1]
		if size >= 0 && s.Units != size || counted(s) == 0 || s.Media > 0 || s.Protected || s.Units <= s.Placeholder {
			return
		}
		size = s.Units
		if c.fired() {
			fired = append(fired, n)
		}
		n++
	}
	if n != len(steps)/4 || w.High < 0 {
		return
	}
	first, left := w.High/size+1, w.Low()/size
	if max(w.Keep, 1)+1 > left {
		return
	}
	var want []int
	for i := first - 1; i < n; i += first - left {
		want = append(want, i)
	}
	if !slices.Equal(fired, want) {
		v.Failf("%d results of %d units fired %d times, at %v, want %d times, at %v", n, size, len(fired), brief(fired), len(want), brief(want))
		return
	}
	if n == 167 && size == 25_500 && len(fired) == 14 {
		v.Saw("14 rewrites")
	}
}

// brief keeps a list short enough for a message.
func brief(list []int) []int { return list[:min(len(list), 20)] }

func checkSaturated(t *trace.Trace, v *Verdict) {
	var fired, want []bool
	for c := range clearings(t) {
		if !c.onSize {
			return
		}
		fired = append(fired, c.fired())
		want = append(want, len(c.want.Cleared) > 0)
		if !slices.Equal(fired, want) {
			v.Failf("step %d: checkpoint %d of the session fired: %t, want %t", c.Step, len(fired)-1, c.fired(), want[len(want)-1])
			return
		}
	}
	if len(fired) >= 4 && slices.Equal(fired[:4], []bool{true, true, false, false}) && t.Scenario.Limits.Watermark.Keep == 5 {
		v.Saw("two in a row, then rest")
	}
}

func checkForms(t *trace.Trace, v *Verdict) {
	last := map[place]string{}
	changes := map[place]int{}
	for c := range clearings(t) {
		for m, message := range c.After.Messages[:min(c.Before.Committed, len(c.After.Messages))] {
			for i, r := range message.Results {
				p := place{m, i, false}
				was, ok := last[p]
				last[p] = r.Text
				switch {
				case !ok:
				case was == r.Text && changes[p] > 0:
					v.Saw("a result cleared, and sent again")
				case was == r.Text:
					v.Saw("a result sent again as it was")
				default:
					if changes[p]++; changes[p] > 1 {
						v.Failf("step %d: result %d of message %d has its third form", c.Step, i, m)
					}
					if !strings.HasPrefix(r.Text, bounding.ClearedText) {
						v.Failf("step %d: result %d of message %d changed to %.60q, which is no placeholder", c.Step, i, m, r.Text)
					}
				}
			}
		}
	}
}

// again runs the same session once more, if it has a checkpoint.
func again(s scenario.Scenario) (scenario.Scenario, bool) {
	stored := false
	for _, step := range s.Steps {
		stored = stored || step.Op == scenario.Fault || step.Op == scenario.Crash
	}
	return s, !stored && slices.ContainsFunc(s.Steps, func(step scenario.Step) bool { return step.Op == scenario.Checkpoint })
}

func sameHistories(a, b *trace.Trace, v *Verdict) {
	if len(a.History.Messages) != len(b.History.Messages) {
		v.Failf("the same session gave %d messages, and then %d", len(a.History.Messages), len(b.History.Messages))
		return
	}
	stub, placeholder := false, false
	for i, m := range a.History.Messages {
		for j, r := range m.Results {
			stub = stub || r.State == bounding.Stubbed || r.Locator != ""
			placeholder = placeholder || strings.HasPrefix(r.Text, bounding.ClearedText)
			if j >= len(b.History.Messages[i].Results) || masked(r) != masked(b.History.Messages[i].Results[j]) {
				v.Failf("the same session gave another text for result %d of message %d", j, i)
				return
			}
		}
	}
	if stub && placeholder {
		v.Saw("a history with a stub and a placeholder")
	}
}

// quietCases are sessions in which checkpoints mostly have nothing to do.
func quietCases() supply {
	long := scripted(clearLimits(400, 2))
	for i := range 12 {
		long.due(60 + i).turn().step(scenario.Step{Op: scenario.Commit})
	}
	stubs := scripted(clearLimits(600, 1))
	for range 4 {
		stubs.due(5_000, 100).turn().step(scenario.Step{Op: scenario.Commit})
	}
	return scripts( // the smallest first: what fails first is what is shown
		scripted(clearLimits(200, 1)).old(100, 100).turn(),
		scripted(clearLimits(200, 1)).old(20, 100, 90).turn(),
		scripted(clearLimits(300, 1)).call(5_000).sent().old(200).turn(),
		scripted(clearLimits(200, 1)).old(30).old(100, 100, 50).turn().old(40).turn().old(160).turn(),
		scripted(clearLimits(200, 1)).old(20).call(20).call(100).call(90).sent().old(50).turn().due(30).turn(),
		scripted(clearLimits(200, 1)).call(70, withMedia(2)).sent().turn().old(70).turn().old(70).turn().old(70).turn(),
		long, stubs,
	)
}

func amortisedCases() supply {
	var list []*script
	for _, size := range []int{34, 40, 49, 50, 51} {
		s := scripted(clearLimits(400, 2))
		for range 30 {
			s.due(size).turn().step(scenario.Step{Op: scenario.Commit})
		}
		list = append(list, s)
	}
	return scripts(list...)
}

func rightValueCases() supply {
	uniform := func(l bounding.Limits, n, size int, tool string) *script {
		s := scripted(l)
		for range n {
			s.call(size, byTool(tool)).batch().turn().step(scenario.Step{Op: scenario.Commit})
		}
		return s
	}
	saturated := func(l bounding.Limits, size, small int, tool string) *script {
		s := scripted(l)
		for range 6 {
			s.call(size, byTool(tool)).sent()
		}
		for range 4 {
			s.call(small, byTool(tool)).batch().turn().step(scenario.Step{Op: scenario.Commit})
			small = min(small, 50)
		}
		return s
	}
	full := bounding.Strict()
	full.Tools["wide"] = bounding.Tool{Budget: 100_000, Exempt: true}
	return scripts(
		uniform(clearLimits(500, 2), 30, 40, plain),
		uniform(clearLimits(501, 2), 30, 50, plain),
		uniform(clearLimits(500, 1), 30, 100, plain),
		saturated(clearLimits(500, 5), 100, 40, plain),
		uniform(full, 167, 25_500, "run_shell_command"),
		saturated(full, 100_000, 1_000, "wide"),
	)
}

// otherwise reports whether the session has checkpoints under limits that clear otherwise than the strict ones.
func otherwise(t *trace.Trace) bool {
	return slices.ContainsFunc(t.Events, func(e trace.Event) bool {
		w := e.Limits.Watermark
		return w.ForgetLocator || w.ClearSmall || w.IdleIsFinal || w.FailedMediaKept
	})
}
