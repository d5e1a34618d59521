package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// notYet is the guard that x != y gives if x is a count that goes up to y: a loop that stops when they are equal.
func (f *function) notYet(c *ssa.BinOp) []guard {
	if k, ok := c.Y.(*ssa.Const); ok && (k.Value == nil || k.Value.Kind() != constant.Int || constant.Sign(k.Value) <= 0) {
		return nil
	}
	var out []guard
	for _, g := range f.atMost(c.X, c.Y) {
		list := len(g.values) > 0
		for _, v := range g.values {
			list = list && !isText(v.Type())
		}
		if g.count || list {
			out = append(out, g)
		}
	}
	return out
}

// meet lists the guards that hold in a block because each way into it has one that speaks of the same value: what was
// found short here, or where a limit of zero was found to switch the bound off there.
func (f *function) meet(b *ssa.BasicBlock) []guard {
	if len(b.Preds) < 2 || len(b.Preds) > 4 {
		return nil
	}
	for _, pred := range b.Preds {
		if b.Dominates(pred) {
			return nil
		}
	}
	var out []guard
	for _, g := range f.edgeGuards(b.Preds[0], b) {
		for _, v := range g.values {
			all := guard{values: []ssa.Value{v}, bounding: g.bounding}
			ok := true
			for _, pred := range b.Preds[1:] {
				o, found := f.guardFor(v, f.edgeGuards(pred, b), nil)
				if !found {
					o, found = f.guardFor(v, f.guardsAt(pred), nil)
				}
				if !found {
					ok = false
					break
				}
				switch {
				case all.by >= 0 && o.by < 0 && o.limit == noLimit:
				case o.by >= 0 && all.by < 0:
					all.by = o.by
				}
				all.limit = joinLimit(all.limit, o.limit)
			}
			if ok {
				out = append(out, all)
			}
		}
	}
	return out
}

// configured reports whether a table of limits is part of the configuration: it was not made here.
func (f *function) configured(m ssa.Value) bool {
	as := f.addrOf(m)
	for _, a := range as {
		switch a.root.(type) {
		case *ssa.MakeMap, *ssa.Alloc, *ssa.Call:
			return false
		}
	}
	return len(as) > 0
}

// modelsChoice reports whether a variable is filled in from the arguments that the model gives to a tool: decoded from
// what the function was passed, and not from what it read.
func (f *function) modelsChoice(al *ssa.Alloc) bool {
	if st, ok := deref(al.Type()).Underlying().(*types.Struct); !ok || !tagged(st) {
		return false
	}
	for _, ref := range *al.Referrers() {
		mi, ok := ref.(*ssa.MakeInterface)
		if !ok {
			continue
		}
		for _, use := range *mi.Referrers() {
			call, ok := use.(*ssa.Call)
			if !ok {
				continue
			}
			name, _, args := calleeName(&call.Call)
			if !strings.HasPrefix(name, "Unmarshal") && name != "Decode" {
				continue
			}
			for _, a := range args {
				if isText(a.Type()) && f.given(a, call) {
					return true
				}
			}
		}
	}
	return false
}

// given reports whether a text comes from the function's parameters only.
func (f *function) given(v ssa.Value, at ssa.Instruction) bool {
	x := f.eval(v, at).all()
	for _, e := range x {
		if f.p.origin(e.id).kind == fromSource {
			return false
		}
	}
	return true
}

// tagged reports whether a struct is one that JSON is decoded into.
func tagged(st *types.Struct) bool {
	for i := range st.NumFields() {
		if strings.Contains(st.Tag(i), "json:") {
			return true
		}
	}
	return false
}

// boundedChoice is boundedInt for a number that the model chose: it is bounded where something has put a ceiling on it.
func (f *function) boundedChoice(a addr, ld *ssa.UnOp) (bounding, bool) {
	out := bounding{limit: 0, by: -1}
	for _, r := range f.reachingDefs(a, ld) {
		switch {
		case r.guarded:
			out.limit = joinLimit(out.limit, r.limit)
			continue
		case r.instr == nil:
			return noBound, false
		}
		st, ok := r.instr.(*ssa.Store)
		if !ok {
			return noBound, false
		}
		b, ok := f.boundedIntAt(st.Val, st.Block())
		if !ok {
			return b, false
		}
		out.limit = joinLimit(out.limit, b.limit)
	}
	return out, true
}

