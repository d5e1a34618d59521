package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A site is one call, or the making of one closure, with what is passed.
type site struct {
	f      *function
	at     ssa.Instruction
	callee *ssa.Function
	name   string
	args   []ssa.Value // receiver first, captured variables last; nil where unknown
	vals   []val

	reported map[int16]reportedAs // by parameter
	circling map[int]bool         // parameters that hold functions whose arguments are being found
}

// place is where the site is.
func (c *site) place() place {
	pos := c.at.Pos()
	return place{pos: pos}
}

// call evaluates a call; value is nil where the results are thrown away.
func (f *function) call(instr ssa.CallInstruction, value ssa.Value) {
	common := instr.Common()
	sig := common.Signature()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		f.builtin(b.Name(), common, instr, value)
		return
	}
	obj := calleeObject(common)
	if prm, ok := common.Value.(*ssa.Parameter); ok && !common.IsInvoke() {
		var args []val
		for _, a := range common.Args {
			args = append(args, f.eval(a, instr))
		}
		f.pass(prm, args)
	}
	if f.shorten(instr) || f.mapKeys(common, obj, instr, value) {
		return
	}
	if obj != nil && (f.formatted(common, obj, instr, value) || f.cutBefore(common, obj, instr, value)) {
		return
	}
	if obj != nil && f.modelled(f.p.rulesFor(obj), common, obj, instr, value) {
		return
	}
	if rules, stand := f.p.fieldCall(common); stand != nil && f.modelled(rules, common, stand, instr, value) {
		return
	}
	if obj != nil && looksUpAnswer(obj.Name(), sig) {
		return
	}
	if c, g := f.siteOf(instr); g != nil {
		f.applySummary(c, g.summary, sig, value)
		return
	}
	if !common.IsInvoke() && common.StaticCallee() == nil && isSeq(common.Value.Type()) && len(common.Args) == 1 {
		f.callback(common.Args[0], f.eval(common.Value, instr), instr)
		return
	}
	if sum := f.importedSummary(common); sum != nil {
		f.applySummary(f.importedSite(instr), sum, sig, value)
		return
	}
	if f.remoteCall(common, sig, instr, value) {
		return
	}
	if prm, ok := common.Value.(*ssa.Parameter); ok && f.knownCallers(prm) && !common.IsInvoke() {
		// Its callers are known, and so is what they pass.
		for i := range sig.Results().Len() {
			if !isError(sig.Results().At(i).Type()) {
				f.setResult(value, sig, i, f.resultOf(prm, instr))
			}
		}
		return
	}
	if kind, weak, what := f.dynamicSource(common, obj); kind != "" {
		if fs, ok := f.closedWorld(common); ok && kind == "tool" && f.allShort(fs) {
			f.reaching(fs, common, sig, instr, value)
			return
		}
		if obj == nil && f.fn.Parent() != nil && handsThrough(f.fn, common) {
			f.p.wrapped[instr.Pos()] = true
		}
		f.produce(kind, weak, what, sig, instr, value)
		return
	}
	f.implementations(common, sig, instr, value)
	f.unknown(common, obj, sig, instr, value)
}

// siteOf is the call of a function of this package, with its arguments evaluated; nil if it calls something else.
func (f *function) siteOf(instr ssa.CallInstruction) (*site, *function) {
	common := instr.Common()
	if common.IsInvoke() {
		return nil, nil
	}
	g, bindings, recv := f.resolve(common.Value)
	if g == nil {
		return nil, nil
	}
	f.link(g)
	c := &site{f: f, at: instr, callee: g.fn, name: g.fn.Name()}
	if recv != nil {
		c.args = append(c.args, recv)
	}
	c.args = append(c.args, common.Args...)
	for _, a := range c.args {
		c.vals = append(c.vals, f.eval(a, instr))
	}
	if len(g.fn.FreeVars) > 0 {
		f.captures(c, g, bindings)
	}
	return c, g
}

// importedSummary is the summary of what a call names in another package, nil if there is none.
func (f *function) importedSummary(common *ssa.CallCommon) *Summary {
	fn := origin0(common.StaticCallee())
	if fn == nil || common.IsInvoke() {
		return nil
	}
	return f.p.imported(fn)
}

// importedSite is the call of a function of another package, with its arguments evaluated.
func (f *function) importedSite(instr ssa.CallInstruction) *site {
	common := instr.Common()
	fn := origin0(common.StaticCallee())
	c := &site{f: f, at: instr, callee: fn, name: fn.Name(), args: common.Args}
	for _, a := range common.Args {
		c.vals = append(c.vals, f.eval(a, instr))
	}
	return c
}

