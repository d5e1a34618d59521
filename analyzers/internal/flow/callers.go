package flow

import "golang.org/x/tools/go/ssa"

// observe notes what static callers pass to the functions of the package.
func (f *function) observe() {
	if f.broken {
		return
	}
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case ssa.CallInstruction:
				if c, g := f.siteOf(instr); g != nil {
					f.p.see(g, f.outward(c.vals), true)
				}
			case *ssa.MakeClosure:
				if g := f.p.funcs[origin0(instr.Fn.(*ssa.Function))]; g != nil && len(g.fn.FreeVars) == len(instr.Bindings) {
					c := &site{f: f, at: instr, callee: g.fn, name: g.fn.Name()}
					f.captures(c, g, instr.Bindings)
					f.p.see(g, f.outward(c.vals), false)
				}
			}
		}
	}
}

// unseen is the kind of what comes from callers that cannot be seen. It is never reported.
const unseen = "?"

// outward writes values in terms that do not depend on the function: what a parameter carries is what was seen to be
// passed for it.
func (f *function) outward(vals []val) []val {
	out := make([]val, len(vals))
	for i, v := range vals {
		x := val{self: f.outwardMark(v.self)}
		for _, fm := range v.fields {
			x = x.with(fm.id, f.outwardMark(fm.m))
		}
		out[i] = x
	}
	return out
}

func (f *function) outwardMark(m mark) mark {
	seen := f.p.argsSeen[f.fn]
	out := f.p.concrete(m)
	for _, e := range m {
		o := f.p.origin(e.id)
		if o.kind != fromParam {
			continue
		}
		if f.p.called[f.fn] > 0 && int(o.param) < len(seen) {
			x := f.p.field(seen[o.param], o.field).all()
			if e.lvl < Unbounded {
				x = x.lowered(e.lvl, e.limit, -1)
			}
			out = join(out, x)
		}
		if f.p.called[f.fn] == 0 || f.p.escapes[f.fn] {
			e.id = f.p.intern(origin{kind: fromSource, src: unseen})
			e.tr = nil
			out = join(out, mark{e})
		}
	}
	return out
}

func (p *Package) see(g *function, vals []val, call bool) {
	seen := p.argsSeen[g.fn]
	for len(seen) < len(vals) {
		seen = append(seen, val{})
	}
	for i, v := range vals {
		seen[i] = p.joinVal(seen[i], v)
	}
	p.argsSeen[g.fn] = seen
	if call {
		p.called[g.fn]++
	}
}
