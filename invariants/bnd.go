package invariants

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// bnd is about one result.
var bnd = []Invariant{
	{
		ID: "BND-1", Level: Must, Requirement: "OFF-1 OFF-6 OFF-7", Needs: []string{subject.CapBound},
		Statement: "Whatever the output is, its entry is within twice the budget of its tool, or the batch budget where the tool has none, after every pass.",
		Witnesses: []string{"an output above its bound", "an output above its bound that looks bounded", "a later pass"},
		check:     checkBound, cases: every(boundCases(), errorCases()),
	},
	{
		ID: "BND-2", Level: Must, Requirement: "OFF-2 OFF-3", Needs: []string{subject.CapBound},
		Statement: "A text within its budget and its line cap is left as it is, and nothing is stored for it.",
		Witnesses: []string{"a text below the budget", "a text at the budget", "a text at the line cap"},
		check:     checkKept, cases: limitCases(),
	},
	{
		ID: "BND-3", Level: Must, Requirement: "OFF-2 OFF-3 OFF-11", Needs: []string{subject.CapBound},
		Statement: "Limits may be reached exactly: one more is too much, at the budget, at the gate and at the line cap.",
		Witnesses: []string{"one above the budget", "at the gate", "one above the gate", "one above the line cap"},
		check:     checkStrict, cases: limitCases(),
	},
	{
		ID: "BND-4", Level: Must, Requirement: "UNI-5", Needs: []string{subject.CapBound},
		Statement: "What stands for a text is shorter than the text.",
		Witnesses: []string{"a text that was cut"},
		check:     checkShorter, cases: previewCases(),
	},
	{
		ID: "BND-5", Level: Must, Requirement: "OFF-3", Needs: []string{subject.CapBound},
		Statement: "A tool that declares a budget has no line cap.",
		Witnesses: []string{"more lines than the cap, within a declared budget"},
		check:     checkNoLineCap, cases: limitCases(),
	},
	{
		ID: "BND-6", Level: Must, Requirement: "OFF-4", Needs: []string{subject.CapBound},
		Statement: "Where both ends are kept, beginning and end of the text are shown, the end at least as long as the beginning.",
		Witnesses: []string{"a trimmed text", "a stub"},
		check:     checkEnds, cases: limitCases(),
	},
	{
		ID: "BND-7", Level: Must, Requirement: "UNI-4 OFF-5 OFF-9", Needs: []string{subject.CapBound},
		Statement: "What is shown and said of an output is that output's own: no other text, and its size and digest.",
		Witnesses: []string{"an output after another one, shortened"},
		check:     checkOwn, cases: limitCases(),
	},
	{
		ID: "BND-8", Level: Must, Requirement: "UNI-5 OFF-10", Needs: []string{subject.CapBound},
		Statement: "Every output and every budget has an answer: bounding returns, also where not even the notice fits.",
		Witnesses: []string{"no preview", "a budget of 0", "a budget that is shorter than a notice"},
		check:     checkReturns, cases: previewCases(),
	},
	{
		ID: "BND-9", Level: Must, Requirement: "OFF-1 OFF-3", Needs: []string{subject.CapBound},
		Statement: "A longer output never keeps more than one at the limit: a body is within the budget of its tool, however long the output was.",
		Witnesses: []string{"just above the budget", "above twice the budget", "above the gate and bounded by its producer"},
		check:     checkInversion, cases: boundCases(),
	},
	{
		ID: "BND-10", Level: Must, Requirement: "OFF-2 OFF-8", Needs: []string{subject.CapBound, subject.CapBatch},
		Statement: "A tool that is exempt from the gate is not exempt from bounds: its own budget holds, and the batch budget.",
		Witnesses: []string{"an exempt tool above its own budget", "an exempt tool without a budget above the batch budget"},
		check:     checkExempt, cases: exemptCases(),
	},
	{
		ID: "BND-11", Level: Must, Requirement: "UNI-5 OFF-9", Needs: []string{subject.CapBound},
		Statement: "An output that has text keeps some, or says what became of it; one that has none gets none.",
		Witnesses: []string{"an empty output", "a blank output", "a text and media"},
		check:     checkNotEmpty, cases: emptyCases(),
	},
	{
		ID: "BND-12", Level: Must, Requirement: "OFF-1", Needs: []string{subject.CapBound},
		Statement: "Media keep their order and their contents through every bound.",
		Witnesses: []string{"media in a shortened output", "nested media"},
		check:     checkMediaKept, cases: emptyCases(),
	},
	{
		ID: "BND-13", Level: Must, Requirement: "OFF-1 OFF-10", Needs: []string{subject.CapBound},
		Statement: "An error is bounded like a success, and stays an error.",
		Witnesses: []string{"an error above its bound", "a timeout", "a cancelled call"},
		check:     checkErrors, cases: errorCases(),
	},
}

