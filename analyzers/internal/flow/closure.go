package flow

import "golang.org/x/tools/go/ssa"

// closure evaluates a function literal where it is made: what it captures flows in, what it does to it flows out.
func (f *function) closure(mc *ssa.MakeClosure) {
	g := f.p.funcs[origin0(mc.Fn.(*ssa.Function))]
	if g == nil {
		return
	}
	f.link(g)
	c := &site{f: f, at: mc, callee: g.fn, name: "a function literal"}
	f.captures(c, g, mc.Bindings)
	for _, at := range whenCalled(mc) {
		f.applyOuts(c, g.summary, false, at)
	}
}

// captures adds the variables that a closure captures to the arguments of a call of it.
func (f *function) captures(c *site, g *function, bindings []ssa.Value) {
	for len(c.args) < len(g.params) {
		c.args = append(c.args, nil)
		c.vals = append(c.vals, val{})
	}
	for _, b := range bindings {
		c.args = append(c.args, b)
		var x val
		if b != nil {
			x = f.captured(b, c.at)
		}
		c.vals = append(c.vals, x)
	}
}

// captured is what a captured variable may hold whenever the closure runs: what it holds now, and what is stored later.
func (f *function) captured(b ssa.Value, at ssa.Instruction) val {
	x := f.raw(b, at)
	if _, ok := b.(*ssa.Alloc); !ok {
		return x
	}
	for _, d := range f.defs[b] {
		if d.instr.Block() == at.Block() && before(at, d.instr) || f.reachable(at.Block(), d.instr.Block()) {
			x = f.p.joinVal(x, f.defVal(d, 0))
		}
	}
	for _, s := range f.weak[b] {
		if s.at != nil {
			x = f.p.joinVal(x, f.under(s.key, s.val))
		}
	}
	return x
}

// before reports whether a comes before b in their common block.
func before(a, b ssa.Instruction) bool {
	for _, i := range a.Block().Instrs {
		if i == a {
			return true
		}
		if i == b {
			return false
		}
	}
	return false
}

// link notes that f must be evaluated again when g's summary grows.
func (f *function) link(g *function) {
	if !g.known[f] {
		g.known[f] = true
		g.callers = append(g.callers, f)
	}
}
