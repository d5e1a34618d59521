package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

var leftName = lazy(`(?i)left|skip|drop|trim|trunc|tail`)

// cutBefore evaluates a call that cuts away the beginning of a text, where so much is cut away that the rest is short:
// TruncateLeft(s, width(s)-n).
func (f *function) cutBefore(common *ssa.CallCommon, obj *types.Func, at ssa.CallInstruction, value ssa.Value) bool {
	if obj == nil || f.p.facts(pkgPath(obj)) != nil || !leftName.MatchString(obj.Name()) {
		return false
	}
	sig := common.Signature()
	if sig.Results().Len() != 1 || !isText(sig.Results().At(0).Type()) {
		return false
	}
	var x val
	var b bounding
	cut := false
	for _, a := range common.Args {
		switch {
		case isText(a.Type()):
			x = f.p.joinVal(x, f.eval(a, at))
		case isInt(a.Type()):
			if r, ok := f.tail(a, at.Block(), 0); ok {
				b, cut = r, true
			}
		}
	}
	if !cut {
		return false
	}
	f.setResult(value, sig, 0, x.lowered(f.level(b.limit), b.limit, b.by))
	return true
}

func pkgPath(obj *types.Func) string {
	if obj.Pkg() == nil {
		return ""
	}
	return obj.Pkg().Path()
}

// builtIn reports whether one of the arguments is a file system that is part of the program.
func builtIn(args []ssa.Value) bool {
	for _, a := range args {
		if n, ok := types.Unalias(deref(strip(a).Type())).(*types.Named); ok && n.Obj().Name() == "FS" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "embed" {
			return true
		}
	}
	return false
}

// settle applies a guard that speaks of v: what v carries is no larger than the limit. Of a list that is bounded the
// pieces do not add up to more than the list.
func (f *function) settle(v ssa.Value, x val, b bounding) val {
	if _, ok := v.(*ssa.Slice); ok {
		f.p.capped(b.field, v, x)
	}
	if isText(v.Type()) {
		return x.lowered(f.level(b.limit), b.limit, b.by)
	}
	return whole(x.lowered(Bounded, noLimit, b.by))
}

// found is x in a place that a branch has found to be short.
func (f *function) found(a addr, x val, b bounding) val {
	t := deref(a.root.Type())
	if a.key != 0 {
		t = f.p.fieldTypes[a.key]
	}
	if t == nil || isText(t) || isWriter(t) {
		return x.lowered(f.level(b.limit), b.limit, b.by)
	}
	return whole(x.lowered(Bounded, noLimit, b.by))
}

// slack reports whether a guard could still tell more about a value.
func slack(x val) bool {
	for _, e := range x.all() {
		if e.lvl > Bounded || e.piece {
			return true
		}
	}
	return false
}
