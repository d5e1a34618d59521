package invariants

import (
	"iter"
	"maps"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/text"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// pass is one bound that a result went through: the first one, a later one, or that of its message.
type pass struct {
	*trace.Event
	index int            // of the result in the event
	of    int            // number of the text
	made  *trace.Made    // what the tool brought
	in    subject.Result // before the pass; of a call, nothing
	out   subject.Result
	tool  bounding.Tool
	same  bool // the limits are those of the pass before
	// batched says that the message was brought within the batch budget.
	batched bool
}

// passes yields what each result went through, in order, where the subject did what it was asked under limits that can be.
func passes(t *trace.Trace) iter.Seq[pass] {
	return func(yield func(pass) bool) {
		last := map[int]bounding.Limits{}
		for i := range t.Events {
			e := &t.Events[i]
			if e.Skipped || e.Err != nil || e.Broken != nil || e.Limits.Validate() != nil {
				continue
			}
			switch e.Op {
			case scenario.Call, scenario.Tighten, scenario.Batch:
			default:
				continue
			}
			for j, of := range e.Of {
				if j >= len(e.Out) {
					break
				}
				before, known := last[of]
				p := pass{Event: e, index: j, of: of, made: &t.Made[of], out: e.Out[j], same: !known || sameLimits(before, e.Limits),
					batched: e.Op == scenario.Batch && t.Caps.Has(subject.CapBatch)}
				if j < len(e.In) {
					p.in = e.In[j]
				}
				p.tool = e.Limits.Tool(p.made.Output.Call.Tool)
				last[of] = e.Limits
				if !yield(p) {
					return
				}
			}
		}
	}
}

func sameLimits(a, b bounding.Limits) bool {
	if !maps.Equal(a.Tools, b.Tools) || !maps.Equal(a.Aliases, b.Aliases) {
		return false
	}
	a.Tools, b.Tools, a.Aliases, b.Aliases = nil, nil, nil, nil
	return reflect.DeepEqual(a, b)
}

// size is what the text of the result measures, and body what it measures without its metadata.
func (p pass) size() int { return p.Limits.Unit.Count(p.out.Text) }
func (p pass) body() int { return p.Limits.Unit.Count(bodyWithout(p.out)) }

// raw is the text that the tool brought: all text parts, one after the other.
func (p pass) raw() string { return rawText(&p.made.Output) }

func rawText(out *bounding.Output) string {
	if len(out.Parts) == 0 {
		return out.Text
	}
	var b strings.Builder
	b.WriteString(out.Text)
	var add func(parts []bounding.Part)
	add = func(parts []bounding.Part) {
		for _, part := range parts {
			b.WriteString(part.Text)
			add(part.Parts)
		}
	}
	add(out.Parts)
	return b.String()
}

// joined reports whether an output has more than one text: what stands between them is the subject's own.
func joined(out *bounding.Output) bool {
	texts := 0
	if out.Text != "" {
		texts++
	}
	var count func(parts []bounding.Part)
	count = func(parts []bounding.Part) {
		for _, part := range parts {
			if part.Text != "" {
				texts++
			}
			count(part.Parts)
		}
	}
	count(out.Parts)
	return texts > 1
}

// single reports whether the output is one text, with no parts and no metadata beside it.
func (p pass) single() bool {
	return len(p.made.Output.Parts) == 0 && len(p.made.Output.Metadata) == 0
}

// textual reports whether the output has no metadata, so that all of the text is the body.
func (p pass) textual() bool { return len(p.made.Output.Metadata) == 0 || p.out.Metadata != "" }

// whole reports whether the body shows all of a single text, invalid bytes as U+FFFD.
func (p pass) whole() bool {
	body := bodyWithout(p.out)
	return body == p.made.Output.Text || body == text.Clean(p.made.Output.Text)
}

// budget is the bound of the body, or -1.
func (p pass) budget() int { return p.Limits.Budget(p.tool) }

// lines is the number of lines of the raw text. A newline at its end ends the last one.
func (p pass) lines() int {
	raw := p.raw()
	n := strings.Count(raw, "\n")
	if raw != "" && !strings.HasSuffix(raw, "\n") {
		n++
	}
	return n
}

// stores reports whether the pass stored something, as far as the listings of a storage that does not fail tell.
func (p pass) stores(t *trace.Trace) bool {
	before := 0
	for _, e := range t.Events[:p.Step] {
		if e.Skipped || e.Err != nil {
			continue
		}
		switch e.Op {
		case scenario.Call, scenario.Tighten, scenario.Batch, scenario.Save, scenario.Reference:
			before = len(e.Stored)
		case scenario.Fault, scenario.Crash, scenario.Sweep:
			return false
		}
	}
	return len(p.Stored) > before
}

// name says which pass it is, for messages.
func (p pass) name() string {
	return "step " + itoa(p.Step) + ", " + p.Op.String() + ", text " + itoa(p.of)
}

// looksBounded reports whether a text has in it what systems in use take for a sign that it was bounded.
func looksBounded(s string) bool {
	for _, u := range scenario.Units {
		switch u.Name {
		case "placeholder", "truncated", "marker", "persisted", "shortened", "omitted":
			if strings.Contains(s, u.Text) {
				return true
			}
		}
	}
	return false
}

// shown returns how much of the beginning and of the end of a raw text is in a text: the longest beginning anywhere in it,
// and the longest end at its end.
func shown(body, raw string) (head, tail int) {
	for tail < len(body) && tail < len(raw) && body[len(body)-1-tail] == raw[len(raw)-1-tail] {
		tail++
	}
	rest := body[:len(body)-tail]
	low, high := 0, min(len(rest), len(raw)-tail)
	for low < high { // a beginning of a beginning is there, too
		middle := low + (high-low+1)/2
		if strings.Contains(rest, raw[:middle]) {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low, tail
}

// printable reports whether a text is ASCII without control characters but newlines: where it is cut is up to the budget
// alone.
func printable(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || c < ' ' && c != '\n' || c == 0x7f {
			return false
		}
	}
	return true
}

// quoted is the beginning of a text as messages quote it.
func quoted(s string) string {
	const most = 60
	for i := range s {
		if i > most {
			return s[:i] + "…"
		}
	}
	return s
}
