package invariants

import (
	"slices"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// rec is about getting back what was removed.
var rec = []Invariant{
	{
		ID: "REC-1", Level: Must, Requirement: "OFF-9 OFF-10", Needs: []string{subject.CapBound},
		Statement: "A shortened output has a pointer to all of it in its text, or a reason why there is none.",
		Witnesses: []string{"a shortened output"},
		check:     checkPointer, cases: limitCases(),
	},
	{
		ID: "REC-2", Level: Must, Requirement: "OFF-9 SPL-1", Needs: []string{subject.CapSpill},
		Statement: "An artifact read back is exactly what was saved; saving and reading return.",
		Witnesses: []string{"an artifact of an output", "an artifact of several pages"},
		check:     checkReadBack, cases: readCases(),
	},
	{
		ID: "REC-3", Level: Must, Requirement: "SPL-7", Needs: []string{subject.CapSpill},
		Statement: "Reading in pages comes to an end: each page is as long as was asked, but for a character that would be parted, and the next one follows it.",
		Witnesses: []string{"more than two pages", "pages among characters of several bytes"},
		check:     checkPages, cases: readCases(),
	},
	{
		ID: "REC-4", Level: Must, Requirement: "SPL-4", Needs: []string{subject.CapSpill},
		Statement: "No two texts share an artifact, also where calls share an id.",
		Witnesses: []string{"two artifacts of one id"},
		check:     checkDistinct, cases: readCases(),
	},
	{
		ID: "REC-5", Level: Must, Requirement: "OFF-9 WMK-3", Needs: []string{subject.CapBound, subject.CapClear, subject.CapSpill},
		Statement: "When an output that has an artifact is cleared, the pointer stays in its placeholder.",
		Witnesses: []string{"a stub was cleared"},
		check:     checkClearedPointer, cases: pointerCases(),
	},
	{
		ID: "REC-6", Level: Must, Requirement: "OFF-8 OFF-9 UNI-5", Needs: []string{subject.CapBound, subject.CapSpill},
		Statement: "No later pass takes a pointer out of an entry or cuts it, as long as there is room for it.",
		Witnesses: []string{"a pointer through a later pass", "a pointer through a batch above its budget"},
		check:     checkPointerKept, cases: every(againCases(), batchCases()),
	},
	{
		ID: "REC-7", Level: Must, Requirement: "OFF-5", Needs: []string{subject.CapBound, subject.CapSpill},
		Statement: "A later pass over a shortened output keeps its artifact, which holds the output and never what stood for it.",
		Witnesses: []string{"a shortened output, shortened again"},
		check:     checkSameArtifact, cases: every(againCases(), batchCases()),
	},
	{
		ID: "REC-8", Level: Should, Requirement: "OFF-9", Needs: []string{subject.CapBound},
		Statement: "A text that is there as a whole has no pointer: there is nothing to read back.",
		Witnesses: []string{"a whole text"},
		check:     checkNoPointer, cases: limitCases(),
	},
	{
		ID: "REC-9", Level: Must, Requirement: "SPL-6", Needs: []string{subject.CapSpill, subject.CapSweep, subject.CapClock},
		Statement: "An artifact that has expired is said to have expired; one that is younger is still there; neither is anything else.",
		Witnesses: []string{"an expired artifact", "an artifact of exactly the age"},
		check:     checkExpired, cases: expiryCases(),
	},
	{
		ID: "REC-10", Level: Must, Requirement: "OFF-2 UNI-5", Needs: []string{subject.CapBound},
		Statement: "What a stub says of its own, without preview and pointer, is at most 500.",
		Witnesses: []string{"a stub"},
		check:     checkEnvelope, cases: boundCases(),
	},
}

func checkPointer(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		if p.Op != scenario.Call || !p.single() || p.whole() {
			continue
		}
		v.Saw("a shortened output")
		saved := p.out.Outcome == bounding.Saved
		switch {
		case saved != (p.out.Locator != ""):
			v.Failf("%s: the outcome is %v, and the pointer is %q", p.name(), p.out.Outcome, p.out.Locator)
		case p.out.Outcome == bounding.NotNeeded:
			v.Failf("%s: an output of %d was shortened to %d, and there is neither a pointer nor a reason why not",
				p.name(), p.Limits.Unit.Count(p.raw()), p.size())
		case saved && p.size() > 60+p.Limits.Unit.Count(p.out.Locator) && !strings.Contains(p.out.Text, p.out.Locator):
			v.Failf("%s: the pointer %s is not in the text of %d", p.name(), p.out.Locator, p.size())
		}
	}
}

