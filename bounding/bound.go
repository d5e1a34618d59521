package bounding

import (
	"context"
	"crypto/sha256"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/text"
)

// boundBody applies gate, budget and line cap to a raw text.
//
// spec: OFF-2, OFF-3
func (p *Pipeline) boundBody(ctx context.Context, r *Result, tool Tool, raw string, bounded bool) Cause {
	l := &p.limits
	budget, lines, gate := l.Budget(tool), l.lines(tool), l.gate()
	if tool.Exempt || bounded {
		gate = Unlimited
	}
	sel := text.Select(raw, ends(l, tool, r.unit, gate, len(raw)))
	head, tail := sel.Head, sel.Tail
	if !sel.Cut() {
		tail = sel.Head
	}

	r.body = piece{shown: raw, total: sel.Total, units: sel.Total.In(r.unit), outcome: r.body.outcome, ref: r.body.ref}
	r.state = Kept
	c := cut{what: "output", keep: tool.Keep, max: finite(budget), preview: math.MaxInt, lines: lines}
	cause := WithinBounds
	switch {
	case over(r.body.units, gate):
		c.keep, c.preview = l.StubKeep, l.Preview
		c.max = lower(budget, r.body.units-1) // a preview may be allowed more than the whole text has
		p.shortenBody(ctx, r, head, tail, c)
		r.state, cause = Stubbed, GateBound
	case over(r.body.units, budget):
		p.shortenBody(ctx, r, head, tail, c)
		cause = ToolBound
	case over(sel.Total.Lines, lines):
		cause = p.capLines(ctx, r, head, tail, c)
	}
	if !r.body.cut {
		r.body.clean()
	}
	return cause
}

// ends says what to take of both ends of a text in the one pass that measures it, before it is known which form it will
// have: enough for either. A text of so many bytes that it is over the gate in any unit needs only what a stub shows.
func ends(l *Limits, tool Tool, u text.Unit, gate, bytes int) text.Options {
	o := text.Options{Unit: u, Exact: true}
	if gate >= 0 {
		o.Head, o.Tail = l.StubKeep.Split(l.Preview)
		if bytes/utf8.UTFMax > gate {
			return o
		}
	}
	head, tail := tool.Keep.Split(finite(l.Budget(tool)))
	o.Head, o.Tail = max(o.Head, head), max(o.Tail, tail)
	return o
}

// finite turns a limit that may be Unlimited into a number to calculate with.
func finite(limit int) int {
	if limit < 0 {
		return math.MaxInt
	}
	return limit
}

// usualLocator is the length of the path of an artifact in a temporary directory.
const usualLocator = 120

// capLines shortens a text that has too many lines and is within its budget otherwise. Where lines are so short that the
// notice would take more room than they do, the text stays.
//
// spec: OFF-3, UNI-5
func (p *Pipeline) capLines(ctx context.Context, r *Result, head, tail string, c cut) Cause {
	keptHead, keptTail := narrow(r.unit, head, tail, c, c.max)
	probe := r.body // tells about how long the notice will be, before anything is stored
	probe.outcome = Saved
	probe.ref = spill.Ref{Locator: strings.Repeat("/", usualLocator), SHA256: strings.Repeat("0", 2*sha256.Size)}
	envelope := probe.notice(r.unit, c.what).String() + "\n" + mark(r.unit, 0)
	if r.unit.Count(keptHead)+r.unit.Count(keptTail)+r.unit.Count(envelope) >= r.body.units {
		return WithinBounds
	}
	before := *r
	p.shortenBody(ctx, r, head, tail, c)
	if r.body.units >= before.body.units {
		before.body.outcome, before.body.ref = r.body.outcome, r.body.ref
		*r = before
		return WithinBounds
	}
	return ToolBound
}

// shortenBody saves the body and shortens it. The ends are what it is cut from.
func (p *Pipeline) shortenBody(ctx context.Context, r *Result, head, tail string, c cut) {
	p.save(ctx, r.call, "result", &r.body)
	r.body = r.body.shorten(r.unit, head, tail, c)
	r.parts = nil
	if r.state == Kept {
		r.state = Trimmed
	}
}

// shortenMetadata does the same for the metadata, which keeps both of its ends.
//
// spec: OFF-7
func (p *Pipeline) shortenMetadata(ctx context.Context, r *Result, limit int) {
	p.save(ctx, r.call, "context", &r.meta)
	head, tail := r.meta.ends()
	r.meta = r.meta.shorten(r.unit, head, tail, cut{
		what: "context", keep: text.Both, max: limit, preview: math.MaxInt, lines: Unlimited,
	})
}

// squeeze brings a result down to limit units. The preview goes first, then the metadata, then the notice; the pointer of the
// body is what stays longest.
//
// spec: OFF-7, OFF-8
func (p *Pipeline) squeeze(ctx context.Context, r *Result, limit int) {
	if r.body.shown != "" && r.Size() > limit {
		room := limit - r.meta.units - r.sep()
		floor := func() int { return min(p.floor(&r.body), r.body.units, limit) }
		if max(room, floor()) < r.body.units {
			p.save(ctx, r.call, "result", &r.body) // now the pointer is known
			p.shortenTo(ctx, r, max(room, floor()))
		}
	}
	if r.meta.shown != "" && r.Size() > limit {
		p.shortenMetadata(ctx, r, max(0, limit-r.body.units-r.sep()))
	}
}

// floor is the size at which the pointer of a piece is still whole. A piece that was not saved yet has none; a usual one
// is reckoned with, up to its own size.
func (p *Pipeline) floor(piece *piece) int {
	if piece.outcome == NotNeeded {
		return min(piece.units, usualLocator)
	}
	return p.limits.Unit.Count(piece.notice(p.limits.Unit, "").Pointer)
}
