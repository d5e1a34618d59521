package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// survives is what is left, when instr runs, of what was put into a place at an earlier time; ok is false if nothing
// is, because on every way from there the place is replaced.
func (f *function) survives(a addr, s stored, instr ssa.Instruction) (x val, ok bool) {
	f.reachingDefs(a, instr)
	ends := f.reach[reachKey{instr, a.root, a.path}].ends
	b := s.at.Block()
	if b == instr.Block() && before(s.at, instr) && !f.replaced(a, s.at, instr) {
		return s.val, true
	}
	if f.replaced(a, s.at, nil) {
		return val{}, false
	}
	if _, open := ends[blockEnd{b, false}]; open {
		return s.val, true
	}
	if limit, guarded := ends[blockEnd{b, true}]; guarded {
		return f.found(a, s.val, limit), true
	}
	return val{}, false
}

// replaced reports whether a place is replaced in the block of from, after it and before to, or before the end of the
// block if to is nil.
func (f *function) replaced(a addr, from, to ssa.Instruction) bool {
	after := false
	for _, i := range from.Block().Instrs {
		if i == to {
			break
		}
		if after {
			for _, d := range f.defs[a.root] {
				if d.instr == i && (d.path == a.path || d.path == "") {
					return true
				}
			}
		}
		after = after || i == from
	}
	return false
}

// whenCalled lists the calls that a function literal is passed to, if it is used for nothing else: what it does to the
// variables that it captures it does then. Otherwise it may be called at any time, which is written as nil.
func whenCalled(mc *ssa.MakeClosure) []ssa.Instruction {
	var at []ssa.Instruction
	var follow func(v ssa.Value) bool
	follow = func(v ssa.Value) bool {
		for _, ref := range *v.Referrers() {
			switch ref := ref.(type) {
			case *ssa.Call:
				at = append(at, ref)
			case *ssa.ChangeType:
				if !follow(ref) {
					return false
				}
			case *ssa.DebugRef:
			default:
				return false
			}
		}
		return true
	}
	if !follow(mc) || len(at) == 0 {
		return []ssa.Instruction{nil}
	}
	return at
}

// element finds the list that an address is an element of, or a field of an element, and that field.
func (f *function) element(v ssa.Value) (list ssa.Value, key fieldID, ok bool) {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			if key == 0 {
				key = f.p.fieldOf(x.X.Type(), x.Field)
			}
			v = x.X
		case *ssa.IndexAddr:
			return x.X, key, true
		default:
			return nil, 0, false
		}
	}
}

// loadElement is what an element of a list holds: what the list holds at that time, and what was put into it in
// places that the list's own value does not see.
func (f *function) loadElement(list ssa.Value, key fieldID, at ssa.Instruction) val {
	x := f.p.field(f.eval(list, at), key)
	if _, ok := list.(*ssa.Phi); !ok {
		return x
	}
	for _, a := range f.addrOf(list) {
		for _, s := range f.weak[a.root] {
			switch {
			case s.key == key:
				x = f.p.joinVal(x, s.val)
			case s.key == 0:
				x = f.p.joinVal(x, f.p.field(s.val, key))
			case key == 0:
				x = f.p.joinVal(x, f.under(s.key, s.val))
			}
		}
	}
	return x
}

// shortens recognizes a call that cuts a buffer of the standard library in place, and the buffer.
func (f *function) shortens(call ssa.CallInstruction) (addr, bool) {
	name, recv, _ := calleeName(call.Common())
	if recv == nil || name != "Truncate" && name != "Reset" {
		return addr{}, false
	}
	n, ok := types.Unalias(deref(recv.Type())).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != "bytes" && n.Obj().Pkg().Path() != "strings" {
		return addr{}, false
	}
	as := f.addrOf(recv)
	if len(as) != 1 || !as[0].exact {
		return addr{}, false
	}
	return as[0], true
}

// shorten evaluates such a call.
func (f *function) shorten(call ssa.CallInstruction) bool {
	a, ok := f.shortens(call)
	if !ok || !f.overwritten(a, call) {
		return false
	}
	var x val
	if args := call.Common().Args; len(args) == 2 {
		x = f.eval(args[0], call)
		if b, ok := f.boundedIntAt(args[1], call.Block()); ok {
			x = x.lowered(f.level(b.limit), b.limit, b.by)
		}
	}
	f.setCallOut(call, a.root, a.key, x)
	return true
}