// ranDry is the guard that holds when a loop over a text has come to its end, if the loop counts on the way and would
// have stopped at a limit: then the text has no more than that many characters.
func (f *function) ranDry(br *ssa.If, outcome bool) []guard {
	text, ok := rangedText(br)
	if outcome || !ok {
		return nil
	}
	var out []guard
	for _, b := range f.loop(br.Block()) {
		stop, ok := lastIf(b)
		if !ok || b == br.Block() {
			continue
		}
		for i, stay := range b.Succs {
			if !f.inLoop(br.Block(), stay) || f.inLoop(br.Block(), b.Succs[1-i]) || !everyRound(br.Block(), b) {
				continue
			}
			for _, g := range f.condition(stop.Cond, i == 0) {
				if g.count {
					out = append(out, guard{values: []ssa.Value{text}, bounding: g.bounding})
				}
			}
		}
	}
	return out
}

// rangedText is the text that a branch at the head of a loop goes through.
func rangedText(br *ssa.If) (ssa.Value, bool) {
	ex, ok := br.Cond.(*ssa.Extract)
	if !ok || ex.Index != 0 {
		return nil, false
	}
	next, ok := ex.Tuple.(*ssa.Next)
	if !ok || !next.IsString {
		return nil, false
	}
	r, ok := next.Iter.(*ssa.Range)
	if !ok {
		return nil, false
	}
	return r.X, true
}

func (f *function) inLoop(header, b *ssa.BasicBlock) bool {
	for _, x := range f.loop(header) {
		if x == b {
			return true
		}
	}
	return false
}

// everyRound reports whether each round of a loop passes block b.
func everyRound(header, b *ssa.BasicBlock) bool {
	for _, pred := range header.Preds {
		if header.Dominates(pred) && !b.Dominates(pred) {
			return false
		}
	}
	return true
}

// charIndex reports whether a number is the position in a loop over a text at which a count has been found to be at
// its limit.
func (f *function) charIndex(v ssa.Value, b *ssa.BasicBlock) (bounding, bool) {
	ex, ok := v.(*ssa.Extract)
	if !ok || ex.Index != 1 {
		return noBound, false
	}
	next, ok := ex.Tuple.(*ssa.Next)
	if !ok || !next.IsString {
		return noBound, false
	}
	for _, g := range f.guardsAt(b) {
		for _, n := range g.ints {
			if phi, ok := strip(n).(*ssa.Phi); ok && g.count && phi.Block() == next.Block() {
				return g.bounding, true
			}
		}
	}
	return noBound, false
}

// pinned is x as it is stored in a field that a model describes as bounded by a number in a field beside it.
func (f *function) pinned(fa *ssa.FieldAddr, x val) val {
	for _, r := range f.p.fieldRules[f.p.fieldOf(fa.X.Type(), fa.Field)] {
		if len(r.By) == 0 {
			continue
		}
		st, ok := deref(fa.X.Type()).Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for i := range st.NumFields() {
			if st.Field(i).Name() != r.By[0].Name {
				continue
			}
			for _, n := range f.p.storedIn(fa.X, i) {
				if b, ok := f.boundedIntAt(n, fa.Block()); ok {
					x = x.lowered(f.level(b.limit), b.limit, b.by)
				}
			}
		}
	}
	return x
}

// room is how much fits into what a copy goes to, if it was not made to fit.
func (f *function) room(dst ssa.Value, b *ssa.BasicBlock) (bounding, bool) {
	switch d := dst.(type) {
	case *ssa.MakeSlice:
		return f.boundedIntAt(d.Len, b)
	case *ssa.Slice:
		if w, ok := f.window(d); ok {
			return w, true
		}
		if arr, ok := deref(d.X.Type()).Underlying().(*types.Array); ok {
			return bounding{limit: arr.Len(), by: -1}, true
		}
		return f.room(d.X, b)
	}
	return noBound, false
}

// feeds reports whether a text is put together from what sum gave in an earlier round of a loop.
func feeds(v ssa.Value, sum *ssa.BinOp, seen map[ssa.Value]bool) bool {
	if v == sum {
		return true
	}
	if seen[v] {
		return false
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Phi:
		for _, e := range v.Edges {
			if feeds(e, sum, seen) {
				return true
			}
		}
	case *ssa.BinOp:
		return v.Op == token.ADD && (feeds(v.X, sum, seen) || feeds(v.Y, sum, seen))
	}
	return false
}
