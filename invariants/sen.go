package invariants

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// sen is about results that are bounded more than once, and about texts that look as if they had been.
var sen = []Invariant{
	{
		ID: "SEN-1", Level: Must, Requirement: "OFF-5", Needs: []string{subject.CapTighten},
		Statement: "A second pass under the same limits changes nothing and stores nothing.",
		Witnesses: []string{"a trimmed text again", "a stub again", "a whole text again"},
		check:     checkAgain, cases: every(boundCases(), againCases()),
	},
	{
		ID: "SEN-2", Level: Must, Requirement: "OFF-5", Needs: []string{subject.CapTighten},
		Statement: "However many passes a result went through, its notice and its pointer stand there once.",
		Witnesses: []string{"a shortened text under tighter limits"},
		check:     checkOnce, cases: againCases(),
	},
	{
		ID: "SEN-3", Level: Must, Requirement: "OFF-5 OFF-6", Needs: []string{subject.CapBound},
		Statement: "What looks as if it had been bounded is bounded like any other text: with other letters in its place, every decision is the same.",
		Witnesses: []string{"a sign in a text above its bound"},
		relation:  &relation{withoutSigns, sameDecisions}, cases: boundCases(),
	},
	{
		ID: "SEN-4", Level: Must, Requirement: "OFF-5 OFF-6 WMK-3", Needs: []string{subject.CapBound, subject.CapClear},
		Statement: "A text that is, or begins with, the placeholder of a cleared result counts and is cleared like any other.",
		Witnesses: []string{"a result that is the placeholder, at a checkpoint that cleared"},
		relation:  &relation{withoutSigns, sameCleared}, cases: placeholderCases(),
	},
	{
		ID: "SEN-5", Level: Must, Requirement: "OFF-5 OFF-6", Needs: []string{subject.CapBound},
		Statement: "A text cannot end or begin the tag in which what is left of it stands.",
		Witnesses: []string{"a shortened text with tags in it"},
		check:     checkTags, cases: boundCases(),
	},
}

func checkAgain(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		if p.Op != scenario.Tighten || !p.same {
			continue
		}
		switch {
		case p.in.State == bounding.Stubbed:
			v.Saw("a stub again")
		case p.in.State == bounding.Kept || p.whole():
			v.Saw("a whole text again")
		default:
			v.Saw("a trimmed text again")
		}
		switch {
		case p.in.Text != p.out.Text:
			v.Failf("%s: the second pass changes %d to %d: %q", p.name(), p.Limits.Unit.Count(p.in.Text), p.size(), quoted(p.out.Text))
		case p.in.Locator != p.out.Locator:
			v.Failf("%s: the second pass changes the pointer from %q to %q", p.name(), p.in.Locator, p.out.Locator)
		case p.stores(t):
			v.Failf("%s: the second pass stores something", p.name())
		}
	}
}

func checkOnce(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		if p.Op == scenario.Tighten && !p.same && !p.whole() && p.body() < p.Limits.Unit.Count(bodyWithout(p.in)) {
			v.Saw("a shortened text under tighter limits")
		}
		body, raw := bodyWithout(p.out), p.raw()
		if l := p.out.Locator; l != "" && !strings.Contains(raw, l) && strings.Count(body, l) > 1 {
			v.Failf("%s: the pointer %s stands there %d times", p.name(), l, strings.Count(body, l))
		}
		if header := firstLine(body); p.in.Text != "" && !p.whole() && len(header) > 20 && !strings.Contains(raw, header) && strings.Count(body, header) > 1 {
			v.Failf("%s: the notice %q stands there %d times", p.name(), quoted(header), strings.Count(body, header))
		}
	}
}

// letters replaces what looks bounded in a text by letters of the same number, line by line.
func letters(sign string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return 'x'
	}, sign)
}

// withoutSigns replaces every sign in a scenario.
func withoutSigns(s scenario.Scenario) (scenario.Scenario, bool) {
	found := false
	change := func(p scenario.Payload) scenario.Payload {
		p = slices.Clone(p)
		for i, piece := range p {
			if looksBounded(piece.Unit) {
				p[i].Unit, found = letters(piece.Unit), true
			}
		}
		return p
	}
	s.Steps = slices.Clone(s.Steps)
	for i := range s.Steps {
		step := &s.Steps[i]
		if step.Op != scenario.Call {
			continue
		}
		step.Payload = change(step.Payload)
		step.More, step.Metadata = slices.Clone(step.More), slices.Clone(step.Metadata)
		for _, list := range [][]scenario.Payload{step.More, step.Metadata} {
			for j := range list {
				list[j] = change(list[j])
			}
		}
	}
	return s, found
}

