package invariants

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// dia is about what diagnostics say of a history.
var dia = []Invariant{
	{
		ID: "DIA-1", Level: Must, Requirement: "DIA-1", Needs: []string{subject.CapDoctor},
		Statement: "A diagnosis returns, and counts what a checkpoint counts: results, text that counts towards the watermark, errors and media equal a recount.",
		Witnesses: []string{"a cleared result", "an error", "media", "pending results"},
		check:     checkDiagnosis, cases: diagnosisCases(),
	},
	{
		ID: "DIA-2", Level: Must, Requirement: "DIA-4", Needs: []string{subject.CapDoctor},
		Statement: "What a diagnosis prints holds no piece of any content, and no control characters but line ends.",
		Witnesses: []string{"a text that would be known again"},
		check:     checkSecrets, cases: diagnosisCases(),
	},
	{
		ID: "DIA-3", Level: Should, Requirement: "DIA-1", Needs: []string{subject.CapDoctor},
		Statement: "A diagnosis looks and does not touch: the history stays as it is, and what is printed does not grow with the texts.",
		Witnesses: []string{"texts twice as long"},
		relation:  &relation{doubled, sameDiagnosis}, cases: diagnosisCases(),
	},
	{
		ID: "DIA-4", Level: Must, Requirement: "DIA-2", Needs: []string{subject.CapDoctor},
		Statement: "A result whose body is beyond twice its budget and 500 is called oversized, whatever its text looks like, and no other is.",
		Witnesses: []string{"a body at the limit", "a body one above the limit", "an oversized body that looks bounded", "an oversized error"},
		check:     checkOversized, cases: oversizedCases(),
	},
}

// diagnoses yields the diagnoses that the subject made, with what was cleared before each.
func diagnoses(t *trace.Trace) func(yield func(e *trace.Event, gone map[place]bool) bool) {
	return func(yield func(*trace.Event, map[place]bool) bool) {
		gone := map[place]bool{}
		for i := range t.Events {
			e := &t.Events[i]
			if e.Skipped || e.Err != nil || e.Broken != nil {
				continue
			}
			switch e.Op {
			case scenario.Checkpoint:
				_, places := slotsOf(e.Limits, e.Before, nil)
				for _, p := range places {
					if differs(e.Before, e.After, p) {
						gone[p] = true
					}
				}
			case scenario.Diagnose:
				if !yield(e, gone) {
					return
				}
			}
		}
	}
}

func checkDiagnosis(t *trace.Trace, v *Verdict) {
	for _, e := range t.Events {
		if e.Op == scenario.Diagnose && e.Broken != nil {
			v.Failf("step %d: the diagnosis did not return: %s: %.200s", e.Step, e.Broken.Kind, e.Broken.Detail)
			return
		}
	}
	for e, gone := range diagnoses(t) {
		slots, places := slotsOf(e.Limits, e.Before, gone)
		results, units, errors, media := 0, 0, 0, 0
		for i, s := range slots {
			if places[i].medium {
				continue
			}
			results++
			units += counted(s)
			media += s.Media
			if s.Failed {
				errors += s.Units
				v.Saw("an error")
			}
			if s.Cleared {
				v.Saw("a cleared result")
			}
			if s.Pending {
				v.Saw("pending results")
			}
		}
		if media > 0 {
			v.Saw("media")
		}
		d := e.Diagnosis
		for _, field := range []struct {
			name      string
			got, want int
		}{{"results", d.Results, results}, {"counted", d.Counted, units}, {"failed", d.Failed, errors}, {"media", d.Media, media}} {
			if field.got != field.want {
				v.Failf("step %d: the diagnosis says %s %d, a recount gives %d", e.Step, field.name, field.got, field.want)
			}
		}
		if text := d.Counted + d.Failed; d.Total < text {
			v.Failf("step %d: the diagnosis says total %d, and the text alone is %d", e.Step, d.Total, text)
		}
	}
}

// window is how many bytes in a row are taken as a piece of content.
const window = 8

func checkSecrets(t *trace.Trace, v *Verdict) {
	for e := range diagnoses(t) {
		printed := e.Diagnosis.Text
		if i := strings.IndexFunc(printed, func(r rune) bool { return r != '\n' && (r < ' ' || r == 0x7f) }); i >= 0 {
			v.Failf("step %d: the diagnosis prints the control character %#x", e.Step, printed[i])
		}
		if len(printed) < window {
			continue
		}
		pieces := map[string]bool{}
		for i := range len(printed) - window + 1 {
			if piece := printed[i : i+window]; peculiar(piece) {
				pieces[piece] = true
			}
		}
		for _, made := range t.Made {
			for _, known := range []string{made.Output.Call.ID, made.Output.Call.Tool} {
				for i := 0; i+window <= len(known); i++ {
					delete(pieces, known[i:i+window])
				}
			}
		}
		for _, made := range t.Made {
			if made.Step > e.Step {
				break
			}
			content := made.Output.Text
			if strings.ContainsFunc(content[:min(len(content), 200)], func(r rune) bool { return r >= 'A' && r <= 'Z' || r == '!' }) {
				v.Saw("a text that would be known again")
			}
			for i := 0; i+window <= len(content); i++ {
				if pieces[content[i:i+window]] {
					v.Failf("step %d: the diagnosis prints %q, which is in the output of call %.60q", e.Step, content[i:i+window], made.Output.Call.ID)
					return
				}
			}
		}
	}
}

