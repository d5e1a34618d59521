package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// boundedInt reports whether a number cannot grow with the output: constants, parameters, configuration, and what is
// computed from them.
func (f *function) boundedInt(v ssa.Value) (bounding, bool) {
	none := noBound
	if f.intBusy[v] {
		return none, false
	}
	f.intBusy[v] = true
	defer delete(f.intBusy, v)
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value != nil && v.Value.Kind() == constant.Int {
			if n, ok := constant.Int64Val(v.Value); ok {
				return bounding{limit: n, by: -1}, true
			}
		}
		return none, true
	case *ssa.Parameter:
		return bounding{limit: noLimit, by: int16(f.paramIndex(v))}, isInt(v.Type())
	case *ssa.Convert:
		return f.boundedInt(v.X)
	case *ssa.ChangeType:
		return f.boundedInt(v.X)
	case *ssa.BinOp:
		x, xok := f.boundedInt(v.X)
		y, yok := f.boundedInt(v.Y)
		switch v.Op {
		case token.SUB, token.QUO, token.SHR:
			if !xok {
				// A cycle that only counts down stays below where it began.
				if phi, ok := v.X.(*ssa.Phi); ok && f.intBusy[phi] {
					return none, true
				}
			}
			if xok && x.by < 0 && yok && y.by < 0 {
				return bounding{limit: fold(v.Op, x.limit, y.limit), by: -1}, true
			}
			return bounding{limit: x.limit, by: x.by}, xok
		case token.ADD, token.MUL, token.SHL:
			if !xok || !yok {
				return none, false
			}
			b := bounding{limit: fold(v.Op, x.limit, y.limit), by: -1}
			if x.by >= 0 {
				b.by = x.by
			} else {
				b.by = y.by
			}
			return b, true
		case token.REM, token.AND:
			return none, yok || v.Op == token.AND && xok
		}
		return none, false
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return none, false
		}
		as := f.addrOf(v.X)
		if len(as) != 1 {
			return none, false
		}
		switch root := as[0].root.(type) {
		case *ssa.Alloc:
			if f.modelsChoice(root) {
				return f.boundedChoice(as[0], v)
			}
			b, ok := f.boundedPlace(as[0])
			if ok && b.limit == noLimit && b.field == 0 {
				b.field = f.limitField(v)
			}
			return b, ok
		case *ssa.MakeSlice, *ssa.MakeMap:
			return f.boundedPlace(as[0])
		}
		return bounding{limit: noLimit, by: -1, field: f.limitField(v)}, true // configuration: a field or a package variable
	case *ssa.Field:
		return bounding{limit: noLimit, by: -1, field: f.limitField(v)}, true
	case *ssa.Lookup:
		return none, f.configured(v.X)
	case *ssa.Extract:
		if l, ok := v.Tuple.(*ssa.Lookup); ok && v.Index == 0 {
			return none, f.configured(l.X)
		}
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return f.boundedResult(call, v.Index)
		}
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok {
			return f.boundedBuiltin(b.Name(), v.Call.Args)
		}
		return f.boundedResult(v, 0)
	case *ssa.Phi:
		out := bounding{limit: 0, by: -1}
		for i, e := range v.Edges {
			b, ok := f.boundedInt(e)
			if !ok {
				if b, ok = f.intGuard(e, v.Block().Preds[i], v.Block()); !ok {
					if bin, isBin := e.(*ssa.BinOp); isBin && bin.Op == token.SUB && bin.X == v {
						continue
					}
					return none, false
				}
			}
			out.limit = joinLimit(out.limit, b.limit)
			if b.by >= 0 {
				out.by = b.by
			}
		}
		return out, true
	}
	return none, false
}

func fold(op token.Token, x, y int64) int64 {
	if x == noLimit || y == noLimit {
		return noLimit
	}
	switch op {
	case token.ADD:
		return x + y
	case token.SUB:
		return x - y
	case token.MUL:
		return x * y
	case token.QUO:
		if y != 0 {
			return x / y
		}
	case token.SHL:
		if y >= 0 && y < 40 && x < 1<<22 {
			return x << y
		}
	case token.SHR:
		if y >= 0 && y < 63 {
			return x >> y
		}
	}
	return noLimit
}

// boundedIntAt is boundedInt with the guards that hold at an instruction.
func (f *function) boundedIntAt(v ssa.Value, b *ssa.BasicBlock) (bounding, bool) {
	if r, ok := f.boundedInt(v); ok {
		return r, true
	}
	return f.intGuardIn(v, f.guardsAt(b))
}