// within reports a result that is beyond its bound. Before its message is complete, that is twice the budget of its tool.
func within(p pass, v *Verdict) {
	bound := -1
	if b := p.budget(); b >= 0 {
		bound = 2 * b
	}
	if b := p.Limits.Batch; p.batched && b >= 0 && (bound < 0 || b < bound) {
		bound = b
	}
	if n := p.size(); bound >= 0 && n > bound {
		v.Failf("%s: the entry is %d %s, and its bound is %d", p.name(), n, p.Limits.Unit, bound)
	}
}

func checkBound(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		within(p, v)
		if bound := p.Limits.Entry(p.tool); bound >= 0 && p.Limits.Unit.Count(p.raw()) > bound {
			v.Saw("an output above its bound")
			if looksBounded(p.raw()) {
				v.Saw("an output above its bound that looks bounded")
			}
			if p.Op != scenario.Call || !t.Caps.Has(subject.CapTighten) {
				v.Saw("a later pass")
			}
		}
	}
}

// fits reports whether a single text is within everything that bounds its body at a call.
func (p pass) fits() bool {
	n := p.Limits.Unit.Count(p.made.Output.Text)
	for _, bound := range []int{p.budget(), p.Limits.Entry(p.tool), p.gate()} {
		if bound >= 0 && n > bound {
			return false
		}
	}
	return p.tool.Budget != 0 || p.Limits.Lines < 0 || p.lines() <= p.Limits.Lines
}

// gate is the size above which the output is offloaded, or -1.
func (p pass) gate() int {
	if p.Limits.Threshold < 0 || p.tool.Exempt || p.made.Output.Bounded {
		return -1
	}
	return p.Limits.Threshold + max(0, p.Limits.Headroom)
}

func checkKept(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		if p.Op != scenario.Call || !p.single() || !p.fits() {
			continue
		}
		if p.made.Output.Text == "" {
			continue
		}
		v.Saw("a text below the budget")
		if p.Limits.Unit.Count(p.raw()) == p.budget() {
			v.Saw("a text at the budget")
		}
		if p.tool.Budget == 0 && p.lines() == p.Limits.Lines {
			v.Saw("a text at the line cap")
		}
		switch {
		case !p.whole():
			v.Failf("%s: a text of %d within its bounds was changed to %q", p.name(), p.Limits.Unit.Count(p.raw()), quoted(p.out.Text))
		case p.out.State != bounding.Raw && p.out.State != bounding.Kept:
			v.Failf("%s: a text within its bounds is said to be %v", p.name(), p.out.State)
		case p.stores(t):
			v.Failf("%s: a text within its bounds was stored", p.name())
		}
	}
}

// maxNotice is what a notice with a usual locator may measure: a text that is no longer need not give way to one.
const maxNotice = 1_000

func checkStrict(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		if p.Op != scenario.Call || !p.single() || p.made.Output.Bounded {
			continue
		}
		n := p.Limits.Unit.Count(p.raw())
		gate := p.gate()
		gated := gate >= 0
		switch {
		case gated && n == gate+1:
			v.Saw("one above the gate")
			if p.whole() {
				v.Failf("%s: %d, one above the gate of %d, is left as it is", p.name(), n, gate)
			} else if p.out.State == bounding.Trimmed || p.out.State == bounding.Kept {
				v.Failf("%s: %d, one above the gate of %d, is %v instead of stubbed", p.name(), n, gate, p.out.State)
			}
		case gated && n == gate && p.Limits.Headroom > 0:
			v.Saw("at the gate")
			if p.out.State == bounding.Stubbed {
				v.Failf("%s: %d, exactly the gate, is stubbed", p.name(), n)
			}
		}
		if b := p.budget(); b >= 0 && n == b+1 {
			v.Saw("one above the budget")
			if p.whole() {
				v.Failf("%s: %d, one above the budget of %d, is left as it is", p.name(), n, b)
			}
		}
		if p.tool.Budget == 0 && p.Limits.Lines >= 0 && p.lines() == p.Limits.Lines+1 && n > maxNotice && (p.budget() < 0 || n <= p.budget()) {
			v.Saw("one above the line cap")
			if p.whole() {
				v.Failf("%s: %d lines, one above the cap of %d, are left as they are", p.name(), p.lines(), p.Limits.Lines)
			}
		}
	}
}

