package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// slice applies the bounds of s[low:high]: the high end is a number that does not grow with s, or the low end is the
// length less such a number.
func (f *function) slice(instr *ssa.Slice) {
	x := f.eval(instr.X, instr)
	if x.empty() {
		return
	}
	if b, ok := f.window(instr); ok {
		x = f.settle(instr, x, b)
	}
	f.set(instr, x)
}

// window reports whether a slice expression gives at most a fixed number of elements.
func (f *function) window(instr *ssa.Slice) (bounding, bool) {
	none := noBound
	if p, ok := instr.X.Type().Underlying().(*types.Pointer); ok {
		if _, ok := p.Elem().Underlying().(*types.Array); ok {
			return none, false
		}
	}
	if instr.High != nil {
		if b, ok := f.boundedIntAt(instr.High, instr.Block()); ok {
			return b, true
		}
		if b, ok := f.charIndex(instr.High, instr.Block()); ok {
			return b, true
		}
		// low+k, for whatever low.
		if instr.Low != nil && !f.intBusy[instr.Low] {
			if b, ok := f.above(instr.High, instr.Low, instr.Block(), 0); ok {
				return b, true
			}
		}
	}
	if instr.Low != nil && instr.High == nil {
		return f.tail(instr.Low, instr.Block(), 0)
	}
	return none, false
}

// above reports whether high is at most low plus a bounded number.
func (f *function) above(high, low ssa.Value, b *ssa.BasicBlock, depth int) (bounding, bool) {
	none := noBound
	if depth > 4 {
		return none, false
	}
	switch h := high.(type) {
	case *ssa.BinOp:
		if h.Op == token.ADD {
			if h.X == low {
				return f.boundedIntAt(h.Y, b)
			}
			if h.Y == low {
				return f.boundedIntAt(h.X, b)
			}
		}
	case *ssa.Call:
		if bi, ok := h.Call.Value.(*ssa.Builtin); ok && bi.Name() == "min" {
			for _, a := range h.Call.Args {
				if r, ok := f.above(a, low, b, depth+1); ok {
					return r, true
				}
			}
		}
	case *ssa.Phi:
		out := bounding{limit: 0, by: -1}
		for i, e := range h.Edges {
			r, ok := f.above(e, low, h.Block().Preds[i], depth+1)
			if !ok {
				if r, ok = f.intGuard(e, h.Block().Preds[i], h.Block()); !ok {
					if r, ok = f.cappedBy(e, low, h, i); !ok {
						return none, false
					}
				}
			}
			out.limit = joinLimit(out.limit, r.limit)
		}
		return out, true
	}
	return none, false
}

// cappedBy handles "end := low+k; if end > len(x) { end = len(x) }": on that edge len(x) is below low+k.
func (f *function) cappedBy(e, low ssa.Value, phi *ssa.Phi, i int) (bounding, bool) {
	none := noBound
	pred := phi.Block().Preds[i]
	for b, to := pred, phi.Block(); b != nil; b, to = b.Idom(), b {
		br, ok := lastIf(b)
		if !ok || b == to {
			continue
		}
		c, ok := br.Cond.(*ssa.BinOp)
		if !ok {
			continue
		}
		for _, other := range [...]ssa.Value{c.X, c.Y} {
			if other == e || f.sameLen(other, e) {
				continue
			}
			if c.X != e && c.Y != e && !f.sameLen(c.X, e) && !f.sameLen(c.Y, e) {
				continue
			}
			if r, ok := f.above(other, low, b, 3); ok {
				return r, true
			}
		}
		if b != pred {
			break
		}
	}
	return none, false
}

// tail reports whether low is a length less a bounded number.
func (f *function) tail(low ssa.Value, b *ssa.BasicBlock, depth int) (bounding, bool) {
	none := noBound
	if depth > 4 {
		return none, false
	}
	switch l := low.(type) {
	case *ssa.BinOp:
		if l.Op == token.SUB {
			var g guard
			f.measure(l.X, &g)
			if len(g.values) > 0 {
				return f.boundedIntAt(l.Y, b)
			}
		}
		// Moving forward to a rune or line border keeps the tail short.
		if l.Op == token.ADD {
			if r, ok := f.tail(l.X, b, depth+1); ok {
				return r, true
			}
		}
	case *ssa.Call:
		if bi, ok := l.Call.Value.(*ssa.Builtin); ok && bi.Name() == "max" {
			for _, a := range l.Call.Args {
				if r, ok := f.tail(a, b, depth+1); ok {
					return r, true
				}
			}
		}
	case *ssa.Phi:
		found, limit := false, int64(noLimit)
		by := int16(-1)
		for _, e := range l.Edges {
			if _, ok := e.(*ssa.Const); ok {
				continue // max(0, len-k) written out
			}
			if bin, ok := e.(*ssa.BinOp); ok && bin.Op == token.ADD && bin.X == l {
				continue
			}
			r, ok := f.tail(e, b, depth+1)
			if !ok {
				return none, false
			}
			found, limit, by = true, r.limit, r.by
		}
		return bounding{limit: limit, by: by}, found
	}
	return none, false
}
