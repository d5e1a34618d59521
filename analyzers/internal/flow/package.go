package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/boundcheck/boundcheck/analyzers/internal/model"
)

// A Config holds what the user can set. The zero Config is the default.
type Config struct {
	Models *model.Set // the rules, built in and the user's
	Loose  int64      // a limit above this many bytes is reported as loose; 0 means DefaultLoose
}

// DefaultLoose is the largest limit that still counts as a bound: 100 KiB, a limit that the bounding layers
// of well-kept agents use for one result.
const DefaultLoose = 100 << 10

// An Input is one type-checked package.
type Input struct {
	Fset  *token.FileSet
	Files []*ast.File
	Pkg   *types.Package
	Info  *types.Info
	Sizes types.Sizes
	// Facts returns what the analysis of another package found, or nil if that package was not analysed.
	Facts func(path string) *Facts
	// Rules are the rules that directives in the package's own source make.
	Rules []model.Rule
	// Claims are the functions that their author calls bounds.
	Claims []Claim
}

// A Package is the state of the analysis of one package.
type Package struct {
	Input
	cfg Config

	limitsSet map[fieldID]bool // answers of alwaysSet
	counted   *census

	prog *ssa.Program
	ssa  *ssa.Package

	kinds      interner[string, originID] // kinds of sources
	fieldIDs   interner[string, fieldID]
	fieldByVar map[*types.Var]fieldID
	fieldTypes map[fieldID]types.Type
	objects    map[types.Type]bool
	histories  map[fieldID]bool // answers of storedHistory
	fieldHolds map[fieldID]bool // fields whose type has struct fields of its own

	funcs map[*ssa.Function]*function
	order []*function // callees before callers

	nodes   map[fieldID]mark               // what is stored in a field anywhere
	readers map[fieldID]map[*function]bool // who read a field's node
	globals map[*ssa.Global]val
	greader map[*ssa.Global]map[*function]bool
	dirty   map[*function]bool
	dynamic map[string]bool // names of methods that are called through interfaces
	cur     *function       // whose body is being evaluated

	rules      map[types.Object][]model.Rule
	fieldRules map[fieldID][]model.Rule
	extern     map[string]*Facts
	shapes     *shapes
	registered map[*ssa.Function]registration
	toolParams map[toolParam]registration
	argsSeen   map[*ssa.Function][]val // per parameter: what static callers in the package pass
	called     map[*ssa.Function]int
	escapes    map[*ssa.Function]bool
	wrapped    map[token.Pos]bool // calls of functions that a literal wraps
	caps       map[fieldID]bool   // limits that whoever runs tools enforces on what they return

	reports  []Report
	reported map[reportKey]int
	panics   []Report

	importedSums map[*types.Func]*Summary
	reached      map[*types.Func][]*function // methods that an interface method may be
	closed       map[closedCall][]*function  // all of them, where that is known
	calls        map[token.Pos]*ast.CallExpr // by opening parenthesis
	rets         map[token.Pos]*ast.ReturnStmt
}

// A registration says that a function is handed to a framework, or kept in a table, as a tool.
type registration struct {
	code string
	how  string
	decl ssa.Value // the literal that describes the tool, nil if there is none
	// runner is set for what executes commands, for a tool or as one.
	runner bool
}

// Analyze runs the analysis over one package.
func Analyze(in Input, cfg Config) *Result {
	if cfg.Loose == 0 {
		cfg.Loose = DefaultLoose
	}
	if cfg.Models == nil {
		cfg.Models = &model.Set{}
	}
	p := &Package{
		Input: in, cfg: cfg,
		fieldByVar:   map[*types.Var]fieldID{},
		fieldHolds:   map[fieldID]bool{},
		histories:    map[fieldID]bool{},
		fieldTypes:   map[fieldID]types.Type{},
		objects:      map[types.Type]bool{},
		funcs:        map[*ssa.Function]*function{},
		nodes:        map[fieldID]mark{},
		readers:      map[fieldID]map[*function]bool{},
		globals:      map[*ssa.Global]val{},
		greader:      map[*ssa.Global]map[*function]bool{},
		dirty:        map[*function]bool{},
		rules:        map[types.Object][]model.Rule{},
		fieldRules:   map[fieldID][]model.Rule{},
		extern:       map[string]*Facts{},
		registered:   map[*ssa.Function]registration{},
		toolParams:   map[toolParam]registration{},
		argsSeen:     map[*ssa.Function][]val{},
		called:       map[*ssa.Function]int{},
		escapes:      map[*ssa.Function]bool{},
		caps:         map[fieldID]bool{},
		limitsSet:    map[fieldID]bool{},
		wrapped:      map[token.Pos]bool{},
		reported:     map[reportKey]int{},
		importedSums: map[*types.Func]*Summary{},
		reached:      map[*types.Func][]*function{},
		closed:       map[closedCall][]*function{},
	}
	p.fieldIDs.intern("") // 0 is the whole value
	p.kinds.intern("")    // 0 is the heap
	p.shapes = newShapes()
	p.importNodes()
	p.build()
	p.collect()
	p.solve()
	p.report()
	p.refute()
	slices.SortStableFunc(p.reports, compareReports)
	return &Result{Reports: append(p.reports, p.panics...), Facts: p.export()}
}

