package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A function is the state of the analysis of one body.
type function struct {
	p   *Package
	fn  *ssa.Function
	scc int
	// coarse is set for functions that call each other in a large circle. Their parameters are not told apart by
	// field, or every field would meet every other on its way round.
	coarse bool
	static bool // some function of the package calls it by name

	params  []*ssa.Parameter
	vals    map[ssa.Value]val
	tuples  map[ssa.Value][]val
	weak    map[ssa.Value][]stored // by root: stores whose place or time is not exact: elements, closures, writers
	changed bool

	storeVals map[*ssa.Store]val           // what each store stores
	callOuts  map[ssa.Instruction][]stored // what a call puts into the fields that it overwrites

	addrs    map[ssa.Value][]addr
	addrsIn  map[ssa.Value]bool
	defs     map[ssa.Value][]def        // exact stores by root
	keys     map[ssa.Value][]path       // paths that exact stores of a root go to
	reach    map[reachKey]reached       // cached reaching definitions
	after    map[*ssa.BasicBlock][]bool // blocks reachable from a block
	ordinals map[*ssa.BasicBlock]map[ssa.Instruction]int
	guards   map[*ssa.BasicBlock][]guard // guards that hold on entry to a block, own edge first
	edge     map[[2]*ssa.BasicBlock]guardList
	intBusy  map[ssa.Value]bool
	passes   []passing                             // what it calls the functions with that it is given
	passed   map[*ssa.Parameter]bool               // parameters of which it is known which functions they are
	checked  map[*ssa.BasicBlock]bool              // blocks after which what was collected is measured
	loops    map[*ssa.BasicBlock][]*ssa.BasicBlock // blocks of a loop by its header

	summary *Summary
	callers []*function
	known   map[*function]bool
	broken  bool
	isTool  *registration
}

type guardList []guard

// fineRecursion is how many functions may call each other in a circle and still have their parameters told apart by
// field.
const fineRecursion = 8

func newFunction(p *Package, fn *ssa.Function) *function {
	return &function{
		p: p, fn: fn,
		params:    fn.Params,
		vals:      map[ssa.Value]val{},
		tuples:    map[ssa.Value][]val{},
		storeVals: map[*ssa.Store]val{},
		callOuts:  map[ssa.Instruction][]stored{},
		weak:      map[ssa.Value][]stored{},
		addrs:     map[ssa.Value][]addr{},
		addrsIn:   map[ssa.Value]bool{},
		reach:     map[reachKey]reached{},
		after:     map[*ssa.BasicBlock][]bool{},
		ordinals:  map[*ssa.BasicBlock]map[ssa.Instruction]int{},
		guards:    map[*ssa.BasicBlock][]guard{},
		edge:      map[[2]*ssa.BasicBlock]guardList{},
		intBusy:   map[ssa.Value]bool{},
		passed:    map[*ssa.Parameter]bool{},
		checked:   map[*ssa.BasicBlock]bool{},
		loops:     map[*ssa.BasicBlock][]*ssa.BasicBlock{},
		known:     map[*function]bool{},
		summary:   &Summary{},
	}
}

// paramIndex numbers parameters (receiver first), then free variables.
func (f *function) paramIndex(v ssa.Value) int {
	switch v := v.(type) {
	case *ssa.Parameter:
		for i, q := range f.params {
			if q == v {
				return i
			}
		}
	case *ssa.FreeVar:
		for i, q := range f.fn.FreeVars {
			if q == v {
				return len(f.params) + i
			}
		}
	}
	return -1
}

// paramType is the type of the parameter or free variable with that number; a free variable counts as what it holds.
func (f *function) paramType(i int) types.Type {
	if i < len(f.params) {
		return f.params[i].Type()
	}
	if i -= len(f.params); i < len(f.fn.FreeVars) {
		return deref(f.fn.FreeVars[i].Type())
	}
	return nil
}

func (f *function) paramName(i int) string {
	if i < len(f.params) {
		return f.params[i].Name()
	}
	if i -= len(f.params); i < len(f.fn.FreeVars) {
		return f.fn.FreeVars[i].Name()
	}
	return ""
}

// symbol is the value of a parameter as such. Of a large struct of the module only what its fields hold anywhere is
// known, and the same is true of what callers pass who cannot be seen.
func (f *function) symbol(v ssa.Value) val {
	i := f.paramIndex(v)
	t := f.paramType(i)
	if i < 0 || !f.p.shapes.carries(t) {
		return val{}
	}
	if f.p.object(t) {
		return val{self: heapMark}
	}
	id := f.p.intern(origin{kind: fromParam, param: int16(i)})
	m := mark{{id: id, lvl: Unbounded, by: -1, limit: noLimit, err: isError(t)}}
	_, isParam := v.(*ssa.Parameter)
	receiver := isParam && i == 0 && f.fn.Signature.Recv() != nil && !f.static
	if isParam && (receiver || f.called()) && f.p.shapes.holdsStruct(t) {
		m = join(heapMark, m)
	}
	return val{self: m}
}