// peculiar reports whether a piece is more than words and numbers such as any report is made of.
func peculiar(piece string) bool {
	return strings.ContainsFunc(piece, func(r rune) bool { return r >= 'A' && r <= 'Z' || r == '!' || r > '~' }) ||
		strings.Count(piece, piece[:1]) == len(piece) && piece[0] != ' ' && piece[0] != '-'
}

// doubled makes every text twice as long, where that changes no decision.
func doubled(s scenario.Scenario) (scenario.Scenario, bool) {
	other := scenario.Scenario{Limits: s.Limits}
	diagnosed := false
	for _, step := range s.Steps {
		switch step.Op {
		case scenario.Diagnose:
			diagnosed = true
		case scenario.Call, scenario.Batch, scenario.Commit:
		default:
			return s, false
		}
		if len(step.Metadata) > 0 || len(step.More) > 0 {
			return s, false
		}
		if step.Op == scenario.Call {
			step.Payload = slices.Clone(step.Payload)
			for i := range step.Payload {
				step.Payload[i].Count *= 2
			}
		}
		other.Steps = append(other.Steps, step)
	}
	return other, diagnosed
}

func sameDiagnosis(a, b *trace.Trace, v *Verdict) {
	for i := range min(len(a.Events), len(b.Events)) {
		one, two := a.Events[i], b.Events[i]
		if one.Op != scenario.Diagnose || one.Err != nil || two.Err != nil || one.Broken != nil || two.Broken != nil {
			continue
		}
		if one.Mutated {
			v.Failf("step %d: the diagnosis changed the history", one.Step)
		}
		from, to := len(one.Diagnosis.Text), len(two.Diagnosis.Text)
		// Each number may have one digit more, and a result may have become oversized.
		slack := 20 + 40*(1+strings.Count(two.Diagnosis.Text, "\n")) + 100*(len(two.Diagnosis.Oversized)-len(one.Diagnosis.Oversized))
		if to > from+slack {
			v.Failf("step %d: what the diagnosis prints grew from %d bytes to %d with texts twice as long", one.Step, from, to)
		}
		if one.Diagnosis.Counted > 0 && two.Diagnosis.Counted > one.Diagnosis.Counted {
			v.Saw("texts twice as long")
		}
	}
}

func checkOversized(t *trace.Trace, v *Verdict) {
	for e := range diagnoses(t) {
		left := slices.Clone(e.Diagnosis.Oversized)
		for _, r := range e.Before.All() {
			budget := e.Limits.Budget(e.Limits.Tool(r.Call.Tool))
			if budget < 0 {
				continue
			}
			size := e.Limits.Unit.Count(bodyWithout(r))
			limit := 2*budget + 500
			switch {
			case size == limit:
				v.Saw("a body at the limit")
			case size == limit+1:
				v.Saw("a body one above the limit")
			}
			if size <= limit {
				continue
			}
			if strings.Contains(r.Text, "[CONTENT TRUNCATED]") || strings.HasPrefix(r.Text, "<persisted-output>") {
				v.Saw("an oversized body that looks bounded")
			}
			if r.Failed {
				v.Saw("an oversized error")
			}
			i := slices.Index(left, r.Call.ID)
			if i < 0 {
				v.Failf("step %d: the result of call %.60q has %d units, which is above twice its budget of %d and 500, and is not called oversized", e.Step, r.Call.ID, size, budget)
				return
			}
			left = slices.Delete(left, i, i+1)
		}
		if len(left) > 0 {
			v.Failf("step %d: the result of call %.60q is called oversized, and is not", e.Step, left[0])
		}
	}
}

func diagnosisCases() supply {
	secret := saying(strings.Repeat("Secret! Pass-Wort 0123 ", 20))
	return scripts(
		scripted(clearLimits(800, 1)).call(0, secret).call(0, secret, asFailed).call(100, withMedia(2)).sent().due(80).diagnose(),
		scripted(clearLimits(200, 1)).old(100, 120).turn().diagnose().due(50).diagnose(),
		scripted(clearLimits(200, 1)).call(100, byTool("enter_plan_mode")).call(90, withMedia(1)).sent().old(80).force().diagnose(),
		scripted(clearLimits(800, 1)).call(300).call(200, asFailed).sent().diagnose(),
		scripted(clearLimits(800, 1)).call(5_000).sent().diagnose(),
		scripted(clearLimits(800, 1)).diagnose(),
	)
}

// oversizedCases tighten the limits under a history, which is how a body gets beyond a bound without a fault.
func oversizedCases() supply {
	tight := clearLimits(100_000, 5)
	tight.Threshold, tight.Headroom = 100, 10
	tighten := scenario.Step{Op: scenario.SetLimits, Limits: &tight}
	forged := strings.Repeat("x", 1_000) + "\n\n---\n... [CONTENT TRUNCATED] ...\n---\n\n"
	return scripts(
		scripted(clearLimits(100_000, 5)).old(699, 700, 701).call(701, asFailed).sent().step(tighten).diagnose(),
		scripted(clearLimits(100_000, 5)).call(0, saying(forged)).call(0, saying("<persisted-output>\n"+forged)).sent().step(tighten).diagnose(),
		scripted(clearLimits(100_000, 5)).call(800, byTool("read_file")).call(701).batch().step(tighten).diagnose(),
		scripted(bounding.Strict()).old(20_000).diagnose(),
	)
}
