package flow

import (
	"golang.org/x/tools/go/ssa"
)

// outer finds the function that a captured variable holds, if the enclosing function only ever puts one literal there.
// The variables that this literal captures are given where the two literals share them, and are nil otherwise.
func (f *function) outer(fv *ssa.FreeVar) (g *function, bindings []ssa.Value) {
	made := madeIn(f.fn)
	if made == nil || f.paramIndex(fv) < 0 {
		return nil, nil
	}
	al, ok := made.Bindings[f.paramIndex(fv)-len(f.params)].(*ssa.Alloc)
	if !ok {
		return nil, nil
	}
	var lit *ssa.MakeClosure
	for _, ref := range *al.Referrers() {
		st, ok := ref.(*ssa.Store)
		if !ok || st.Addr != al {
			continue
		}
		switch x := st.Val.(type) {
		case *ssa.Function:
			return f.p.funcs[origin0(x)], nil
		case *ssa.MakeClosure:
			if lit != nil {
				return nil, nil
			}
			lit = x
		default:
			return nil, nil
		}
	}
	if lit == nil {
		return nil, nil
	}
	for _, b := range lit.Bindings {
		var shared ssa.Value
		for i, mine := range made.Bindings {
			if mine == b {
				shared = f.fn.FreeVars[i]
			}
		}
		bindings = append(bindings, shared)
	}
	return f.p.funcs[origin0(lit.Fn.(*ssa.Function))], bindings
}

// madeIn is the instruction that makes the closure fn, nil if there is not exactly one.
func madeIn(fn *ssa.Function) *ssa.MakeClosure {
	if fn.Parent() == nil {
		return nil
	}
	var made *ssa.MakeClosure
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			if mc, ok := instr.(*ssa.MakeClosure); ok && mc.Fn == fn {
				if made != nil {
					return nil
				}
				made = mc
			}
		}
	}
	return made
}