// called reports whether the function has callers that the analysis does not see: through an interface, a function
// value, or a framework.
func (f *function) called() bool {
	if f.static {
		return false
	}
	if f.fn.Parent() != nil {
		return f.p.escapes[f.fn]
	}
	if f.fn.Signature.Recv() != nil {
		return f.p.dynamic[f.fn.Name()] || f.isTool != nil
	}
	return f.p.escapes[f.fn] || f.isTool != nil
}

// analyze evaluates the body until nothing grows and reports whether the summary grew.
func (f *function) analyze() bool {
	if f.defs == nil {
		f.isTool = f.p.toolFunction(f.fn)
		f.index()
		for _, prm := range f.params {
			f.vals[prm] = f.symbol(prm)
		}
		for _, fv := range f.fn.FreeVars {
			f.vals[fv] = f.symbol(fv)
		}
	}
	for {
		f.changed = false
		for _, b := range f.fn.DomPreorder() {
			for _, instr := range b.Instrs {
				f.transfer(instr)
			}
		}
		if f.fn.Recover != nil {
			for _, instr := range f.fn.Recover.Instrs {
				f.transfer(instr)
			}
		}
		if !f.changed {
			break
		}
	}
	s := f.joinSummary(f.summary, f.summarize())
	grew := !sameSummary(f.summary, s)
	if grew {
		f.summary = s
	}
	return grew
}

func (f *function) set(v ssa.Value, x val) {
	if !f.p.shapes.carries(v.Type()) {
		return
	}
	x = f.seen(v.Type(), x)
	old := f.vals[v]
	if grown := f.p.joinVal(old, x); !sameVal(grown, old) {
		f.vals[v] = grown
		f.changed = true
	}
}

// seen is a value as its type shows it: a large struct of the module is known by its fields only, and the arguments
// that a model gives to a tool are no output.
func (f *function) seen(t types.Type, x val) val {
	switch {
	case isError(t):
		return val{self: inErrors(x.all())}
	case f.p.object(t):
		return val{self: heapMark}
	case f.p.shapes.service(t):
		return val{}
	case f.p.shapes.class(t).request:
		return val{}
	case isText(t):
		return x.closed()
	}
	return x
}

// inErrors is the part of a mark that was written into the text of an error. An error says what went wrong; that it came
// out of a call that also gives output means nothing.
func inErrors(m mark) mark {
	var out mark
	for _, e := range m {
		if e.err {
			out = append(out, e)
		}
	}
	return out
}

func asError(x val) val {
	return val{self: x.all().mapped(func(e entry) entry { e.err = true; return e })}
}

func (f *function) setTuple(v ssa.Value, i int, x val) {
	t := f.tuples[v]
	for len(t) <= i {
		t = append(t, val{})
	}
	if grown := f.p.joinVal(t[i], x); !sameVal(grown, t[i]) {
		t[i] = grown
		f.changed = true
	}
	f.tuples[v] = t
}

// setResult gives a call's i-th result a value.
func (f *function) setResult(call ssa.Value, sig *types.Signature, i int, x val) {
	if call == nil || i >= sig.Results().Len() {
		return
	}
	if sig.Results().Len() == 1 {
		f.set(call, x)
		return
	}
	if t := sig.Results().At(i).Type(); f.p.shapes.carries(t) {
		f.setTuple(call, i, f.seen(t, x))
	}
}

// addWeak joins a value into a place without replacing what was there.
func (f *function) addWeak(a addr, x val) { f.addWeakAt(a, x, nil) }

// addWeakAt is addWeak for what is put there when at runs. That matters only where something replaces it later.
func (f *function) addWeakAt(a addr, x val, at ssa.Instruction) {
	if x.empty() {
		return
	}
	switch root := a.root.(type) {
	case *ssa.Global:
		f.p.storeGlobal(root, f.under(a.key, x))
	}
	if _, ok := at.(*ssa.Call); !ok || len(f.defs[a.root]) == 0 {
		at = nil
	}
	i := slices.IndexFunc(f.weak[a.root], func(s stored) bool { return s.key == a.key && s.at == at })
	if i < 0 {
		i = len(f.weak[a.root])
		f.weak[a.root] = append(f.weak[a.root], stored{key: a.key, at: at})
	}
	old := f.weak[a.root][i].val
	if grown := f.p.joinVal(old, x); !sameVal(grown, old) {
		f.weak[a.root][i].val = grown
		f.changed = true
	}
	if _, local := a.root.(*ssa.Alloc); !local {
		f.publish(a.key, x)
	}
}

// publish makes a value that was stored in a field visible to loads of that field in other functions.
func (f *function) publish(key fieldID, x val) {
	f.p.storeNode(key, x.self)
	for _, fm := range x.fields {
		f.p.storeNode(fm.id, fm.m)
	}
}

// under makes a value that carries x in its field key.
func (f *function) under(key fieldID, x val) val {
	if key == 0 {
		return x
	}
	out := val{fields: x.fields}
	if m, ok := out.override(key); ok {
		return out.with(key, join(m, x.self))
	}
	return out.with(key, x.self)
}