func checkShorter(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		if p.Op != scenario.Call || !p.single() || p.whole() {
			continue
		}
		v.Saw("a text that was cut")
		if before, after := p.Limits.Unit.Count(p.raw()), p.body(); after >= before {
			v.Failf("%s: a text of %d was replaced by one of %d", p.name(), before, after)
		}
	}
}

func checkNoLineCap(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		if p.Op != scenario.Call || !p.single() || p.tool.Budget == 0 || !p.fits() || p.Limits.Lines < 0 || p.lines() <= p.Limits.Lines {
			continue
		}
		v.Saw("more lines than the cap, within a declared budget")
		if !p.whole() {
			v.Failf("%s: %d lines of a tool with a budget of %d were cut", p.name(), p.lines(), p.tool.Budget)
		}
	}
}

func checkEnds(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		keep := p.tool.Keep
		if p.out.State == bounding.Stubbed {
			keep = p.Limits.StubKeep
		}
		raw := p.raw()
		if p.Op != scenario.Call || !p.single() || keep != 0 || p.whole() || !printable(raw) {
			continue
		}
		room := p.budget()
		if p.out.State == bounding.Stubbed {
			room = p.Limits.Preview
		} else if room -= maxNotice; !strings.Contains(p.out.Text, "\n") { // there may be no room beside the notice
			room = min(room, p.budget()-200)
		}
		tight := func(bound int) bool { return bound >= 0 && bound < 400+room }
		if room < 40 || tight(p.budget()) || tight(p.Limits.Entry(p.tool)) || tight(p.Limits.Unit.Count(raw)) {
			continue
		}
		if p.out.State == bounding.Stubbed {
			v.Saw("a stub")
		} else {
			v.Saw("a trimmed text")
		}
		if few := 8; p.tool.Budget == 0 && p.Limits.Lines >= 0 && p.Limits.Lines < few {
			continue // the notice alone takes some lines
		}
		head, tail := shown(p.out.Text, raw)
		even := tail >= head/2 || p.lines() > 1 // a line may be left out whole at either side
		if head == 0 || tail == 0 || !even {
			v.Failf("%s: of %d bytes, %d of the beginning and %d of the end are shown", p.name(), len(raw), head, tail)
		}
	}
}

func checkOwn(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		raw := p.raw()
		if p.single() && p.out.Locator != "" && p.out.SHA256 != "" {
			sum := sha256.Sum256([]byte(raw))
			if p.out.SHA256 != hex.EncodeToString(sum[:]) || p.out.Bytes != int64(len(raw)) {
				v.Failf("%s: the output has %d bytes, sha256 %x, and the result says %d, %s", p.name(), len(raw), sum, p.out.Bytes, p.out.SHA256)
			}
		}
		own := raw + strings.Join(p.made.Output.Metadata, "\n\n") + p.made.Output.Call.ID + p.out.Locator
		for i, other := range t.Made {
			const piece = 16
			foreign := rawText(&other.Output)
			if i == p.of || len(foreign) < piece || !printable(foreign) || looksBounded(foreign) {
				continue
			}
			if !p.whole() && i < p.of {
				v.Saw("an output after another one, shortened")
			}
			for _, chunk := range []string{foreign[:piece], foreign[len(foreign)-piece:]} {
				chunk = strings.TrimSpace(chunk) // a notice has line ends of its own
				if len(chunk) >= piece-2 && strings.Contains(p.out.Text, chunk) && !strings.Contains(own, chunk) {
					v.Failf("%s: the entry shows %q, which is of text %d", p.name(), chunk, i)
				}
			}
		}
	}
}

func checkReturns(t *trace.Trace, v *Verdict) {
	for _, e := range t.Events {
		if e.Op != scenario.Call && e.Op != scenario.Tighten {
			continue
		}
		if e.Broken != nil {
			v.Failf("step %d: %s did not return: %s: %s", e.Step, e.Op, e.Broken.Kind, firstLine(e.Broken.Detail))
			return
		}
		if e.Skipped || e.Limits.Validate() != nil {
			continue
		}
		if e.Err != nil {
			v.Failf("step %d: %s returned an error for limits that can be: %.200v", e.Step, e.Op, e.Err)
			continue
		}
		if e.Limits.Preview == 0 {
			v.Saw("no preview")
		}
		if e.Limits.Threshold == 0 {
			v.Saw("a budget of 0")
		}
		if n := e.Limits.Threshold; n > 0 && n < 60 {
			v.Saw("a budget that is shorter than a notice")
		}
	}
}