func checkReadBack(t *trace.Trace, v *Verdict) {
	on := failing(t)
	for _, e := range t.Events {
		if e.Op != scenario.Save && e.Op != scenario.Read && e.Op != scenario.Page || e.Skipped {
			continue
		}
		if e.Broken != nil {
			if e.Broken.Kind == trace.Panicked && on[e.Step] && strings.Contains(e.Broken.Detail, "faultfs") {
				continue // it was the disk that panicked
			}
			v.Failf("step %d: %s did not return: %s: %s", e.Step, e.Op, e.Broken.Kind, firstLine(e.Broken.Detail))
			return
		}
	}
	for _, r := range readings(t) {
		if !t.Made[r.of].Saved {
			v.Saw("an artifact of an output")
		}
		if len(r.Pages) > 1 {
			v.Saw("an artifact of several pages")
		}
		if r.got != r.want && !on[r.Step] {
			v.Failf("step %d: the artifact of text %d has %d bytes, and the text has %d, or others", r.Step, r.of, len(r.got), len(r.want))
		}
	}
}

func checkPages(t *trace.Trace, v *Verdict) {
	on := failing(t)
	for _, e := range t.Events {
		if e.Op != scenario.Page || e.Skipped || e.Err != nil || e.Broken != nil || on[e.Step] {
			continue
		}
		raw := rawText(&t.Made[e.Of[0]].Output)
		if len(e.Pages) > 2 {
			v.Saw("more than two pages")
			if !printable(raw) {
				v.Saw("pages among characters of several bytes")
			}
		}
		for i, p := range e.Pages {
			const reach = 4 // the longest character
			switch {
			case p.Expired:
			case p.Next <= p.Offset && p.Offset < p.Total:
				v.Failf("step %d: the page at %d of %d has no next one", e.Step, p.Offset, p.Total)
			case p.Limit > 0 && int64(len(p.Data)) > p.Limit+reach:
				v.Failf("step %d: a page of %d has %d bytes", e.Step, p.Limit, len(p.Data))
			case p.Limit > reach && i < len(e.Pages)-1 && int64(len(p.Data)) < p.Limit-reach:
				v.Failf("step %d: a page of %d in the middle has %d bytes", e.Step, p.Limit, len(p.Data))
			}
		}
		if n := len(e.Pages); n > 0 && !e.Pages[n-1].Expired && e.Pages[n-1].Next < e.Pages[n-1].Total {
			v.Failf("step %d: the artifact of %d bytes was not read to its end in %d pages", e.Step, e.Pages[n-1].Total, n)
		}
	}
}

func checkDistinct(t *trace.Trace, v *Verdict) {
	owner := map[string]int{}
	ids := map[string]bool{}
	for i, m := range t.Made {
		if m.Locator == "" {
			continue
		}
		if ids[m.Output.Call.ID] {
			v.Saw("two artifacts of one id")
		}
		ids[m.Output.Call.ID] = true
		if other, taken := owner[m.Locator]; taken {
			v.Failf("the texts %d and %d have one artifact, %s", other, i, m.Locator)
		}
		owner[m.Locator] = i
	}
	for _, e := range t.Events {
		seen := map[string]bool{}
		for _, s := range e.Stored {
			if seen[s.Locator] {
				v.Failf("step %d: %s is listed twice", e.Step, s.Locator)
			}
			seen[s.Locator] = true
		}
	}
}

