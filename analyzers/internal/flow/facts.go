package flow

import (
	"cmp"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/boundcheck/boundcheck/analyzers/internal/model"
)

// Facts are what the analysis of a package tells the analysis of the packages that import it. Its presence also says
// that the package was analysed, and so belongs to the main module. There are no maps in it, because encoding/gob, which
// other drivers use, writes equal maps as different bytes, and build systems compare those.
type Facts struct {
	Funcs  []FuncFact // sorted by name
	Fields []FieldFact
	Tools  []FactTool   // parameters that become tools, sorted
	Caps   []string     // fields with limits that whoever runs tools enforces, sorted
	Rules  []model.Rule // what directives declare
}

// AFact marks Facts as a fact of go/analysis.
func (*Facts) AFact() {}

func (f *Facts) String() string { return "boundcheck facts" }

// A FuncFact is the summary of one function, with names for numbers.
type FuncFact struct {
	Name    string // in full: pkg.F, (*pkg.T).M
	Results []FactVal
	Outs    []FactOut
	Sinks   []FactSink
	Passes  []FactPassing
}

// A FactVal is a value in a fact.
type FactVal struct {
	Self   []FactEntry
	Fields []FieldFact
}

// A FieldFact is what a field carries. Lists of them are sorted by name.
type FieldFact struct {
	Name string
	Mark []FactEntry
}

// of finds the summary of a function.
func (f *Facts) of(name string) (FuncFact, bool) {
	i, ok := slices.BinarySearchFunc(f.Funcs, name, func(ff FuncFact, name string) int { return cmp.Compare(ff.Name, name) })
	if !ok {
		return FuncFact{}, false
	}
	return f.Funcs[i], true
}

// A FactEntry is one origin in a fact.
type FactEntry struct {
	Kind                                                 uint8
	Param                                                int16
	Field                                                string
	Src                                                  string
	Level                                                uint8
	By                                                   int16
	Limit                                                int64
	Piece, Loops, Whole, Err, Stored, Weak, ToldT, ToldH bool
	Trace                                                []Step
}

// A FactOut is what a function stores in a parameter.
type FactOut struct {
	Param  int16
	Key    string
	Val    FactVal
	Strong bool
}

// A FactPassing is what a function passes to a function that it is given.
type FactPassing struct {
	Param, Arg int16
	Val        FactVal
}

// A FactTool is a parameter of a function that is handed to a framework as a tool.
type FactTool struct {
	Func  string
	Param int16
	Code  string
}

// A FactSink is a sink that a parameter reaches.
type FactSink struct {
	Entry FactEntry
	Code  string
	What  string
	Told  bool
}

// export writes the summaries that other packages may need: they can call what is exported, and exported methods of
// any type, since values of unexported types get around.
func (p *Package) export() *Facts {
	out := &Facts{Rules: p.Rules}
	for fn, f := range p.funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || !obj.Exported() || fn.Parent() != nil || f.broken {
			continue
		}
		if ff := p.exportFunc(f.summary); len(ff.Results)+len(ff.Outs)+len(ff.Sinks)+len(ff.Passes) > 0 {
			ff.Name = obj.FullName()
			out.Funcs = append(out.Funcs, ff)
		}
	}
	slices.SortFunc(out.Funcs, func(a, b FuncFact) int { return cmp.Compare(a.Name, b.Name) })
	for id, m := range p.nodes {
		if len(m) > 0 {
			out.Fields = append(out.Fields, FieldFact{p.fieldIDs.list[id], p.exportMark(m)})
		}
	}
	sortFields(out.Fields)
	for id := range p.caps {
		out.Caps = append(out.Caps, p.fieldIDs.list[id])
	}
	slices.Sort(out.Caps)
	for t, reg := range p.toolParams {
		if obj, ok := t.fn.Object().(*types.Func); ok && obj.Exported() {
			out.Tools = append(out.Tools, FactTool{obj.FullName(), int16(t.index), reg.code})
		}
	}
	slices.SortFunc(out.Tools, func(a, b FactTool) int {
		return cmp.Or(cmp.Compare(a.Func, b.Func), cmp.Compare(a.Param, b.Param))
	})
	return out
}

func sortFields(fs []FieldFact) {
	slices.SortFunc(fs, func(a, b FieldFact) int { return cmp.Compare(a.Name, b.Name) })
}

