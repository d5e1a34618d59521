package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// implementations evaluates a call through an interface as a call of every method of the package that it may reach. An
// interface that many types implement says too little about any one of them.
func (f *function) implementations(common *ssa.CallCommon, sig *types.Signature, at ssa.CallInstruction, value ssa.Value) {
	if !common.IsInvoke() || isError(common.Value.Type()) {
		return
	}
	f.reaching(f.p.implementers(common), common, sig, at, value)
}

// reaching evaluates a call through an interface as a call of each of some methods.
func (f *function) reaching(fs []*function, common *ssa.CallCommon, sig *types.Signature, at ssa.CallInstruction, value ssa.Value) {
	for _, g := range fs {
		f.link(g)
		c := &site{f: f, at: at, callee: g.fn, name: g.fn.Name()}
		c.args = append([]ssa.Value{common.Value}, common.Args...)
		for _, a := range c.args {
			c.vals = append(c.vals, f.eval(a, at))
		}
		f.applySummary(c, g.summary, sig, value)
	}
}

const fewImplementers = 3

// implementers lists the methods of the package that a call through an interface may reach, none if they are many.
func (p *Package) implementers(common *ssa.CallCommon) []*function {
	iface, ok := common.Value.Type().Underlying().(*types.Interface)
	if !ok || iface.NumMethods() == 0 {
		return nil
	}
	if fs, ok := p.reached[common.Method]; ok {
		return fs
	}
	var out []*function
	for _, g := range p.order {
		recv := g.fn.Signature.Recv()
		if recv == nil || g.fn.Name() != common.Method.Name() || g.fn.Parent() != nil {
			continue
		}
		if t := recv.Type(); types.Implements(t, iface) || types.Implements(types.NewPointer(deref(t)), iface) {
			out = append(out, g)
		}
	}
	if len(out) > fewImplementers {
		out = nil
	}
	out = slices.Clip(out)
	p.reached[common.Method] = out
	return out
}