func checkClearedPointer(t *trace.Trace, v *Verdict) {
	for c := range clearings(t) {
		for _, slot := range c.changed {
			p := c.places[slot]
			if p.medium || p.message >= len(c.After.Messages) || p.index >= len(c.After.Messages[p.message].Results) {
				continue
			}
			was, is := c.Before.Messages[p.message].Results[p.index], c.After.Messages[p.message].Results[p.index]
			if was.Locator == "" || was.Text == is.Text {
				continue
			}
			v.Saw("a stub was cleared")
			if !strings.Contains(is.Text, was.Locator) {
				v.Failf("step %d: the output of call %q was cleared to %q, without its pointer %s", c.Step, was.Call.ID, quoted(is.Text), was.Locator)
			}
		}
	}
}

func checkPointerKept(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		l := p.in.Locator
		if l == "" || !strings.Contains(p.in.Text, l) || p.in.Text == p.out.Text {
			continue
		}
		if p.Op == scenario.Tighten {
			v.Saw("a pointer through a later pass")
		} else if p.batched {
			v.Saw("a pointer through a batch above its budget")
		}
		const words = 60 // before the pointer
		if !strings.Contains(p.out.Text, l) && p.body() > words+p.Limits.Unit.Count(l) {
			v.Failf("%s: the pointer %s is gone from an entry of %d, which has room for it", p.name(), l, p.size())
		}
	}
}

func checkSameArtifact(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		if p.in.Locator == "" || p.in.Text == p.out.Text {
			continue
		}
		v.Saw("a shortened output, shortened again")
		if p.out.Locator != p.in.Locator {
			v.Failf("%s: the artifact was %s, and is %q after a later pass", p.name(), p.in.Locator, p.out.Locator)
		}
	}
	checkReadBackQuietly(t, v)
}

// checkReadBackQuietly holds the artifacts that were read against what was saved, without witnesses.
func checkReadBackQuietly(t *trace.Trace, v *Verdict) {
	on := failing(t)
	for _, r := range readings(t) {
		if r.got != r.want && !on[r.Step] {
			v.Failf("step %d: the artifact of text %d holds %d bytes other than the output", r.Step, r.of, len(r.got))
		}
	}
}

func checkNoPointer(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		if p.Op != scenario.Call || !p.single() || !p.whole() {
			continue
		}
		v.Saw("a whole text")
		if p.out.Locator != "" {
			v.Failf("%s: the text is there as a whole, and has the pointer %s", p.name(), p.out.Locator)
		}
	}
}

func checkExpired(t *trace.Trace, v *Verdict) {
	var now int64
	made := map[int]int64{}
	gone := map[int]bool{}
	on := failing(t)
	if slices.Contains(on, true) {
		return
	}
	for _, e := range t.Events {
		if e.Skipped || e.Broken != nil {
			continue
		}
		switch e.Op {
		case scenario.Call, scenario.Save:
			made[e.Of[0]] = now
		case scenario.Tighten, scenario.Batch, scenario.Crash:
			return // artifacts may be of any age, or gone
		case scenario.Advance:
			now += max(0, int64(t.Scenario.Steps[e.Step].Gap))
		case scenario.Sweep:
			age := int64(t.Scenario.Steps[e.Step].Gap)
			for of, at := range made {
				// Time passes while texts are saved, a little more with each.
				if now-at > age {
					gone[of] = true
				} else if now-at == age && age > 0 {
					v.Saw("an artifact of exactly the age")
				}
			}
		case scenario.Read, scenario.Page:
			of := e.Of[0]
			if t.Scenario.Steps[e.Step].Session != "" || e.Err != nil || len(e.Pages) == 0 || t.Made[of].Owner != trace.Session {
				continue
			}
			at, known := made[of]
			if !known {
				continue
			}
			expired := e.Pages[0].Expired
			if expired {
				v.Saw("an expired artifact")
			}
			if gone[of] && !expired {
				v.Failf("step %d: the artifact of text %d is older than was asked to stay, and is still there", e.Step, of)
			}
			if !gone[of] && expired && at == now {
				v.Failf("step %d: the artifact of text %d, which was saved just now, is said to have expired", e.Step, of)
			}
			raw := rawText(&t.Made[of].Output)
			for _, p := range e.Pages {
				if end := p.Next; !p.Expired && len(t.Made[of].Output.Metadata) == 0 && !joined(&t.Made[of].Output) && (end > int64(len(raw)) || end-int64(len(p.Data)) < 0 || raw[end-int64(len(p.Data)):end] != string(p.Data)) {
					v.Failf("step %d: the page at %d is none of text %d", e.Step, p.Offset, of)
				}
			}
		}
	}
}

