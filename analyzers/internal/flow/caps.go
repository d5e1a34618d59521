package flow

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// limitField is the struct field that a limit is read from; 0 if it comes from somewhere else.
func (f *function) limitField(v ssa.Value) fieldID {
	switch v := strip(v).(type) {
	case *ssa.UnOp:
		if fa, ok := v.X.(*ssa.FieldAddr); ok && v.Op == token.MUL && isInt(v.Type()) {
			return f.p.fieldOf(fa.X.Type(), fa.Field)
		}
	case *ssa.Field:
		if isInt(v.Type()) {
			return f.p.fieldOf(v.X.Type(), v.Field)
		}
	}
	return 0
}

// capped notes that what tools return is cut at the limit in a field, by whoever runs them: a tool that is declared
// with such a limit needs none of its own. A shortened copy that only goes to the log enforces nothing.
func (p *Package) capped(limit fieldID, cut ssa.Value, x val) {
	if limit != 0 && !p.caps[limit] && len(p.ofTools(x.all())) > 0 && handedOn(cut, map[ssa.Value]bool{}) && !uncutBeside(cut) {
		p.caps[limit] = true
	}
}

// uncutBeside reports whether the text that was cut is used as a whole as well: then the cut was made for a screen.
func uncutBeside(cut ssa.Value) bool {
	var whole ssa.Value
	switch cut := cut.(type) {
	case *ssa.Slice:
		whole = cut.X
	case *ssa.Call:
		for _, a := range cut.Call.Args {
			if isText(a.Type()) {
				whole = a
			}
		}
	}
	if whole == nil || whole.Referrers() == nil {
		return false
	}
	for _, ref := range *whole.Referrers() {
		if ref == cut.(ssa.Instruction) {
			continue
		}
		switch ref := ref.(type) {
		case *ssa.Return, *ssa.Store, *ssa.MapUpdate, *ssa.Send, *ssa.MakeInterface:
			return true
		case *ssa.Call:
			if _, builtin := ref.Call.Value.(*ssa.Builtin); !builtin && !isInt(ref.Type()) {
				return true
			}
		}
	}
	return false
}

// handedOn reports whether a value goes anywhere but to a log.
func handedOn(v ssa.Value, seen map[ssa.Value]bool) bool {
	if v == nil || v.Referrers() == nil || seen[v] {
		return false
	}
	seen[v] = true
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			// A list of arguments is as good as what it is passed to.
			if ia, ok := ref.Addr.(*ssa.IndexAddr); ok && ref.Val == v {
				if al, ok := ia.X.(*ssa.Alloc); ok && al.Comment == "varargs" {
					if handedOn(al, seen) {
						return true
					}
					continue
				}
			}
			if ref.Val == v {
				return true
			}
		case *ssa.IndexAddr:
		case ssa.CallInstruction:
			if obj := calleeObject(ref.Common()); obj == nil || obj.Pkg() == nil || !cheapPkg.MatchString(obj.Pkg().Path()) {
				return true
			}
		case ssa.Value:
			if handedOn(ref, seen) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// declaredCap is the limit that a tool function was declared with, if whoever runs it is seen to enforce that limit.
func (f *function) declaredCap() (bounding, bool) {
	if f.isTool == nil || len(f.p.caps) == 0 {
		return noBound, false
	}
	if decl := f.isTool.decl; decl != nil {
		return f.p.funcs[decl.Parent()].capIn(decl)
	}
	// A type that describes itself does so in another method, or with what it was made with.
	recv := f.fn.Signature.Recv()
	if recv == nil || f.fn.Parent() != nil {
		return noBound, false
	}
	for _, g := range f.p.order {
		if r := g.fn.Signature.Recv(); r == nil || !types.Identical(deref(r.Type()), deref(recv.Type())) || !describingName.MatchString(g.fn.Name()) {
			continue
		}
		for _, b := range g.fn.Blocks {
			for _, instr := range b.Instrs {
				if al, ok := instr.(*ssa.Alloc); ok {
					if c, ok := g.capIn(al); ok {
						return c, true
					}
				}
			}
		}
	}
	owner := f.p.ownName(recv.Type())
	if owner == nil {
		return noBound, false
	}
	var limit bounding
	found := false
	for _, al := range f.p.count().made[owner] {
		c, ok := f.p.funcs[al.Parent()].capIn(al)
		switch {
		case al.Comment != "complit":
		case !ok:
			return noBound, false // one that is made without a limit
		case found:
			limit = limit.join(c)
		default:
			limit, found = c, true
		}
	}
	return limit, found
}

// capIn is the limit that a literal is filled in with, directly or in a struct that it holds.
func (f *function) capIn(decl ssa.Value) (bounding, bool) {
	refs := decl.Referrers()
	if f == nil || refs == nil {
		return noBound, false
	}
	for _, ref := range *refs {
		fa, ok := ref.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		limits := f.p.caps[f.p.fieldOf(fa.X.Type(), fa.Field)]
		for _, use := range *fa.Referrers() {
			st, ok := use.(*ssa.Store)
			if !ok || st.Addr != fa {
				continue
			}
			if limits {
				return f.positive(st.Val, st.Block())
			}
			if ld, ok := st.Val.(*ssa.UnOp); ok && ld.Op == token.MUL {
				if lit, ok := ld.X.(*ssa.Alloc); ok {
					if b, ok := f.capIn(lit); ok {
						return b, true
					}
				}
			}
		}
		if b, ok := f.capIn(fa); ok {
			return b, true
		}
	}
	return noBound, false
}

// positive reports whether a limit is surely above zero, which would switch it off: a constant, or a setting with a
// default. What the receiver was made with is taken to have been checked then.
func (f *function) positive(v ssa.Value, at *ssa.BasicBlock) (bounding, bool) {
	b, ok := f.boundedIntAt(v, at)
	switch v := strip(v).(type) {
	case *ssa.UnOp:
		if fa, isField := v.X.(*ssa.FieldAddr); isField {
			if prm, isParam := fa.X.(*ssa.Parameter); isParam && f.fn.Signature.Recv() != nil && f.paramIndex(prm) == 0 {
				return b, ok
			}
		}
	case *ssa.Call:
		return b, ok
	}
	return b, ok && defaulted(v)
}

func aboveZero(v ssa.Value) bool {
	c, ok := strip(v).(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Int && constant.Sign(c.Value) > 0
}
