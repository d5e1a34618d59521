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

// knownCallers reports whether the function is called by name only from where it can be seen which function is passed
// as a parameter.
func (f *function) knownCallers(prm *ssa.Parameter) bool {
	if !f.static || f.p.escapes[f.fn] {
		return false
	}
	if known, ok := f.passed[prm]; ok {
		return known
	}
	i := f.paramIndex(prm)
	known := true
	for fn := range f.p.funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if c, ok := instr.(ssa.CallInstruction); ok && origin0(c.Common().StaticCallee()) == f.fn && i < len(c.Common().Args) {
					known = known && literal(c.Common().Args[i])
				}
			}
		}
	}
	f.passed[prm] = known
	return known
}

// literal reports whether a function value is written where it is used.
func literal(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Function, *ssa.MakeClosure:
		return true
	case *ssa.Const:
		return true // nil
	case *ssa.ChangeType:
		return literal(v.X)
	}
	return false
}

// made finds the function literal that a call gives, if the callee returns no other: an iterator, say. What the
// literal captures is given where it is an argument of the call, and is nil otherwise.
func (f *function) made(call *ssa.Call) (g *function, bindings []ssa.Value) {
	maker := f.p.funcs[origin0(call.Call.StaticCallee())]
	if maker == nil {
		return nil, nil
	}
	var lit *ssa.MakeClosure
	for _, b := range maker.fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if len(ret.Results) != 1 {
			return nil, nil
		}
		v := ret.Results[0]
		if ct, ok := v.(*ssa.ChangeType); ok {
			v = ct.X
		}
		mc, ok := v.(*ssa.MakeClosure)
		if !ok || lit != nil {
			return nil, nil
		}
		lit = mc
	}
	if lit == nil {
		return nil, nil
	}
	for _, b := range lit.Bindings {
		var arg ssa.Value
		if al, ok := b.(*ssa.Alloc); ok {
			for _, ref := range *al.Referrers() {
				if st, ok := ref.(*ssa.Store); ok && st.Addr == al {
					if prm, ok := st.Val.(*ssa.Parameter); ok && maker.paramIndex(prm) < len(call.Call.Args) {
						arg = call.Call.Args[maker.paramIndex(prm)]
					}
				}
			}
		}
		bindings = append(bindings, arg)
	}
	return f.p.funcs[origin0(lit.Fn.(*ssa.Function))], bindings
}
