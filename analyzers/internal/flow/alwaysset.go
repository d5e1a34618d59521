package flow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// alwaysSet reports whether whoever fills in a field of this package gives it a number above zero: a constant, or what
// was asked for with a default in its place. A comparison of such a limit with zero is always the same.
func (p *Package) alwaysSet(id fieldID) bool {
	if r, ok := p.limitsSet[id]; ok {
		return r
	}
	p.limitsSet[id] = false
	n := 0
	for _, f := range p.order {
		for _, b := range f.fn.Blocks {
			for _, instr := range b.Instrs {
				st, ok := instr.(*ssa.Store)
				if !ok {
					continue
				}
				fa, ok := st.Addr.(*ssa.FieldAddr)
				if !ok || p.fieldOf(fa.X.Type(), fa.Field) != id {
					continue
				}
				if !defaulted(st.Val) {
					return false
				}
				n++
			}
		}
	}
	p.limitsSet[id] = n > 0 && p.fieldPkg(id) == p.Pkg.Path() && !token.IsExported(p.fieldName(id))
	return p.limitsSet[id]
}

// defaulted reports whether a number is above zero, or replaced where it is not.
func defaulted(v ssa.Value) bool {
	if aboveZero(v) {
		return true
	}
	switch v := strip(v).(type) {
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, aboveZero)
	case *ssa.UnOp:
		switch place := v.X.(type) {
		case *ssa.Alloc:
			return givenAboveZero(place)
		case *ssa.FieldAddr:
			refs := place.X.Referrers()
			if refs == nil {
				return false // a package variable: anybody may set it
			}
			for _, ref := range *refs {
				if same, ok := ref.(*ssa.FieldAddr); ok && same.Field == place.Field && givenAboveZero(same) {
					return true
				}
			}
		}
	}
	return false
}

// givenAboveZero reports whether a number above zero is stored in a place somewhere.
func givenAboveZero(place ssa.Value) bool {
	for _, ref := range *place.Referrers() {
		if st, ok := ref.(*ssa.Store); ok && st.Addr == place && aboveZero(st.Val) {
			return true
		}
	}
	return false
}

// comparedWith are the values that the function compares with the limit in a field anywhere.
func (f *function) comparedWith(id fieldID) []ssa.Value {
	var g guard
	for _, b := range f.fn.Blocks {
		br, ok := lastIf(b)
		if !ok {
			continue
		}
		if c, ok := br.Cond.(*ssa.BinOp); ok {
			if f.limitField(c.Y) == id {
				f.measure(c.X, &g)
			}
			if f.limitField(c.X) == id {
				f.measure(c.Y, &g)
			}
		}
	}
	return g.values
}