func checkInversion(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		budget := p.budget()
		if budget < 0 || !p.textual() {
			continue
		}
		n := p.Limits.Unit.Count(p.raw())
		switch {
		case n > budget && p.made.Output.Bounded && n > p.Limits.Threshold+p.Limits.Headroom:
			v.Saw("above the gate and bounded by its producer")
		case n > 2*budget:
			v.Saw("above twice the budget")
		case n > budget:
			v.Saw("just above the budget")
		}
		if body := p.body(); body > budget {
			v.Failf("%s: of an output of %d, %d stay, and the budget of its tool is %d", p.name(), n, body, budget)
		}
	}
}

func checkExempt(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		if !p.tool.Exempt {
			continue
		}
		n := p.Limits.Unit.Count(p.raw())
		if b := p.budget(); b >= 0 && n > b && p.textual() {
			v.Saw("an exempt tool above its own budget")
			if p.body() > b {
				v.Failf("%s: an exempt tool keeps %d of its budget of %d", p.name(), p.body(), b)
			}
		}
		if p.Op == scenario.Batch && p.Limits.Batch >= 0 && n > p.Limits.Batch {
			if p.budget() < 0 {
				v.Saw("an exempt tool without a budget above the batch budget")
			}
			if p.size() > p.Limits.Batch {
				v.Failf("%s: an exempt tool keeps %d of a batch budget of %d", p.name(), p.size(), p.Limits.Batch)
			}
		}
	}
}

func checkNotEmpty(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		if p.Op != scenario.Call || len(p.made.Output.Metadata) > 0 {
			continue
		}
		raw := p.raw()
		switch {
		case raw == "":
			v.Saw("an empty output")
			if p.out.Text != "" && p.out.State != bounding.Raw {
				v.Failf("%s: an empty output became %q", p.name(), quoted(p.out.Text))
			}
		case strings.TrimSpace(raw) == "":
			v.Saw("a blank output")
		default:
			if len(p.out.Media) > 0 {
				v.Saw("a text and media")
			}
			// A combined bound below the budget of the tool comes with the batch.
			if b := p.budget(); (b < 0 || b > 0) && p.Limits.Entry(p.tool) != 0 && strings.TrimSpace(p.out.Text) == "" && p.Limits.Unit.Count(raw) > 0 && !whitespaceCut(raw) {
				v.Failf("%s: a text of %d became nothing", p.name(), p.Limits.Unit.Count(raw))
			}
		}
	}
}

// whitespaceCut reports whether the ends of a text are blank, so that a short cut of it may be.
func whitespaceCut(raw string) bool {
	return strings.TrimSpace(raw[:1]) == "" || strings.TrimSpace(raw[len(raw)-1:]) == ""
}

// mediaOf returns the media of an output in order.
func mediaOf(out *bounding.Output) []bounding.Media {
	var list []bounding.Media
	var add func(parts []bounding.Part)
	add = func(parts []bounding.Part) {
		for _, part := range parts {
			if part.Media != nil {
				list = append(list, *part.Media)
			}
			add(part.Parts)
		}
	}
	add(out.Parts)
	return list
}

func checkMediaKept(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		want := mediaOf(&p.made.Output)
		if len(want) > 0 {
			if p.body() < p.Limits.Unit.Count(p.raw()) {
				v.Saw("media in a shortened output")
			}
			if p.made.Output.Parts[0].Parts != nil {
				v.Saw("nested media")
			}
		}
		if !slices.EqualFunc(want, p.out.Media, sameMedium) {
			v.Failf("%s: the output has %d media, and the result has %d, or others", p.name(), len(want), len(p.out.Media))
		}
	}
}

func checkErrors(t *trace.Trace, v *Verdict) {
	for p := range passes(t) {
		failed := p.made.Output.Status != bounding.Success
		if p.out.Failed != failed {
			v.Failf("%s: the call ended with %v, and the result says failed=%t", p.name(), p.made.Output.Status, p.out.Failed)
		}
		if !failed {
			continue
		}
		switch p.made.Output.Status {
		case bounding.TimedOut:
			v.Saw("a timeout")
		case bounding.Cancelled:
			v.Saw("a cancelled call")
		}
		if bound := p.Limits.Entry(p.tool); bound >= 0 && p.Limits.Unit.Count(p.raw()) > bound {
			v.Saw("an error above its bound")
		}
		within(p, v)
	}
}
