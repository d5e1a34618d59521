package invariants

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/text"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// met is about the text that others put beside an output: hooks, skills, reminders.
var met = []Invariant{
	{
		ID: "MET-1", Level: Must, Requirement: "OFF-7", Needs: []string{subject.CapBound},
		Statement: "Metadata within its share stands in the entry as it was given, in one piece, whatever became of the output.",
		Witnesses: []string{"metadata beside a whole text", "metadata beside a shortened text", "metadata after a later pass"},
		check:     checkMetadata, cases: metadataCases(),
	},
	{
		ID: "MET-2", Level: Must, Requirement: "OFF-7", Needs: []string{subject.CapBound},
		Statement: "Metadata beyond its share is bounded by itself: some of it stays, and all of the entry is within twice the budget.",
		Witnesses: []string{"metadata beyond its share"},
		check:     checkLargeMetadata, cases: metadataCases(),
	},
	{
		ID: "MET-3", Level: Must, Requirement: "OFF-7", Needs: []string{subject.CapBound},
		Statement: "What is kept of an output does not depend on the metadata beside it.",
		Witnesses: []string{"three times the metadata beside a shortened text"},
		relation:  &relation{moreMetadata, sameBodies}, cases: metadataCases(),
	},
	{
		ID: "MET-4", Level: Must, Requirement: "OFF-1 OFF-7", Needs: []string{subject.CapBound},
		Statement: "Output and metadata together are within twice the budget, also where the output looks as if it had been bounded.",
		Witnesses: []string{"metadata beside a text that looks bounded"},
		check:     checkTogether, cases: metadataCases(),
	},
}

func checkMetadata(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		metadata := p.made.Output.Metadata
		budget := p.budget()
		if len(metadata) == 0 || budget < 0 || p.Op == scenario.Batch || !p.same {
			continue
		}
		total := 0
		for _, m := range metadata {
			total += p.Limits.Unit.Count(m) + 2
		}
		if total > budget || p.Limits.Batch >= 0 && 2*budget > p.Limits.Batch {
			continue
		}
		switch {
		case p.Op == scenario.Tighten:
			v.Saw("metadata after a later pass")
		case p.whole():
			v.Saw("metadata beside a whole text")
		default:
			v.Saw("metadata beside a shortened text")
		}
		for _, m := range metadata {
			if m = text.Clean(m); !strings.Contains(p.out.Text, m) {
				v.Failf("%s: metadata of %d within its share of %d is not in the entry as it was given", p.name(), total, budget)
			}
		}
	}
}

func checkLargeMetadata(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		budget, joined := p.budget(), strings.Join(p.made.Output.Metadata, "\n\n")
		if budget < 0 || p.Limits.Unit.Count(joined) <= 2*budget {
			continue
		}
		v.Saw("metadata beyond its share")
		within(p, v)
		// A few units have room for nothing that would be known again.
		if budget > 2*maxNotice && p.Op == scenario.Call && p.Limits.Entry(p.tool) >= 2*budget && printable(joined) && !strings.Contains(p.out.Text, joined[:16]) {
			v.Failf("%s: of metadata of %d nothing is left beside a budget of %d", p.name(), p.Limits.Unit.Count(joined), budget)
		}
	}
}

// moreMetadata is the same with three times the metadata.
func moreMetadata(s scenario.Scenario) (scenario.Scenario, bool) {
	found := false
	s.Steps = slices.Clone(s.Steps)
	for i := range s.Steps {
		step := &s.Steps[i]
		if step.Op == scenario.Call && len(step.Metadata) > 0 {
			step.Metadata, found = slices.Concat(step.Metadata, step.Metadata, step.Metadata), true
		}
	}
	return s, found
}

// sameBodies compares what the calls kept of their outputs, before any message was complete.
func sameBodies(a, b *trace.Trace, v *Verdict) {
	others := map[int]pass{}
	for p := range passes(b) {
		if p.Op == scenario.Call {
			others[p.of] = p
		}
	}
	for p := range passes(a) {
		q, ok := others[p.of]
		if p.Op != scenario.Call || !ok || len(p.made.Output.Metadata) == 0 || p.out.Metadata == "" || q.out.Metadata == "" {
			continue
		}
		if entry := p.Limits.Entry(p.tool); entry >= 0 && entry < 2*p.budget() || p.budget() < 0 {
			continue // the batch budget is smaller than what one result may be
		}
		if p.out.Outcome != q.out.Outcome {
			continue // the store was full, or failed, where there was more to save
		}
		if !p.whole() {
			v.Saw("three times the metadata beside a shortened text")
		}
		was, is := bodyWithout(p.out), bodyWithout(q.out)
		if strings.ReplaceAll(was, p.out.Locator, "") != strings.ReplaceAll(is, q.out.Locator, "") && p.out.Locator != "" ||
			p.out.Locator == "" && was != is {
			v.Failf("%s: %d of the output are kept, and %d with three times the metadata", p.name(), p.body(), q.body())
		}
	}
}

func checkTogether(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		if len(p.made.Output.Metadata) == 0 {
			continue
		}
		if looksBounded(p.raw()) {
			v.Saw("metadata beside a text that looks bounded")
		}
		within(p, v)
	}
}

// metadataCases have metadata around its share, beside outputs around theirs.
func metadataCases() supply {
	var list []*script
	small := scenario.Scaled()
	large := scenario.Scaled()
	large.Threshold, large.Headroom, large.Preview, large.Batch = 3_000, 300, 200, 20_000
	for _, l := range []bounding.Limits{small, large} {
		b := l.Threshold
		for _, n := range []int{10, b, b + 1, b + l.Headroom, b + l.Headroom + 1, 5 * b} {
			for _, m := range []int{1, 30, b - 40, b - 2, b, 2*b - 2, 2 * b, 9 * b} {
				for _, begin := range []string{"", bounding.ClearedText, "<persisted-output>\n"} {
					list = append(list, one(l, "look_up", slices.Concat(scenario.Of(1, begin), scenario.Of(n, "x")), func(s *scenario.Step) {
						s.Metadata = []scenario.Payload{slices.Concat(scenario.Of(1, "A hook says: "), scenario.Of(m, "m"))}
						if m < 100 {
							s.Metadata = append(s.Metadata, scenario.Of(1, "<system-reminder>so it is</system-reminder>"))
						}
					}))
				}
			}
		}
	}
	return scripts(list...)
}
