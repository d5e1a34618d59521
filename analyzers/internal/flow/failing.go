package flow

import (
	"go/token"
	"go/types"
	"iter"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// failing reports whether a function ends here with an error that is surely not nil. Who calls it looks at the error
// then, and what is returned beside it is dropped, as is the custom.
func failing(ret *ssa.Return) bool {
	n := len(ret.Results)
	if n < 2 || !isError(ret.Results[n-1].Type()) {
		return false
	}
	err := ret.Results[n-1]
	switch v := err.(type) {
	case *ssa.MakeInterface:
		return true
	case *ssa.Call:
		if fn := v.Call.StaticCallee(); fn != nil && fn.Pkg != nil {
			switch fn.Pkg.Pkg.Name() {
			case "errors", "xerrors", "fmt":
				return fn.Name() == "Errorf" || fn.Name() == "New"
			}
		}
	case *ssa.UnOp:
		_, sentinel := v.X.(*ssa.Global)
		return sentinel
	}
	return isSet(err, ret.Block())
}

// isSet reports whether a branch has found out that an error is not nil.
func isSet(err ssa.Value, b *ssa.BasicBlock) bool {
	for c, outcome := range comparisonsAbove(b) {
		if c.X == err && isNil(c.Y) && (c.Op == token.NEQ && outcome || c.Op == token.EQL && !outcome) {
			return true
		}
	}
	return false
}

// neverEncoded reports whether a block runs only when a value could not be encoded, which text that was read can always
// be: what stands there is written for the compiler.
func neverEncoded(b *ssa.BasicBlock) bool {
	for c, outcome := range comparisonsAbove(b) {
		err, ok := c.X.(*ssa.Extract)
		if !ok || c.Op != token.NEQ || !isNil(c.Y) || !outcome {
			continue
		}
		if call, ok := err.Tuple.(*ssa.Call); ok {
			if fn := call.Call.StaticCallee(); fn != nil && fn.Pkg != nil && fn.Pkg.Pkg.Path() == "encoding/json" && strings.HasPrefix(fn.Name(), "Marshal") {
				return true
			}
		}
	}
	return false
}

// comparisonsAbove gives the comparisons that control has passed on every way to a block, nearest first, and how they
// came out.
func comparisonsAbove(b *ssa.BasicBlock) iter.Seq2[*ssa.BinOp, bool] {
	return func(yield func(*ssa.BinOp, bool) bool) {
		for ; b != nil; b = b.Idom() {
			if len(b.Preds) != 1 {
				continue
			}
			br, ok := lastIf(b.Preds[0])
			if !ok {
				continue
			}
			if c, ok := br.Cond.(*ssa.BinOp); ok && !yield(c, br.Block().Succs[0] == b) {
				return
			}
		}
	}
}

// failedAt reports whether a result is used where the call is known to have failed.
func failedAt(v *ssa.Extract, at ssa.Instruction) bool {
	call, ok := v.Tuple.(*ssa.Call)
	if !ok || at == nil {
		return false
	}
	results := call.Call.Signature().Results()
	last := results.Len() - 1
	if v.Index == last || !isError(results.At(last).Type()) || holdsBody(v.Type()) {
		return false
	}
	for _, ref := range *call.Referrers() {
		if err, ok := ref.(*ssa.Extract); ok && err.Index == last {
			return isSet(err, at.Block())
		}
	}
	return false
}

// holdsBody reports whether a type holds an HTTP response, which some clients give beside the error that they made of it.
func holdsBody(t types.Type) bool {
	st, ok := deref(t).Underlying().(*types.Struct)
	if !ok || typePkg(t) == "net/http" {
		return false
	}
	for f := range st.Fields() {
		if f.Name() == "Body" && hasMethod(f.Type(), "Read") || typePkg(f.Type()) == "net/http" {
			return true
		}
	}
	return false
}

// failed is what a result carries when the call has failed: a service that could not be asked has answered nothing.
func (f *function) failed(v *ssa.Extract) val {
	x := f.vals[v]
	out := val{whole: x.whole}
	answered := func(m mark) mark {
		var out mark
		for _, e := range m {
			asked := e.tr != nil && e.tr.prev == nil && e.tr.pos.pos == v.Tuple.Pos()
			if o := f.p.origin(e.id); !asked || o.kind != fromSource || !structured[o.src] {
				out = append(out, e)
			}
		}
		return out
	}
	out.self = answered(x.self)
	for _, fm := range x.fields {
		out.fields = append(out.fields, fieldMark{fm.id, answered(fm.m)})
	}
	return out
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil
}

// dropped reports whether what is filled in is only ever returned beside an error.
func dropped(fa *ssa.FieldAddr) bool {
	al, ok := fa.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	returned := false
	for _, ref := range *al.Referrers() {
		switch ref := ref.(type) {
		case *ssa.FieldAddr, *ssa.DebugRef:
		case *ssa.Store:
			if ref.Val == al {
				return false
			}
		case *ssa.UnOp:
			for _, use := range *ref.Referrers() {
				ret, ok := use.(*ssa.Return)
				if !ok || !failing(ret) {
					return false
				}
				returned = true
			}
		case *ssa.Return:
			if !failing(ref) {
				return false
			}
			returned = true
		default:
			return false
		}
	}
	return returned
}
