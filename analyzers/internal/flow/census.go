package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A census lists what a body-by-body search would find again and again: where fields are filled in, and where values of
// the package's types are made.
type census struct {
	stores map[fieldID][]*ssa.Store
	made   map[*types.TypeName][]*ssa.Alloc
}

// count takes the census of the package, once, when the first question comes up.
func (p *Package) count() *census {
	if p.counted != nil {
		return p.counted
	}
	c := &census{stores: map[fieldID][]*ssa.Store{}, made: map[*types.TypeName][]*ssa.Alloc{}}
	for _, f := range p.order {
		for _, b := range f.fn.Blocks {
			for _, instr := range b.Instrs {
				switch instr := instr.(type) {
				case *ssa.Store:
					if fa, ok := instr.Addr.(*ssa.FieldAddr); ok {
						id := p.fieldOf(fa.X.Type(), fa.Field)
						c.stores[id] = append(c.stores[id], instr)
					}
				case *ssa.Alloc:
					if n := p.ownName(instr.Type()); n != nil {
						c.made[n] = append(c.made[n], instr)
					}
				}
			}
		}
	}
	p.counted = c
	return c
}

// ownName is the name of the type of this package that a type is or points to; nil if it is none.
func (p *Package) ownName(t types.Type) *types.TypeName {
	n, ok := types.Unalias(deref(t)).(*types.Named)
	if !ok || n.Obj().Pkg() != p.Pkg {
		return nil
	}
	return n.Obj()
}
