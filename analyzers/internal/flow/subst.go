package flow

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

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

// structured reports whether a parameter of the callee, or the field of it, is a struct, or a list or map of anything but
// text.
func (c *site) structured(o origin) bool {
	t := c.paramType(int(o.param))
	if o.field != 0 {
		t = c.f.p.fieldTypes[o.field]
	}
	if t == nil || isText(t) || isError(t) {
		return false
	}
	switch deref(t).Underlying().(type) {
	case *types.Struct, *types.Map, *types.Slice:
		return true
	}
	return false
}

// listed reports whether what is passed is a list written out at the call: what the callee collects from it in a loop is
// no more than what stands there.
func (c *site) listed(param int16) bool {
	return c.args[param] != nil && variadic(c.args[param]) != nil
}

// paramType is the type of a parameter of the callee, receiver first; nil if there is none. The functions of other
// packages have no parameters here, only a signature.
func (c *site) paramType(i int) types.Type {
	if c.callee == nil {
		return nil
	}
	sig := c.callee.Signature
	if recv := sig.Recv(); recv != nil {
		if i == 0 {
			return recv.Type()
		}
		i--
	}
	if i >= sig.Params().Len() {
		return nil
	}
	return sig.Params().At(i).Type()
}

// through is a trace with the call as its newest hop.
func (c *site) through(tr *trace) *trace {
	if c.callee == nil || tr != nil && tr.pos.pos == c.at.Pos() {
		return tr
	}
	return &trace{pos: c.place(), what: "through " + c.name, prev: tr}
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
			if x.empty() || e.err && c.structured(o) {
				continue // an error names some part of what it is about, and hardly ever all of it
			}
			lvl, limit, by := e.lvl, e.limit, int16(-1)
			if e.by >= 0 && lvl < Unbounded {
				lvl, limit, by = c.boundBy(e)
				if lvl < Unbounded {
					call, _ := c.at.(ssa.Value)
					p.capped(c.f.limitField(c.args[e.by]), call, x)
				}
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
				if e.loops && !c.listed(o.param) {
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
	// A function that is given its own results goes round in a circle, which adds nothing.
	if !isParam(arg) && !c.circling[i] {
		if c.circling == nil {
			c.circling = map[int]bool{}
		}
		c.circling[i] = true
		args := c.passedTo(int16(i), s)
		delete(c.circling, i)
		if len(args) > 0 {
			return f.callbackWith(arg, args, c.at)
		}
	}
	return f.resultOf(arg, c.at)
}

func isParam(v ssa.Value) bool {
	_, ok := v.(*ssa.Parameter)
	return ok
}
