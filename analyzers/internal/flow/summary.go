package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A Summary says what a function does with its parameters, in terms of them, so that callers need not look inside.
type Summary struct {
	results []val
	Outs    []out
	sinks   []sinkRef
	passes  []passing
}

// An out is what a function puts into one of its parameters, or captured variables.
type out struct {
	param  int16
	key    fieldID
	v      val
	strong bool // on every path that returns, what the field held on entry is gone
}

// A sinkRef says that a parameter reaches a sink inside.
type sinkRef struct {
	e    entry // the parameter's origin, with the level it has at the sink
	code string
	pos  place
	what string
	told bool // the place itself has been reported whatever callers pass
}

func sameSummary(a, b *Summary) bool {
	return slices.EqualFunc(a.results, b.results, sameVal) &&
		slices.EqualFunc(a.passes, b.passes, func(x, y passing) bool {
			return x.param == y.param && x.arg == y.arg && sameVal(x.v, y.v)
		}) &&
		slices.EqualFunc(a.Outs, b.Outs, func(x, y out) bool {
			return x.param == y.param && x.key == y.key && x.strong == y.strong && sameVal(x.v, y.v)
		}) &&
		slices.EqualFunc(a.sinks, b.sinks, func(x, y sinkRef) bool {
			return x.code == y.code && x.told == y.told && sameEntry(x.e, y.e)
		})
}

// summarize reads the summary off the settled values of a body.
func (f *function) summarize() *Summary {
	s := &Summary{}
	n := f.fn.Signature.Results().Len()
	s.results = make([]val, n)
	var returns []*ssa.Return
	for _, b := range f.fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			returns = append(returns, ret)
			for i, r := range ret.Results {
				s.results[i] = f.p.joinVal(s.results[i], f.own(f.eval(r, ret)))
			}
		}
	}
	for i := range len(f.params) + len(f.fn.FreeVars) {
		var root ssa.Value
		if i < len(f.params) {
			root = f.params[i]
		} else {
			root = f.fn.FreeVars[i-len(f.params)]
		}
		s.Outs = append(s.Outs, f.outsOf(int16(i), root, returns)...)
	}
	s.sinks = f.sinkRefs()
	for _, n := range f.passes {
		s.passes, _ = addPassing(s.passes, f, passing{n.param, n.arg, f.own(n.v)})
	}
	return s
}

// own drops what a value carries of the function's own kind of marks that callers must not see twice.
func (f *function) own(v val) val {
	told := f.isTool != nil
	return v.mapped(func(e entry) entry {
		if f.p.origin(e.id).kind != fromSource {
			e.toldT, e.toldH = false, false
			return e
		}
		e.toldT = e.toldT || told
		return e
	})
}

// outsOf lists what the body stores into a parameter.
func (f *function) outsOf(i int16, root ssa.Value, returns []*ssa.Return) []out {
	var outs []out
	add := func(o out) {
		for j := range outs {
			if outs[j].key == o.key {
				outs[j].v = f.p.joinVal(outs[j].v, o.v)
				outs[j].strong = outs[j].strong && o.strong
				return
			}
		}
		outs = append(outs, o)
	}
	for _, w := range f.weak[root] {
		add(out{param: i, key: w.key, v: w.val})
	}
	for _, k := range f.keys[root] {
		key := fieldID(0)
		if k != "" {
			key = k.last()
		}
		o := out{param: i, key: key, strong: !k.nested() && len(returns) > 0 && len(f.weak[root]) == 0}
		a := addr{root: root, key: key, path: k, exact: true}
		for _, ret := range returns {
			for _, r := range f.reachingDefs(a, ret) {
				if r.instr == nil {
					// What was there on entry survives on this path.
					if !r.guarded {
						o.strong = false
						continue
					}
					if o.strong {
						x := f.p.field(f.initial(root), key)
						o.v = f.p.joinVal(o.v, f.found(a, x, r.bounding))
					}
					continue
				}
				x := f.defVal(r.def, key)
				if r.guarded {
					x = f.found(a, x, r.bounding)
				}
				o.v = f.p.joinVal(o.v, x)
			}
		}
		if o.strong || !o.v.empty() {
			add(o)
		}
	}
	return outs
}

// joinSummary joins what two evaluations of a body found. A summary only grows, so that recursion comes to rest.
func (f *function) joinSummary(a, b *Summary) *Summary {
	if len(a.results) == 0 && len(a.Outs) == 0 && len(a.sinks) == 0 && len(a.passes) == 0 {
		return b
	}
	s := &Summary{results: slices.Clone(b.results), Outs: slices.Clone(a.Outs), sinks: slices.Clone(a.sinks), passes: a.passes}
	for _, n := range b.passes {
		s.passes, _ = addPassing(s.passes, f, n)
	}
	for i, r := range a.results {
		s.results[i] = f.p.joinVal(r, s.results[i])
	}
	for _, o := range b.Outs {
		i := slices.IndexFunc(s.Outs, func(x out) bool { return x.param == o.param && x.key == o.key })
		if i < 0 {
			s.Outs = append(s.Outs, o)
			continue
		}
		s.Outs[i].v = f.p.joinVal(s.Outs[i].v, o.v)
		s.Outs[i].strong = s.Outs[i].strong && o.strong
	}
	for _, r := range b.sinks {
		i := slices.IndexFunc(s.sinks, func(x sinkRef) bool { return x.e.id == r.e.id && x.code == r.code && x.told == r.told })
		if i < 0 {
			s.sinks = append(s.sinks, r)
			continue
		}
		s.sinks[i].e = s.sinks[i].e.merge(r.e)
	}
	return s
}
