package flow

import (
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/boundcheck/boundcheck/analyzers/internal/model"
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
}

// reportedAs says which sinks inside a callee a parameter reaches: what is passed is reported at the call.
type reportedAs struct{ ret, history bool }

func (c *site) told(param int16, s *Summary) reportedAs {
	if r, ok := c.reported[param]; ok {
		return r
	}
	var r reportedAs
	for _, ref := range s.sinks {
		if o := c.f.p.origin(ref.e.id); o.kind == fromParam && o.param == param {
			r.ret = true
			r.history = r.history || ref.code == codeHistory
		}
	}
	if c.reported == nil {
		c.reported = map[int16]reportedAs{}
	}
	c.reported[param] = r
	return r
}

// through is a trace with the call as its newest hop.
func (c *site) through(tr *trace) *trace {
	if c.callee == nil || tr != nil && tr.pos.pos == c.at.Pos() {
		return tr
	}
	return &trace{pos: c.place(), what: "through " + c.name, prev: tr}
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
	if c, g := f.siteOf(instr); g != nil {
		f.applySummary(c, g.summary, sig, value)
		return
	}
	if !common.IsInvoke() && common.StaticCallee() == nil && isSeq(common.Value.Type()) && len(common.Args) == 1 {
		f.callback(common.Args[0], f.eval(common.Value, instr), instr)
		return
	}
	if fn := origin0(common.StaticCallee()); fn != nil && !common.IsInvoke() {
		if sum := f.p.imported(fn); sum != nil {
			c := &site{f: f, at: instr, callee: fn, name: fn.Name(), args: common.Args}
			for _, a := range common.Args {
				c.vals = append(c.vals, f.eval(a, instr))
			}
			f.applySummary(c, sum, sig, value)
			return
		}
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

// subst writes a value of the callee in terms of the caller.
func (c *site) subst(v val, s *Summary) val {
	out := c.substMark(v.self, s)
	if len(v.fields) == 0 {
		return out
	}
	out = out.owned(len(v.fields))
	for _, fm := range v.fields {
		out.replace(fm.id, c.substMark(fm.m, s))
	}
	return out
}

func (c *site) substMark(m mark, s *Summary) val {
	var out val
	p := c.f.p
	for _, e := range m {
		o := p.origin(e.id)
		switch o.kind {
		case fromHeap:
			out = p.joinVal(out, val{self: heapMark})
		case fromSource:
			e.tr = &trace{pos: c.place(), what: "returned by " + c.name, prev: e.tr}
			out = p.joinVal(out, val{self: mark{e}})
		case fromParam:
			if int(o.param) >= len(c.vals) {
				continue
			}
			x := p.field(c.vals[o.param], o.field)
			if x.empty() {
				continue
			}
			lvl, limit, by := e.lvl, e.limit, int16(-1)
			if e.by >= 0 && lvl < Unbounded {
				lvl, limit, by = c.boundBy(e)
			}
			told := c.told(o.param, s)
			x = x.mapped(func(a entry) entry {
				if a.lvl > lvl {
					a.lvl, a.limit, a.by = lvl, limit, by
				}
				if e.whole {
					a = a.summed()
				}
				a.piece = a.piece || e.piece
				if e.loops {
					a = a.collected()
				}
				a.weak = a.weak || e.weak
				a.err = a.err || e.err
				a.toldT = a.toldT || told.ret
				a.toldH = a.toldH || told.history
				if p.origin(a.id).kind == fromSource {
					a.tr = c.through(a.tr)
				}
				return a
			})
			out = p.joinVal(out, x)
		case fromResult:
			if int(o.param) < len(c.args) && c.args[o.param] != nil {
				out = p.joinVal(out, c.passed(int(o.param), s))
			}
		}
	}
	return out
}

// boundBy is the bound that a callee takes from one of its parameters, with what this call passes there.
func (c *site) boundBy(e entry) (Level, int64, int16) {
	if int(e.by) >= len(c.args) || c.args[e.by] == nil {
		return e.lvl, e.limit, -1
	}
	arg := c.args[e.by]
	b, ok := c.f.boundedIntAt(arg, c.at.Block())
	if !ok {
		return Unbounded, noLimit, -1
	}
	if cst, isConst := strip(arg).(*ssa.Const); isConst && cst.Value != nil && constant.Sign(constant.ToInt(cst.Value)) <= 0 {
		return Unbounded, noLimit, -1 // the caller switched the bound off
	}
	return c.f.level(b.limit), b.limit, b.by
}

// passed is what calling the function gives that is passed as a parameter. If it is not known which one that is, the
// callee's own name for it says whether it is a tool.
func (c *site) passed(i int, s *Summary) val {
	f, arg := c.f, c.args[i]
	if _, again := arg.(*ssa.Parameter); !again && c.callee != nil && i < len(c.callee.Params) {
		if g, _, _ := f.resolve(arg); g == nil {
			prm := c.callee.Params[i]
			if sig, ok := prm.Type().Underlying().(*types.Signature); ok {
				if kind, weak, what := f.dynamicFunc(&ssa.CallCommon{Value: prm}, sig); kind != "" {
					return f.source(kind, c.at, what, weak)
				}
			}
		}
	}
	if args := c.passedTo(int16(i), s); len(args) > 0 && !isParam(arg) {
		return f.callbackWith(arg, args, c.at)
	}
	return f.resultOf(arg, c.at)
}

func isParam(v ssa.Value) bool {
	_, ok := v.(*ssa.Parameter)
	return ok
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

// modelled applies the rules about a callee and reports whether they say all that there is to say.
func (f *function) modelled(rules []model.Rule, common *ssa.CallCommon, obj *types.Func, at ssa.CallInstruction, value ssa.Value) bool {
	if len(rules) == 0 {
		return false
	}
	sig := obj.Signature()
	handled := false
	what := shortName(obj)
	results := func(pl model.Place) []int {
		var is []int
		for i := range sig.Results().Len() {
			switch {
			case pl.Name != "" && strings.EqualFold(sig.Results().At(i).Name(), pl.Name),
				pl.Name == "" && (pl.Index == i || pl.Index < 0):
				is = append(is, i)
			}
		}
		return is
	}
	put := func(out []model.Place, make func(t types.Type) val) {
		if len(out) == 0 {
			out = []model.Place{{Result: true, Index: -1}}
		}
		for _, pl := range out {
			if pl.Result {
				for _, i := range results(pl) {
					t := sig.Results().At(i).Type()
					if pl.Index < 0 && pl.Name == "" && isError(t) {
						continue
					}
					x := make(t)
					if pl.Field != "" {
						x = f.inField(t, pl.Field, x)
					}
					f.setResult(value, common.Signature(), i, x)
				}
				continue
			}
			for _, arg := range argAt(common, sig, pl) {
				f.fill(arg, make(arg.Type()), at)
			}
		}
	}
	var bounded bool
	for _, r := range rules {
		if r.Op == model.Clean {
			if len(r.Out) == 0 {
				return true
			}
			handled = true
		}
		bounded = bounded || r.Op == model.Bound
	}
	for _, r := range rules {
		switch r.Op {
		case model.Source:
			handled = true
			if builtIn(common.Args) {
				continue
			}
			put(r.Out, func(types.Type) val {
				x := f.source(r.Kind, at, what, false)
				if bounded {
					for _, b := range rules {
						if b.Op == model.Bound {
							x = f.cut(x, b, common, sig, at)
						}
					}
				}
				return x
			})
		case model.Flow:
			handled = true
			x := f.gated(f.ins(r.In, common, sig, at), common.Args, at)
			if x.empty() {
				continue
			}
			put(r.Out, func(t types.Type) val {
				if isError(t) {
					_, args := receiver(common)
					return f.errorText(x, args, at)
				}
				return f.collected(x, at)
			})
		case model.Bound:
			handled = true
			hasSource := false
			for _, s := range rules {
				hasSource = hasSource || s.Op == model.Source
			}
			if hasSource {
				continue
			}
			in := r.In
			if len(in) == 0 {
				in = []model.Place{{Recv: true}, {Index: -1}}
			}
			x := f.ins(in, common, sig, at)
			if x.empty() {
				continue
			}
			put(r.Out, func(types.Type) val { return f.cut(x, r, common, sig, at) })
		case model.Attach:
			for _, pl := range r.In {
				for _, arg := range argAt(common, sig, pl) {
					f.attach(arg, r.Kind, at)
				}
			}
		case model.Sink:
			handled = true
			x := f.ins(r.In, common, sig, at)
			rest := f.ins([]model.Place{{Index: -1}}, common, sig, at)
			x = told(f.p.joinVal(x, rest), r.Kind)
			for i := range sig.Results().Len() {
				if !isError(sig.Results().At(i).Type()) {
					f.setResult(value, common.Signature(), i, val{self: x.all()})
				}
			}
		}
	}
	return handled
}

// inField is x in the field called name of type t.
func (f *function) inField(t types.Type, name string, x val) val {
	t = deref(t)
	if st, ok := t.Underlying().(*types.Struct); ok {
		for i := range st.NumFields() {
			if strings.EqualFold(st.Field(i).Name(), name) {
				return f.under(f.p.fieldOf(t, i), x)
			}
		}
	}
	return x
}

// ins is what the named places of a call carry.
func (f *function) ins(places []model.Place, common *ssa.CallCommon, sig *types.Signature, at ssa.Instruction) val {
	var x val
	for _, pl := range places {
		for _, arg := range argAt(common, sig, pl) {
			if isContext(arg.Type()) {
				continue
			}
			x = f.p.joinVal(x, f.eval(arg, at))
		}
	}
	return x
}

// cut applies a bound rule to a value.
func (f *function) cut(x val, r model.Rule, common *ssa.CallCommon, sig *types.Signature, at ssa.Instruction) val {
	limit, by := noLimit, int16(-1)
	piece := r.Limit > 0
	if r.Limit > 0 {
		limit = r.Limit
	}
	for _, pl := range r.By {
		for _, arg := range argAt(common, sig, pl) {
			if !isInt(arg.Type()) {
				piece = true // a buffer: one read is short, a loop of reads is not
				continue
			}
			b, ok := f.boundedIntAt(arg, at.Block())
			if !ok {
				return x
			}
			limit, by = b.limit, b.by
		}
	}
	return x.mapped(func(e entry) entry {
		if e.lvl > f.level(limit) {
			e.lvl, e.limit, e.by, e.piece = f.level(limit), limit, by, piece
		}
		return e
	})
}

// fill puts x into what an argument points to; a function that is passed gets x as its parameters.
func (f *function) fill(arg ssa.Value, x val, at ssa.Instruction) {
	if _, ok := arg.Type().Underlying().(*types.Signature); ok {
		f.callback(arg, x, at)
		return
	}
	for _, a := range f.addrOf(arg) {
		f.addWeakAt(a, val{self: x.all()}, at)
	}
	// Several out-parameters may come in a slice: rows.Scan(&a, &b).
	for _, v := range variadic(arg) {
		for _, a := range f.addrOf(v) {
			f.addWeakAt(a, val{self: x.all()}, at)
		}
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