func (f *function) intGuard(v ssa.Value, pred, b *ssa.BasicBlock) (bounding, bool) {
	if r, ok := f.intGuardIn(v, f.edgeGuards(pred, b)); ok {
		return r, true
	}
	return f.intGuardIn(v, f.guardsAt(pred))
}

func (f *function) intGuardIn(v ssa.Value, gs []guard) (bounding, bool) {
	for _, g := range gs {
		for _, n := range g.ints {
			if strip(n) == strip(v) || f.sameLen(n, v) {
				return g.bounding, true
			}
		}
	}
	return noBound, false
}

// sameLen reports whether two numbers are the lengths of one value.
func (f *function) sameLen(a, b ssa.Value) bool {
	ca, ok1 := strip(a).(*ssa.Call)
	cb, ok2 := strip(b).(*ssa.Call)
	if !ok1 || !ok2 {
		return false
	}
	va, _, ok1 := f.measured(ca)
	vb, _, ok2 := f.measured(cb)
	return ok1 && ok2 && va != nil && vb != nil && f.same(va, vb)
}

// boundedPlace asks whether every number stored in a local variable is bounded.
func (f *function) boundedPlace(a addr) (bounding, bool) {
	out := bounding{limit: 0, by: -1}
	found := false
	for _, d := range f.defs[a.root] {
		if d.path != a.path {
			if d.path == "" {
				return noBound, true // a struct from elsewhere: configuration
			}
			continue
		}
		st, ok := d.instr.(*ssa.Store)
		if !ok {
			return noBound, false
		}
		b, ok := f.boundedIntAt(st.Val, st.Block())
		if !ok {
			return b, false
		}
		found = true
		out.limit = joinLimit(out.limit, b.limit)
		if b.by >= 0 {
			out.by = b.by
		}
	}
	if !found {
		return noBound, true
	}
	return out, true
}

func (f *function) boundedBuiltin(name string, args []ssa.Value) (bounding, bool) {
	out := noBound
	switch name {
	case "min":
		found := false
		for _, a := range args {
			if b, ok := f.boundedInt(a); ok {
				if !found || out.limit == noLimit || b.limit != noLimit && b.limit < out.limit {
					out = b
				}
				found = true
			}
		}
		return out, found
	case "max":
		out.limit = 0
		for _, a := range args {
			b, ok := f.boundedInt(a)
			if !ok {
				return b, false
			}
			out.limit = joinLimit(out.limit, b.limit)
			if b.by >= 0 {
				out.by = b.by
			}
		}
		return out, true
	case "len", "cap":
		return out, f.shortText(args[0])
	}
	return out, false
}

// shortText reports whether a text is short by how it is made.
func (f *function) shortText(v ssa.Value) bool {
	switch v := strip(v).(type) {
	case *ssa.Const:
		return true
	case *ssa.Slice:
		if v.High != nil && !f.intBusy[v] {
			f.intBusy[v] = true
			defer delete(f.intBusy, v)
			_, ok := f.boundedIntAt(v.High, v.Block())
			return ok
		}
	case *ssa.Alloc:
		_, isArray := deref(v.Type()).Underlying().(*types.Array)
		return isArray
	}
	return false
}

// boundedResult asks whether a call gives a bounded number: an index into a short text, or a function of this package
// all of whose returns are bounded.
func (f *function) boundedResult(call *ssa.Call, i int) (bounding, bool) {
	none := noBound
	callee := origin0(call.Call.StaticCallee())
	if callee == nil {
		return none, false
	}
	if g := f.p.funcs[callee]; g != nil {
		if g == f || g.defs == nil {
			return none, false
		}
		out := bounding{limit: 0, by: -1}
		for _, b := range callee.Blocks {
			ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
			if !ok || i >= len(ret.Results) {
				continue
			}
			r, ok := g.boundedIntAt(ret.Results[i], b)
			if !ok {
				return none, false
			}
			if r.by >= 0 && int(r.by) < len(call.Call.Args) {
				if r, ok = f.boundedInt(call.Call.Args[r.by]); !ok {
					return none, false
				}
				out.by = r.by
			}
			out.limit = joinLimit(out.limit, r.limit)
		}
		return out, true
	}
	if callee.Pkg == nil {
		return none, false
	}
	switch p := callee.Pkg.Pkg.Path(); {
	case (p == "strings" || p == "bytes") && (strings.HasPrefix(callee.Name(), "Index") || strings.HasPrefix(callee.Name(), "LastIndex")):
		return none, f.shortText(call.Call.Args[0])
	case p == "unicode/utf8":
		return none, true
	}
	return none, false
}

func isInt(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}
