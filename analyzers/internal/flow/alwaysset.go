package flow

import (
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// alwaysSet reports whether whoever makes a value of a type of this package, which nobody else can make, gives one of its
// fields a number above zero: a constant, or what was asked for with a default in its place. A comparison of such a limit
// with zero always comes out the same.
func (p *Package) alwaysSet(id fieldID, fa *ssa.FieldAddr) bool {
	if r, ok := p.limitsSet[id]; ok {
		return r
	}
	r := p.alwaysSet1(id, fa)
	p.limitsSet[id] = r
	return r
}

func (p *Package) alwaysSet1(id fieldID, fa *ssa.FieldAddr) bool {
	owner := p.ownName(fa.X.Type())
	if owner == nil || owner.Exported() || token.IsExported(p.fieldName(id)) {
		return false
	}
	c := p.count()
	for _, st := range c.stores[id] {
		if !defaulted(st.Val) {
			return false
		}
	}
	for _, al := range c.made[owner] {
		if !p.fillsIn(al, id) {
			return false
		}
	}
	return len(c.stores[id]) > 0
}

// fillsIn reports whether a new value gets the field, or is a copy of one that has it.
func (p *Package) fillsIn(al *ssa.Alloc, id fieldID) bool {
	for _, ref := range *al.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == al {
				return true
			}
		case *ssa.FieldAddr:
			if p.fieldOf(ref.X.Type(), ref.Field) != id {
				continue
			}
			for _, use := range *ref.Referrers() {
				if st, ok := use.(*ssa.Store); ok && st.Addr == ref {
					return true
				}
			}
		}
	}
	return false
}

// defaulted reports whether a number is above zero, or replaced where it is not.
func defaulted(v ssa.Value) bool {
	if aboveZero(v) {
		return true
	}
	switch v := strip(v).(type) {
	case *ssa.Phi:
		for i, e := range v.Edges {
			if !aboveZero(e) && !foundAboveZero(e, v.Block().Preds[i], v.Block()) {
				return false
			}
		}
		return true
	case *ssa.UnOp:
		switch place := v.X.(type) {
		case *ssa.Alloc:
			return replacedBelow(place, func(x ssa.Value) bool { return x == place }, *place.Referrers())
		case *ssa.FieldAddr:
			refs := place.X.Referrers()
			if refs == nil {
				return false // a package variable: anybody may set it
			}
			same := func(x ssa.Value) bool {
				fa, ok := x.(*ssa.FieldAddr)
				return ok && fa.X == place.X && fa.Field == place.Field
			}
			for _, ref := range *refs {
				if fa, ok := ref.(*ssa.FieldAddr); ok && same(fa) && replacedBelow(fa, same, *fa.Referrers()) {
					return true
				}
			}
		}
	}
	return false
}

// replacedBelow reports whether a place gets a number above zero where it was found to hold none.
func replacedBelow(place ssa.Value, same func(ssa.Value) bool, refs []ssa.Instruction) bool {
	for _, ref := range refs {
		st, ok := ref.(*ssa.Store)
		if !ok || st.Addr != place || !aboveZero(st.Val) || len(st.Block().Preds) != 1 {
			continue
		}
		br, ok := lastIf(st.Block().Preds[0])
		if !ok {
			continue
		}
		x, low := tested(br, st.Block())
		if ld, ok := x.(*ssa.UnOp); ok && low && ld.Op == token.MUL && same(ld.X) {
			return true
		}
	}
	return false
}

// foundAboveZero reports whether a number was compared with zero on the way from one block to another, and is above it.
func foundAboveZero(v ssa.Value, from, to *ssa.BasicBlock) bool {
	br, ok := lastIf(from)
	if !ok {
		return false
	}
	x, low := tested(br, to)
	return x != nil && !low && strip(x) == strip(v)
}

// tested is the number that a branch compares with zero, and whether it is zero or less on the way to a block.
func tested(br *ssa.If, to *ssa.BasicBlock) (x ssa.Value, low bool) {
	c, ok := br.Cond.(*ssa.BinOp)
	if !ok || br.Block().Succs[0] == br.Block().Succs[1] {
		return nil, false
	}
	k, ok := c.Y.(*ssa.Const)
	if !ok || k.Value == nil || k.Value.Kind() != constant.Int {
		return nil, false
	}
	op := c.Op
	if br.Block().Succs[1] == to {
		op = negate(op)
	}
	zero, one := constant.Sign(k.Value) == 0, k.Int64() == 1
	switch {
	case zero && (op == token.LEQ || op == token.EQL), one && op == token.LSS:
		return c.X, true
	case zero && (op == token.GTR || op == token.NEQ), one && op == token.GEQ:
		return c.X, false
	}
	return nil, false
}
