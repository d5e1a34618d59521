package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// attach lets output of a kind flow into a writer. A writer of this module is asked what its Write keeps.
func (f *function) attach(w ssa.Value, kind string, at ssa.Instruction) {
	src := f.source(kind, at, "output attached here", false)
	f.writeAt(w, src, at, nil) // it is written whenever the other side has something to say
}

func (f *function) write(w ssa.Value, x val, at ssa.Instruction) { f.writeAt(w, x, at, at) }

func (f *function) writeAt(w ssa.Value, x val, at, when ssa.Instruction) {
	if x.empty() {
		return
	}
	x = f.collected(x, at)
	if call, ok := strip(w).(*ssa.Call); ok {
		if fn := call.Call.StaticCallee(); fn != nil && fn.Pkg != nil && fn.Pkg.Pkg.Path() == "io" && fn.Name() == "MultiWriter" {
			for _, arg := range f.args(&call.Call) {
				f.writeAt(arg, x, at, when)
			}
			return
		}
	}
	if m := f.writeMethod(strip(w)); m != nil {
		if s := f.p.summaryOf(m, f); s != nil {
			c := &site{f: f, at: at, callee: m, name: "Write", args: []ssa.Value{strip(w), nil}, vals: []val{{}, x}}
			f.applyOuts(c, s, false, when)
			return
		}
	}
	for _, a := range f.addrOf(w) {
		f.addWeakAt(a, val{self: x.all()}, when)
	}
}

// writeMethod finds the Write method of a writer whose type is declared in a package that was analysed.
func (f *function) writeMethod(w ssa.Value) *ssa.Function {
	n, ok := types.Unalias(deref(w.Type())).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return nil
	}
	for i := range n.NumMethods() {
		if m := n.Method(i); m.Name() == "Write" {
			return f.p.methodOf(m.Origin())
		}
	}
	return nil
}