// sameDecisions compares what was decided about each result.
func sameDecisions(a, b *trace.Trace, v *Verdict) {
	others := slices.Collect(passes(b))
	i := 0
	for p := range passes(a) {
		if i >= len(others) {
			v.Failf("%s: with letters for the signs, the subject stops before", p.name())
			return
		}
		q := others[i]
		i++
		if looksBounded(p.raw()) && p.Limits.Entry(p.tool) >= 0 && p.Limits.Unit.Count(p.raw()) > p.Limits.Entry(p.tool) {
			v.Saw("a sign in a text above its bound")
		}
		if p.out.State != q.out.State || p.out.Outcome != q.out.Outcome || p.whole() != q.whole() {
			v.Failf("%s: the result is %v, %v, and with letters for the signs %v, %v", p.name(), p.out.State, p.out.Outcome, q.out.State, q.out.Outcome)
		}
		if p.out.State == bounding.Raw && p.size() != q.size() {
			v.Failf("%s: %d stay, and with letters for the signs %d", p.name(), p.size(), q.size())
		}
	}
}

// sameCleared compares which results each checkpoint cleared.
func sameCleared(a, b *trace.Trace, v *Verdict) {
	others := slices.Collect(clearings(b))
	i := 0
	for c := range clearings(a) {
		if i >= len(others) {
			return
		}
		d := others[i]
		i++
		if !slices.Equal(c.changed, d.changed) {
			v.Failf("step %d: the checkpoint changed the slots %v, and with letters for the placeholders %v", c.Step, brief(c.changed), brief(d.changed))
		}
		if len(c.changed) == 0 {
			continue
		}
		for _, r := range c.Before.All() {
			if strings.HasPrefix(r.Text, bounding.ClearedText) && r.State != bounding.Cleared {
				v.Saw("a result that is the placeholder, at a checkpoint that cleared")
			}
		}
	}
}

func checkTags(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		raw, body := p.raw(), bodyWithout(p.out)
		if p.whole() || !strings.Contains(raw, "<") {
			continue
		}
		v.Saw("a shortened text with tags in it")
		name, ok := tag(firstLine(body))
		if !ok || strings.HasPrefix(raw, "<"+name) {
			continue
		}
		if end := "</" + name + ">"; strings.Count(body, end) > 1 || strings.Count(body, "<"+name) > 1 {
			v.Failf("%s: what is left stands in %s, and the text itself has %d of %s", p.name(), "<"+name+">", strings.Count(body, end)-1, end)
		}
	}
}

// tag returns the name of the tag with which a line begins.
func tag(line string) (string, bool) {
	rest, ok := strings.CutPrefix(line, "<")
	if !ok {
		return "", false
	}
	end := strings.IndexAny(rest, " >")
	return rest[:max(0, end)], end > 0
}

// againCases tighten results twice under the same limits, and then under smaller ones.
func againCases() supply {
	var list []*script
	for _, payload := range []scenario.Payload{scenario.Of(10, "x"), scenario.Of(650, "x"), scenario.Of(9_000, "x"), scenario.Of(900, "é\r\n"), scenario.Of(300, "@tag <persisted-output>\n")} {
		for _, tool := range []string{"look_up", "shell", "mcp__x"} {
			s := one(scenario.Scaled(), tool, payload)
			s.Steps = s.Steps[:2]
			s.step(scenario.Step{Op: scenario.Tighten})
			for _, threshold := range []int{500, 300, 100, 10, 0} {
				l := scenario.Scaled()
				l.Threshold, l.Headroom, l.Tools = threshold, 10, map[string]bounding.Tool{"shell": {Budget: max(1, threshold)}}
				s.step(scenario.Step{Op: scenario.SetLimits, Limits: &l}, scenario.Step{Op: scenario.Tighten}, scenario.Step{Op: scenario.Tighten})
			}
			list = append(list, s.batch())
		}
	}
	return scripts(list...)
}

func placeholderCases() supply {
	var list []*script
	for _, sign := range []string{bounding.ClearedText, bounding.ClearedText + " and more", bounding.ClearedText + " It is in /store/x"} {
		list = append(list,
			scripted(clearLimits(200, 1)).old(100).call(0, saying(sign)).sent().old(100, 50).turn(),
			scripted(clearLimits(100, 1)).call(0, saying(sign)).sent().call(0, saying(sign+sign)).sent().old(50).turn(),
			scripted(clearLimits(100, 2)).old(60).call(0, saying(sign)).sent().old(60).turn().force())
	}
	return scripts(list...)
}