// maxEnvelope is what a stub may say of its own.
const maxEnvelope = 500

func checkEnvelope(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		if p.Op != scenario.Call || p.out.State != bounding.Stubbed {
			continue
		}
		v.Saw("a stub")
		if own := p.body() - p.Limits.Preview - p.Limits.Unit.Count(p.out.Locator); p.textual() && own > maxEnvelope {
			v.Failf("%s: a stub with a preview of %d has %d more than its pointer", p.name(), p.Limits.Preview, own)
		}
	}
}

// readCases save texts of all kinds, under equal and hostile ids, and read them to their ends.
func readCases() supply {
	var list []*script
	for _, payload := range []scenario.Payload{scenario.Of(9_000, "x"), scenario.Of(1_000, "😀"), scenario.Of(700, "é\r\n"), scenario.Of(800, "a\xff"), scenario.Of(1, "@"), nil} {
		for _, limit := range []int64{0, 1, 4, 5, 100, 999, 20_000} {
			if limit == 1 && payload.Len() > 3_000 {
				continue
			}
			s := scripted(scenario.Scaled())
			s.call(0, func(s *scenario.Step) { s.Payload = payload; s.ID = "same" }).call(9_000, func(s *scenario.Step) { s.ID = "same" })
			s.step(scenario.Step{Op: scenario.Save, ID: "same", Payload: payload}, scenario.Step{Op: scenario.Save, ID: "same", Payload: payload})
			for of := range 4 {
				s.step(scenario.Step{Op: scenario.Page, Of: of, Limit: max(limit, int64(payload.Len()/500))})
			}
			list = append(list, s.batch())
		}
	}
	return scripts(list...)
}

// pointerCases clear results that have artifacts.
func pointerCases() supply {
	l := scenario.Scaled()
	l.Watermark.High, l.Watermark.Keep = 900, 1
	return scripts(
		scripted(l).old(9_000, 9_000, 9_000, 9_000).turn().step(scenario.Step{Op: scenario.Page, Of: 0}),
		scripted(l).old(650, 650, 650).turn(),
		scripted(l).old(9_000, 10, 9_000).force(),
	)
}

// expiryCases read artifacts before and after a sweep of artifacts older, as old, and younger.
func expiryCases() supply {
	var list []*script
	const day = 24 * time.Hour
	for _, age := range []time.Duration{day - time.Millisecond, day, day + time.Millisecond} {
		s := scripted(scenario.Scaled())
		s.step(scenario.Step{Op: scenario.Save, ID: "a", Payload: scenario.Of(300, "a")}, scenario.Step{Op: scenario.Page},
			scenario.Step{Op: scenario.Advance, Gap: day}, scenario.Step{Op: scenario.Save, ID: "b", Payload: scenario.Of(300, "b")},
			scenario.Step{Op: scenario.Sweep, Gap: age}, scenario.Step{Op: scenario.Page}, scenario.Step{Op: scenario.Page, Of: 1})
		list = append(list, s)
	}
	return scripts(list...)
}
