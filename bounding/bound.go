package bounding

import (
	"context"
	"crypto/sha256"
	"math"
	"strings"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/text"
)

// pass takes a result through all bounds. A new result is one transition, and so is each further bound that changes it.
//
// spec: OFF-1, OFF-7, OFF-12
func (p *Pipeline) pass(ctx context.Context, r *Result) {
	before, from := r.state, r.Size()
	tool := p.limits.Tool(r.call.Tool)
	if cause := p.boundBody(ctx, r, tool); before == Raw || cause != WithinBounds {
		p.transition(ctx, r, before, from, cause)
	}
	if limit := p.limits.metadata(tool, r.body.units); over(r.meta.units, limit) {
		from = r.Size()
		p.shortenMetadata(ctx, r, limit)
		p.transition(ctx, r, r.state, from, MetadataBound)
	}
	if over(r.Size(), p.limits.Batch) {
		before, from = r.state, r.Size()
		p.squeeze(ctx, r, p.limits.Batch)
		p.transition(ctx, r, before, from, BatchBound)
	}
	r.body.clean()
	r.meta.clean()
}

// boundBody applies gate, budget and line cap to a whole body, and cuts further what was cut before.
//
// spec: OFF-2, OFF-3
func (p *Pipeline) boundBody(ctx context.Context, r *Result, tool Tool) Cause {
	l := &p.limits
	budget, lines, gate := l.Budget(tool), l.lines(tool), l.gate()
	if tool.Exempt || r.bounded {
		gate = Unlimited
	}
	c := cut{what: outputText, keep: tool.Keep, max: finite(budget), preview: math.MaxInt, lines: lines}
	switch {
	case r.body.cut:
		if !over(r.body.units, budget) && !over(text.Measure(r.body.shown).Lines, lines) {
			return WithinBounds
		}
		p.shortenBody(ctx, r, c)
		return ToolBound
	case over(r.body.units, gate):
		c.keep, c.preview = l.StubKeep, l.Preview
		c.max = lower(budget, r.body.units-1) // a preview may be allowed more than the whole text has
		p.shortenBody(ctx, r, c)
		r.state = Stubbed
		return GateBound
	}
	r.state = Kept
	switch {
	case over(r.body.units, budget):
		p.shortenBody(ctx, r, c)
		return ToolBound
	case over(r.body.total.Lines, lines):
		return p.capLines(ctx, r, c)
	}
	return WithinBounds
}

// finite turns a limit that may be Unlimited into a number to calculate with.
func finite(limit int) int {
	if limit < 0 {
		return math.MaxInt
	}
	return limit
}

// capLines shortens a text that has too many lines and is within its budget otherwise. Only a text that is no longer than
// the notice about it stays as it is.
//
// spec: OFF-3, UNI-5
func (p *Pipeline) capLines(ctx context.Context, r *Result, c cut) Cause {
	c.max = min(c.max, r.body.units-1)
	located := r.body // with the shortest notice there may be
	if located.outcome == NotNeeded {
		located.outcome = Saved
		located.ref = spill.Ref{SHA256: strings.Repeat("0", 2*sha256.Size)}
	}
	fits := func(piece *piece) bool { return r.unit.Count(piece.notice(r.unit, c.what).String()) <= c.max }
	if !fits(&located) {
		return WithinBounds
	}
	if p.save(ctx, r.call, "result", &r.body); !fits(&r.body) {
		return WithinBounds
	}
	p.shortenBody(ctx, r, c)
	return ToolBound
}

// shortenBody saves the body and shortens it.
func (p *Pipeline) shortenBody(ctx context.Context, r *Result, c cut) {
	r.parts = nil
	if r.state == Cleared {
		r.body = r.body.placeholder(r.unit, c.max)
		return
	}
	p.save(ctx, r.call, "result", &r.body)
	r.body = r.body.shorten(r.unit, c)
	if r.state == Kept {
		r.state = Trimmed
	}
}

// shortenMetadata does the same for the metadata, which keeps both of its ends.
//
// spec: OFF-7
func (p *Pipeline) shortenMetadata(ctx context.Context, r *Result, limit int) {
	p.save(ctx, r.call, "context", &r.meta)
	r.meta = r.meta.shorten(r.unit, cut{
		what: contextText, keep: text.Both, max: limit, preview: math.MaxInt, lines: Unlimited,
	})
}

// squeeze brings a result down to limit units. The preview goes first, then the metadata, then the notice; the pointer of the
// body is what stays longest. A body that is shorter than its pointer stays whole as long.
//
// spec: OFF-7, OFF-8
func (p *Pipeline) squeeze(ctx context.Context, r *Result, limit int) {
	p.saveCut(ctx, r, limit)
	if body, _ := p.shares(r, limit); body < r.body.units {
		p.shortenTo(ctx, r, body)
	}
	if r.meta.shown != "" && r.Size() > limit {
		p.shortenMetadata(ctx, r, max(0, limit-r.body.units-r.sep()))
	}
}

// shares says how many of limit units are for the body and for the metadata of a result.
func (p *Pipeline) shares(r *Result, limit int) (body, meta int) {
	body, meta = r.body.units, r.meta.units
	if r.Size() <= limit {
		return body, meta
	}
	body = min(body, max(limit-meta-r.sep(), min(p.floor(&r.body), limit)))
	return body, min(meta, max(0, limit-body-r.sep()))
}

// saveCut saves what a limit would cut, so that the pointers are known before anything is, and reports whether it did.
func (p *Pipeline) saveCut(ctx context.Context, r *Result, limit int) bool {
	saved := false
	for {
		body, meta := p.shares(r, limit)
		switch {
		case body < r.body.units && r.body.outcome == NotNeeded:
			p.save(ctx, r.call, "result", &r.body)
		case meta < r.meta.units && r.meta.outcome == NotNeeded:
			p.save(ctx, r.call, "context", &r.meta)
		default:
			return saved
		}
		saved = true
	}
}

// usualLocator is the length of the path of an artifact in a temporary directory.
const usualLocator = 120

// floor is the size at which the pointer of a piece is still whole, or the piece itself if it is shorter. A piece that was
// not saved yet has none; a usual one is reckoned with.
func (p *Pipeline) floor(piece *piece) int {
	pointer := usualLocator
	if piece.outcome != NotNeeded {
		pointer = p.limits.Unit.Count(piece.notice(p.limits.Unit, "").Pointer)
	}
	return min(piece.units, pointer)
}

// floors is the size at which the pointers of both texts of a result are still whole.
func (p *Pipeline) floors(r *Result) int { return p.floor(&r.body) + r.sep() + p.floor(&r.meta) }