// resolve finds the function that a function value is: a function, a closure with its bindings, a method with its
// receiver, or a variable that only ever holds one of them.
func (f *function) resolve(v ssa.Value) (g *function, bindings []ssa.Value, recv ssa.Value) {
	switch v := v.(type) {
	case *ssa.Function:
		return f.p.funcs[origin0(v)], nil, nil
	case *ssa.MakeClosure:
		fn := v.Fn.(*ssa.Function)
		g := f.p.funcs[origin0(fn)]
		if g != nil && g.fn != fn && len(v.Bindings) == 1 && len(fn.FreeVars) == 1 && len(g.fn.FreeVars) == 0 {
			return g, nil, v.Bindings[0]
		}
		return g, v.Bindings, nil
	case *ssa.ChangeType:
		return f.resolve(v.X)
	case *ssa.Call:
		g, bindings = f.made(v)
		return g, bindings, nil
	case *ssa.UnOp:
		if fv, ok := v.X.(*ssa.FreeVar); ok {
			g, bindings = f.outer(fv)
			return g, bindings, nil
		}
		as := f.addrOf(v.X)
		if len(as) != 1 {
			return nil, nil, nil
		}
		if ds := f.defs[as[0].root]; len(ds) == 1 && ds[0].path == as[0].path {
			if st, ok := ds[0].instr.(*ssa.Store); ok {
				if _, isLoad := st.Val.(*ssa.UnOp); !isLoad {
					return f.resolve(st.Val)
				}
			}
		}
	}
	return nil, nil, nil
}

// applySummary takes over what a callee does.
func (f *function) applySummary(c *site, s *Summary, sig *types.Signature, value ssa.Value) {
	for i, r := range s.results {
		f.setResult(value, sig, i, c.subst(r, s))
	}
	f.applyOuts(c, s, true, c.at)
	f.passOn(c, s)
}

// applyOuts stores what a callee stores into its arguments, when at runs, or at any time if that is nil. Only a plain
// call replaces what was there before.
func (f *function) applyOuts(c *site, s *Summary, called bool, at ssa.Instruction) {
	if _, ok := c.at.(*ssa.Call); !ok {
		called = false
	}
	for _, o := range s.Outs {
		if int(o.param) >= len(c.args) || c.args[o.param] == nil {
			continue
		}
		as := f.addrOf(c.args[o.param])
		if len(as) == 0 {
			continue
		}
		x := c.subst(o.v, s)
		for _, a := range as {
			if o.key != 0 {
				a.key, a.path = o.key, a.path.add(o.key)
			}
			if called && o.strong && a.exact && f.overwritten(a, c.at) {
				f.setCallOut(c.at, a.root, o.key, x)
				if _, local := a.root.(*ssa.Alloc); !local {
					f.publish(o.key, x)
				}
				continue
			}
			f.addWeakAt(a, x, at)
		}
	}
}

// overwritten reports whether a call is known as one that replaces what a place holds.
func (f *function) overwritten(a addr, at ssa.Instruction) bool {
	for _, d := range f.defs[a.root] {
		if d.call && d.instr == at && d.path == a.path {
			return true
		}
	}
	return false
}

func (f *function) setCallOut(at ssa.Instruction, root ssa.Value, key fieldID, x val) {
	outs := f.callOuts[at]
	for i := range outs {
		if outs[i].key == key && outs[i].root == root {
			if grown := f.p.joinVal(outs[i].val, x); !sameVal(grown, outs[i].val) {
				outs[i].val = grown
				f.changed = true
			}
			return
		}
	}
	f.callOuts[at] = append(outs, stored{key: key, val: x, root: root})
	f.changed = true
}

// resultOf is what calling a function value gives.
func (f *function) resultOf(v ssa.Value, at ssa.Instruction) val {
	if prm, ok := v.(*ssa.Parameter); ok {
		id := f.p.intern(origin{kind: fromResult, param: int16(f.paramIndex(prm))})
		return val{self: mark{{id: id, lvl: Unbounded, by: -1, limit: noLimit}}}
	}
	return f.callback(v, val{}, at)
}

// source is a fresh mark.
func (f *function) source(kind string, at ssa.Instruction, what string, weak bool) val {
	id := f.p.intern(origin{kind: fromSource, src: kind})
	e := entry{id: id, lvl: Unbounded, by: -1, limit: noLimit, weak: weak, tr: &trace{pos: place{pos: at.Pos()}, what: what}}
	x := val{self: mark{e}}
	if call, ok := at.(ssa.CallInstruction); ok && (kind == "file" || kind == "http") {
		x = f.gated(x, call.Common().Args, at)
	}
	return x
}