// build makes the SSA form of the package. Of what it imports only the packages that its source mentions are declared,
// and their bodies are never looked at: declaring everything below would cost as much as all the rest.
func (p *Package) build() {
	p.prog = ssa.NewProgram(p.Fset, ssa.BareInits)
	declared := map[*types.Package]bool{p.Pkg: true}
	for _, obj := range p.Info.Uses {
		if pkg := obj.Pkg(); pkg != nil && !declared[pkg] {
			declared[pkg] = true
			p.prog.CreatePackage(pkg, nil, nil, true)
		}
	}
	p.ssa = p.prog.CreatePackage(p.Pkg, p.Files, p.Info, false)
	p.ssa.Build()
}

// collect finds the functions with bodies and puts callees before callers.
func (p *Package) collect() {
	var all []*ssa.Function
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		if fn == nil || len(fn.Blocks) == 0 || p.funcs[fn] != nil {
			return
		}
		p.funcs[fn] = newFunction(p, fn)
		all = append(all, fn)
		for _, anon := range fn.AnonFuncs {
			add(anon)
		}
	}
	for _, file := range p.Files {
		for _, d := range file.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok {
				if obj, ok := p.Info.Defs[fd.Name].(*types.Func); ok {
					add(p.prog.FuncValue(obj))
				}
			}
		}
	}
	add(p.ssa.Func("init"))
	p.register(all)
	p.countCalls(all)

	// Tarjan's algorithm, with an explicit stack: deep call chains are common in generated code.
	index := map[*ssa.Function]int{}
	low := map[*ssa.Function]int{}
	onStack := map[*ssa.Function]bool{}
	var stack []*ssa.Function
	type frame struct {
		fn   *ssa.Function
		outs []*ssa.Function
		i    int
	}
	next := 1
	for _, root := range all {
		if index[root] != 0 {
			continue
		}
		work := []*frame{}
		push := func(fn *ssa.Function) {
			index[fn], low[fn] = next, next
			next++
			stack, onStack[fn] = append(stack, fn), true
			work = append(work, &frame{fn: fn, outs: p.callees(fn)})
		}
		push(root)
		for len(work) > 0 {
			f := work[len(work)-1]
			if f.i < len(f.outs) {
				out := f.outs[f.i]
				f.i++
				switch {
				case index[out] == 0:
					push(out)
				case onStack[out]:
					low[f.fn] = min(low[f.fn], index[out])
				}
				continue
			}
			work = work[:len(work)-1]
			if len(work) > 0 {
				up := work[len(work)-1].fn
				low[up] = min(low[up], low[f.fn])
			}
			if low[f.fn] != index[f.fn] {
				continue
			}
			var scc []*function
			for {
				fn := stack[len(stack)-1]
				stack, onStack[fn] = stack[:len(stack)-1], false
				scc = append(scc, p.funcs[fn])
				if fn == f.fn {
					break
				}
			}
			slices.Reverse(scc)
			for _, fn := range scc {
				fn.scc = len(p.order)
				fn.coarse = len(scc) > fineRecursion
			}
			p.order = append(p.order, scc...)
		}
	}
}

// countCalls notes which functions are called by name in the package.
func (p *Package) countCalls(all []*ssa.Function) {
	for _, fn := range all {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if c, ok := instr.(ssa.CallInstruction); ok {
					if g := p.funcs[origin0(c.Common().StaticCallee())]; g != nil {
						g.static = true
					}
				}
			}
		}
	}
	p.dynamic = map[string]bool{}
	note := func(pkg *types.Package) {
		for _, name := range pkg.Scope().Names() {
			tn, ok := pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok {
				continue
			}
			if iface, ok := tn.Type().Underlying().(*types.Interface); ok {
				for i := range iface.NumMethods() {
					p.dynamic[iface.Method(i).Name()] = true
				}
			}
		}
	}
	note(p.Pkg)
	for _, imp := range p.Pkg.Imports() {
		if p.facts(imp.Path()) != nil {
			note(imp)
		}
	}
}

