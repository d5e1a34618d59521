package invariants

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/text"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// txt is about the text itself: characters, units, and what is no character.
var txt = []Invariant{
	{
		ID: "TXT-1", Level: Must, Requirement: "UNI-2 UNI-3", Needs: []string{subject.CapBound},
		Statement: "Everything that the model gets is valid UTF-8, whatever the output was and wherever it was cut.",
		Witnesses: []string{"a cut among characters of several bytes", "an invalid output", "an invalid output that was cut"},
		check:     checkValid, cases: textCases(),
	},
	{
		ID: "TXT-2", Level: Must, Requirement: "REF-6", Needs: []string{subject.CapReference, subject.CapSpill},
		Statement: "The transcript of a reference holds each message in fragments of at most 64 code points, which put together are the message exactly.",
		Witnesses: []string{"a message of several fragments", "a message with line ends and quotes"},
		check:     checkFragments, cases: transcriptCases(),
	},
	{
		ID: "TXT-3", Level: Must, Requirement: "UNI-2 OFF-9", Needs: []string{subject.CapSpill},
		Statement: "An artifact holds the bytes of the output, also those that are no UTF-8.",
		Witnesses: []string{"an invalid text read back"},
		check:     checkBytes, cases: invalidCases(),
	},
	{
		ID: "TXT-4", Level: Must, Requirement: "UNI-1", Needs: []string{subject.CapBound},
		Statement: "Limits count in the unit that they name, and in no other: UTF-16 units, bytes or code points.",
		Witnesses: []string{"a limit in utf16", "a limit in bytes", "a limit in runes"},
		check:     checkUnit, cases: unitCases(),
	},
	{
		ID: "TXT-5", Level: Should, Requirement: "UNI-3", Needs: []string{subject.CapBound},
		Statement: "No cut parts what belongs together: a line end of two characters, or a character and what combines with it.",
		Witnesses: []string{"a cut among line ends of two characters", "a cut among combined characters"},
		check:     checkClusters, cases: textCases(),
	},
}

func checkValid(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		raw := p.raw()
		switch valid := utf8.ValidString(raw); {
		case !valid && p.whole():
			v.Saw("an invalid output")
		case !valid:
			v.Saw("an invalid output that was cut")
		case !p.whole() && len(raw) > utf8.RuneCountInString(raw):
			v.Saw("a cut among characters of several bytes")
		}
		if !utf8.ValidString(p.out.Text) {
			v.Failf("%s: the entry is no valid UTF-8: %q", p.name(), quoted(p.out.Text))
		}
	}
	for _, e := range t.Events {
		if !utf8.ValidString(e.References.Text) {
			v.Failf("step %d: the references are no valid UTF-8", e.Step)
		}
	}
}

// checkUnit holds texts that measure differently in each unit against the budget: they are whole if and only if they fit.
func checkUnit(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		raw := p.raw()
		size := text.Measure(raw)
		if p.Op != scenario.Call || !p.single() || size.UTF16 == size.Bytes && size.Runes == size.Bytes || p.budget() < 0 {
			continue
		}
		n := p.Limits.Unit.Count(raw)
		if near := n - p.budget(); near < -8 || near > 8 {
			continue
		}
		v.Saw("a limit in " + p.Limits.Unit.String())
		if whole := p.whole(); whole != p.fits() {
			v.Failf("%s: a text of %d UTF-16 units, %d bytes and %d code points is whole=%t under a budget of %d %s",
				p.name(), size.UTF16, size.Bytes, size.Runes, whole, p.budget(), p.Limits.Unit)
		}
	}
}

func checkBytes(t *trace.Trace, v *Verdict) {
	for _, r := range readings(t) {
		if utf8.ValidString(r.want) {
			continue
		}
		v.Saw("an invalid text read back")
		if r.got != r.want {
			v.Failf("step %d: the artifact of text %d has %d bytes, and the text has %d, or others", r.Step, r.of, len(r.got), len(r.want))
		}
	}
}

// checkClusters looks at both sides of each cut.
func checkClusters(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		raw := p.raw()
		crlf := strings.Contains(raw, "\r\n")
		combined := strings.Contains(raw, "\u0301") || strings.Contains(raw, "\u200d")
		if p.Op != scenario.Call || !p.single() || p.whole() || !utf8.ValidString(raw) || !crlf && !combined {
			continue
		}
		head, tail := shown(p.out.Text, raw)
		const least = 8 // a few bytes may be anywhere in a notice
		if head < least || tail < least || head+tail >= len(raw) {
			continue
		}
		if crlf {
			v.Saw("a cut among line ends of two characters")
		} else {
			v.Saw("a cut among combined characters")
		}
		begin, end := raw[:head], raw[len(raw)-tail:]
		// A newline before the end that is shown may be that of the notice, which stands on a line of its own.
		before, _ := strings.CutSuffix(p.out.Text, end)
		parted := strings.HasPrefix(end, "\n") && raw[len(raw)-tail-1] == '\r' && strings.HasSuffix(before, "\n")
		if strings.HasSuffix(begin, "\r") && raw[head] == '\n' || parted {
			v.Failf("%s: a cut parts a line end of two characters", p.name())
		}
		for _, joiner := range []string{"\u0301", "\u200d"} {
			if strings.HasPrefix(end, joiner) || head > 0 && strings.HasPrefix(raw[head:], joiner) {
				v.Failf("%s: a cut parts a character from what combines with it", p.name())
			}
		}
	}
}

// textCases are outputs of everything that is hard to cut, around every bound.
func textCases() supply {
	var list []*script
	l := scenario.Scaled()
	for _, u := range scenario.Units {
		if u.Text == "" {
			continue
		}
		size := l.Unit.Count(u.Text)
		for _, tool := range []string{"look_up", "shell", "agent"} {
			b := l.Budget(l.Tool(tool))
			list = append(list, one(l, tool, scenario.Of(b/size, u.Text)), one(l, tool, scenario.Of(b/size+1, u.Text)))
			for shift := range 4 {
				list = append(list, one(l, tool, slices.Concat(scenario.Of(shift, "x"), scenario.Of(4_000/size, u.Text))))
			}
		}
	}
	return scripts(list...)
}

// invalidCases save and shorten what is no UTF-8, and read it back.
func invalidCases() supply {
	var list []*script
	l := scenario.Scaled()
	for _, piece := range []string{"\xff", "a\xf0\x9f\x98", "\xed\xa0\x80", "é\xc3"} {
		s := one(l, "look_up", scenario.Of(1_500, piece))
		list = append(list, s.step(scenario.Step{Op: scenario.Page, Limit: 100}))
		direct := scripted(bounding.Strict())
		list = append(list, direct.step(scenario.Step{Op: scenario.Save, ID: "a", Tool: "x", Payload: scenario.Of(50, piece)}, scenario.Step{Op: scenario.Page, Limit: 7}))
	}
	return scripts(list...)
}