func (p *Package) exportFunc(s *Summary) FuncFact {
	var ff FuncFact
	any := false
	for _, r := range s.results {
		v := p.exportVal(r)
		any = any || len(v.Self) > 0 || len(v.Fields) > 0
		ff.Results = append(ff.Results, v)
	}
	if !any {
		ff.Results = nil
	}
	for _, o := range s.Outs {
		ff.Outs = append(ff.Outs, FactOut{o.param, p.fieldIDs.list[o.key], p.exportVal(o.v), o.strong})
	}
	for _, n := range s.passes {
		ff.Passes = append(ff.Passes, FactPassing{n.param, n.arg, p.exportVal(n.v)})
	}
	for _, r := range s.sinks {
		ff.Sinks = append(ff.Sinks, FactSink{p.exportMark(mark{r.e})[0], r.code, r.what, r.told})
	}
	return ff
}

func (p *Package) exportVal(v val) FactVal {
	out := FactVal{Self: p.exportMark(v.self)}
	for _, fm := range v.fields {
		out.Fields = append(out.Fields, FieldFact{p.fieldIDs.list[fm.id], p.exportMark(fm.m)})
	}
	sortFields(out.Fields) // the numbers they were sorted by differ from package to package
	return out
}

func (p *Package) exportMark(m mark) []FactEntry {
	var out []FactEntry
	for _, e := range m {
		o := p.origin(e.id)
		out = append(out, FactEntry{
			Kind: uint8(o.kind), Param: o.param, Field: p.fieldIDs.list[o.field], Src: o.src,
			Level: uint8(e.lvl), By: e.by, Limit: e.limit,
			Piece: e.piece, Loops: e.loops, Whole: e.whole, Err: e.err, Stored: e.stored, Weak: e.weak, ToldT: e.toldT, ToldH: e.toldH,
			Trace: p.steps(e.tr),
		})
	}
	return out
}

// imported is the summary of a function of another package, nil if there is none.
func (p *Package) imported(fn *ssa.Function) *Summary {
	obj, ok := fn.Object().(*types.Func)
	if !ok || obj.Pkg() == nil || obj.Pkg() == p.Pkg {
		return nil
	}
	if s, ok := p.importedSums[obj]; ok {
		return s
	}
	var s *Summary
	if facts := p.facts(obj.Pkg().Path()); facts != nil {
		s = &Summary{results: make([]val, fn.Signature.Results().Len())}
		if ff, ok := facts.of(obj.FullName()); ok {
			for i, v := range ff.Results {
				s.results[i] = p.importVal(v)
			}
			for _, o := range ff.Outs {
				s.Outs = append(s.Outs, out{o.Param, p.internField(o.Key), p.importVal(o.Val), o.Strong})
			}
			for _, n := range ff.Passes {
				s.passes = append(s.passes, passing{n.Param, n.Arg, p.importVal(n.Val)})
			}
			for _, r := range ff.Sinks {
				s.sinks = append(s.sinks, sinkRef{e: p.importMark([]FactEntry{r.Entry})[0], code: r.Code, what: r.What, told: r.Told})
			}
		}
	}
	p.importedSums[obj] = s
	return s
}

func (p *Package) internField(name string) fieldID {
	if name == "" {
		return 0
	}
	return p.fieldIDs.intern(name)
}

func (p *Package) importVal(v FactVal) val {
	out := val{self: p.importMark(v.Self)}
	for _, f := range v.Fields {
		out = out.with(p.internField(f.Name), p.importMark(f.Mark))
	}
	return out
}

func (p *Package) importMark(es []FactEntry) mark {
	var out mark
	for _, fe := range es {
		o := origin{kind: originKind(fe.Kind), param: fe.Param, field: p.internField(fe.Field), src: fe.Src}
		e := entry{
			id: p.intern(o), lvl: Level(fe.Level), by: fe.By, limit: fe.Limit,
			piece: fe.Piece, loops: fe.Loops, whole: fe.Whole, err: fe.Err, stored: fe.Stored, weak: fe.Weak,
			// What was reported stays behind: a message of another package that is put into a history here is another
			// entry, and a helper of another package that a tool calls is not the tool.
		}
		for _, s := range fe.Trace {
			e.tr = &trace{pos: place{file: s.File, line: s.Line}, what: s.What, prev: e.tr}
		}
		out = join(out, mark{e})
	}
	return out
}

// importNodes takes over what imported packages store in fields.
func (p *Package) importNodes() {
	for _, imp := range p.Pkg.Imports() {
		facts := p.facts(imp.Path())
		if facts == nil {
			continue
		}
		for _, f := range facts.Fields {
			id := p.internField(f.Name)
			p.nodes[id] = join(p.nodes[id], p.importMark(f.Mark))
		}
		for _, name := range facts.Caps {
			p.caps[p.internField(name)] = true
		}
	}
}