// callees lists the functions of this package that fn calls, or makes closures of, in order of appearance.
func (p *Package) callees(fn *ssa.Function) []*ssa.Function {
	var out []*ssa.Function
	add := func(callee *ssa.Function) {
		if callee = origin0(callee); callee != nil && p.funcs[callee] != nil && !slices.Contains(out, callee) {
			out = append(out, callee)
		}
	}
	var ops [16]*ssa.Value
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			for _, op := range instr.Operands(ops[:0]) {
				if *op == nil {
					continue
				}
				if f, ok := (*op).(*ssa.Function); ok {
					add(f)
				}
			}
		}
	}
	return out
}

// origin0 is the function whose body stands for fn: the generic one for an instance, the method itself for a
// bound-method wrapper or a thunk.
func origin0(fn *ssa.Function) *ssa.Function {
	if fn == nil {
		return nil
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Synthetic != "" && fn.Object() != nil && fn.Prog != nil {
		if obj, ok := fn.Object().(*types.Func); ok {
			if f := fn.Prog.FuncValue(obj.Origin()); f != nil {
				return f
			}
		}
	}
	return fn
}

// solve computes every summary, callees first, and repeats whatever depended on a value that grew.
func (p *Package) solve() {
	for _, f := range p.order {
		p.dirty[f] = true
	}
	// Every value only grows and has finitely many states, so this ends; callees-first order makes it end soon.
	for len(p.dirty) > 0 {
		for i := 0; i < len(p.order); i++ {
			f := p.order[i]
			if !p.dirty[f] {
				continue
			}
			delete(p.dirty, f)
			if p.guarded(f, f.analyze) {
				for _, c := range f.callers {
					p.dirty[c] = true
				}
			}
		}
	}
}

// report runs over the settled values once more and notes what reaches a sink.
func (p *Package) report() {
	for _, f := range slices.Backward(p.order) { // callers before callees
		f.observe()
	}
	for _, f := range p.order {
		p.guarded(f, func() bool { f.emit(); return false })
	}
}

// guarded runs one function's analysis; a panic in it becomes a finding that names the function.
func (p *Package) guarded(f *function, run func() bool) (grew bool) {
	if f.broken {
		return false
	}
	p.cur = f
	defer func() {
		p.cur = nil
		if r := recover(); r != nil {
			f.broken = true
			p.panics = append(p.panics, panicReport(f, r))
			grew = false
		}
	}()
	return run()
}

func (p *Package) fieldNode(id fieldID) mark {
	if cur := p.cur; cur != nil {
		if p.readers[id] == nil {
			p.readers[id] = map[*function]bool{}
		}
		p.readers[id][cur] = true
	}
	return p.nodes[id].mapped(func(e entry) entry { e.stored = true; return e })
}

// storeNode notes that a field of some value holds m. Only what has a source is kept: what a parameter carries is
// added when a caller says what it is.
func (p *Package) storeNode(id fieldID, m mark) {
	if id == 0 || p.storedHistory(id) {
		return
	}
	concrete := p.concrete(m)
	old := p.nodes[id]
	if grown := join(old, concrete); !slices.EqualFunc(grown, old, sameEntry) {
		p.nodes[id] = grown
		for r := range p.readers[id] {
			p.dirty[r] = true
		}
	}
}

// ofTools is the part of a mark that comes out of calls of tools.
func (p *Package) ofTools(m mark) mark {
	var out mark
	for _, e := range m {
		if o := p.origin(e.id); o.kind == fromSource && o.src == "tool" {
			out = append(out, e)
		}
	}
	return out
}

// storedHistory reports whether a field belongs to a message, or holds messages: what is in a history has been looked
// at where it entered.
func (p *Package) storedHistory(id fieldID) bool {
	r, ok := p.histories[id]
	if !ok {
		t := p.fieldTypes[id]
		r = p.messageField(p.fieldIDs.list[id]) || t != nil && p.shapes.class(t).message
		if t != nil { // or the type may still become known
			p.histories[id] = r
		}
	}
	return r
}

func (p *Package) globalVal(g *ssa.Global) val {
	if cur := p.cur; cur != nil {
		if p.greader[g] == nil {
			p.greader[g] = map[*function]bool{}
		}
		p.greader[g][cur] = true
	}
	return p.globals[g]
}

func (p *Package) storeGlobal(g *ssa.Global, v val) {
	v = val{self: p.concrete(v.self), fields: p.concreteFields(v.fields)}
	old := p.globals[g]
	if grown := p.joinVal(old, v); !sameVal(grown, old) {
		p.globals[g] = grown
		for r := range p.greader[g] {
			p.dirty[r] = true
		}
	}
}

func (p *Package) concrete(m mark) mark {
	var out mark
	for _, e := range m {
		if p.origin(e.id).kind == fromSource {
			out = append(out, e)
		}
	}
	return out
}

func (p *Package) concreteFields(fs []fieldMark) []fieldMark {
	var out []fieldMark
	for _, f := range fs {
		if m := p.concrete(f.m); len(m) > 0 {
			out = append(out, fieldMark{f.id, m})
		}
	}
	return out
}