// produce gives every result that can carry output, except errors, a fresh mark.
func (f *function) produce(kind string, weak bool, what string, sig *types.Signature, at ssa.Instruction, value ssa.Value) {
	for i := range sig.Results().Len() {
		t := sig.Results().At(i).Type()
		if isError(t) {
			continue
		}
		f.setResult(value, sig, i, f.source(kind, at, what, weak))
	}
}

// callback evaluates a function value as if it were called with x for every parameter that can carry it.
func (f *function) callback(fn ssa.Value, x val, at ssa.Instruction) val {
	sig, ok := fn.Type().Underlying().(*types.Signature)
	if !ok {
		return val{}
	}
	args := make([]val, sig.Params().Len())
	for i := range args {
		if !isError(sig.Params().At(i).Type()) {
			args[i] = x
		}
	}
	return f.callbackWith(fn, args, at)
}

// callbackWith evaluates a function value as if it were called with args.
func (f *function) callbackWith(fn ssa.Value, args []val, at ssa.Instruction) val {
	g, bindings, recv := f.resolve(fn)
	if g == nil {
		return val{}
	}
	f.link(g)
	c := &site{f: f, at: at, callee: g.fn, name: g.fn.Name()}
	for i, prm := range g.params {
		if i == 0 && recv != nil {
			c.args, c.vals = append(c.args, recv), append(c.vals, f.eval(recv, at))
			continue
		}
		c.args = append(c.args, nil)
		if recv != nil {
			i--
		}
		var x val
		if i < len(args) {
			x = args[i]
		}
		if !f.p.shapes.carries(prm.Type()) {
			x = val{}
		}
		c.vals = append(c.vals, x)
	}
	f.p.see(g, f.outward(c.vals), false)
	if len(g.fn.FreeVars) > 0 && bindings != nil {
		f.captures(c, g, bindings)
	}
	f.applyOuts(c, g.summary, false, at)
	var out val
	for i, r := range g.summary.results {
		if !isError(g.fn.Signature.Results().At(i).Type()) {
			out = f.p.joinVal(out, c.subst(r, g.summary))
		}
	}
	return out
}

// methodOf is the SSA function of a method, which may belong to a package that the source does not mention. It is nil for
// a package that was not analysed: nothing is known of it.
func (p *Package) methodOf(m *types.Func) *ssa.Function {
	if p.prog.Package(m.Pkg()) == nil {
		if p.facts(m.Pkg().Path()) == nil {
			return nil
		}
		p.prog.CreatePackage(m.Pkg(), nil, nil, true)
	}
	return p.prog.FuncValue(m)
}

// summaryOf is the summary of a function of this package or of one that was analysed before.
func (p *Package) summaryOf(fn *ssa.Function, user *function) *Summary {
	if g := p.funcs[origin0(fn)]; g != nil {
		user.link(g)
		return g.summary
	}
	return p.imported(origin0(fn))
}

func (f *function) builtin(name string, common *ssa.CallCommon, at ssa.Instruction, value ssa.Value) {
	switch name {
	case "append":
		x := f.eval(common.Args[0], at)
		if len(common.Args) > 1 {
			x = f.p.joinVal(x, f.collected(f.eval(common.Args[1], at), at))
		}
		if f.counted(at.Block()) {
			x = f.countBounded(common.Args[0], x, at)
		}
		if value != nil {
			f.set(value, x)
		}
	case "copy":
		x := f.eval(common.Args[1], at)
		if b, ok := f.room(common.Args[0], at.Block()); ok {
			x = x.mapped(func(e entry) entry {
				if e.lvl > f.level(b.limit) && e.id != heapID {
					e.lvl, e.limit, e.by, e.piece = f.level(b.limit), b.limit, b.by, true
				}
				return e
			})
		}
		for _, a := range f.addrOf(common.Args[0]) {
			f.addWeak(a, x)
		}
	case "min", "max":
		if value != nil {
			for _, a := range common.Args {
				f.set(value, f.eval(a, at))
			}
		}
	}
}

// countBounded handles lists that stop growing at a limit. Only their number is bounded: names and lines, which are
// collected one by one, do not add up to more than the count allows, results of tools do.
func (f *function) countBounded(list ssa.Value, x val, at ssa.Instruction) val {
	if c := f.p.shapes.class(list.Type()); c.toolResult || c.message {
		return x
	}
	for _, g := range f.guardsAt(at.Block()) {
		for _, v := range g.values {
			if f.same(v, list) {
				return x.lowered(Bounded, noLimit, g.by)
			}
		}
		if f.counts(g, at.Block()) {
			return x.lowered(Bounded, noLimit, g.by)
		}
	}
	return x
}
