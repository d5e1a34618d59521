// Package pass runs analyzers over one type-checked package.
//
// It is the only place where analyzers run: the unit driver (under go vet) and the standalone driver both call
// [Run], so that they cannot disagree about what is found in a package.
package pass

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/boundcheck/boundcheck/analyzers/finding"
)

// A Package is one package as an analyzer sees it.
type Package struct {
	Path         string // import path without a test-variant suffix
	Fset         *token.FileSet
	Files        []*ast.File
	Types        *types.Package
	Info         *types.Info
	Sizes        types.Sizes
	OtherFiles   []string
	IgnoredFiles []string
	Module       *analysis.Module
}

// Facts is where the package facts of dependencies come from and where those of the package itself go.
type Facts interface {
	// Import copies the fact of the type of ptr about a package into ptr, and reports whether there is one.
	Import(pkgPath string, ptr analysis.Fact) bool
	// Export adds a fact about the package that is being analysed.
	Export(fact analysis.Fact)
	// Each calls f for every known fact of the type of proto, in the order of package paths.
	Each(proto analysis.Fact, f func(pkgPath string, fact analysis.Fact))
}

// A Result is what one analyzer said about a package. When Err is set the rest is empty.
type Result struct {
	Analyzer    *analysis.Analyzer
	Diagnostics []analysis.Diagnostic
	Findings    []finding.Finding
	Err         error
}

// Run runs the analyzers over the package, and first whatever they require. There is one result for each of the
// analyzers, in their order, without what lies outside the scope. A panic in an analyzer becomes the error of its
// result.
func Run(pkg *Package, analyzers []*analysis.Analyzer, facts Facts, scope Scope) []Result {
	r := runner{pkg: pkg, facts: facts, done: map[*analysis.Analyzer]*action{}}
	in := scope.in(pkg)
	var results []Result
	for _, a := range analyzers {
		act := r.run(a)
		res := Result{Analyzer: a, Err: act.err}
		if act.err == nil {
			for _, d := range act.diagnostics {
				if in(d.Pos) {
					res.Diagnostics = append(res.Diagnostics, d)
				}
			}
			if list, ok := act.value.(*finding.List); ok && list != nil {
				for _, f := range list.Findings {
					if in(f.Pos) {
						res.Findings = append(res.Findings, f)
					}
				}
			}
		}
		results = append(results, res)
	}
	return results
}

type action struct {
	value       any
	diagnostics []analysis.Diagnostic
	err         error
}

type runner struct {
	pkg   *Package
	facts Facts
	done  map[*analysis.Analyzer]*action
}

func (r *runner) run(a *analysis.Analyzer) *action {
	if act, ok := r.done[a]; ok {
		return act
	}
	act := &action{}
	r.done[a] = act
	inputs := map[*analysis.Analyzer]any{}
	for _, req := range a.Requires {
		dep := r.run(req)
		if dep.err != nil {
			act.err = dep.err
			return act
		}
		inputs[req] = dep.value
	}
	r.call(a, act, inputs)
	return act
}

// errObjectFacts keeps the drivers honest: they carry package facts only.
var errObjectFacts = errors.New("exports a fact about an object, but only package facts are carried from package to package")

func (r *runner) call(a *analysis.Analyzer, act *action, inputs map[*analysis.Analyzer]any) {
	where := "analyzer " + a.Name + " failed"
	defer func() {
		if p := recover(); p != nil {
			act.err = fmt.Errorf("%s: %v (%s); please report this", where, p, PanicOrigin())
		}
	}()
	var misuse error
	p := &analysis.Pass{
		Analyzer:     a,
		Fset:         r.pkg.Fset,
		Files:        r.pkg.Files,
		OtherFiles:   r.pkg.OtherFiles,
		IgnoredFiles: r.pkg.IgnoredFiles,
		Pkg:          r.pkg.Types,
		TypesInfo:    r.pkg.Info,
		TypesSizes:   r.pkg.Sizes,
		Module:       r.pkg.Module,
		ResultOf:     inputs,
		ReadFile:     os.ReadFile,
		Report: func(d analysis.Diagnostic) {
			d.SuggestedFixes = slices.DeleteFunc(d.SuggestedFixes, func(f analysis.SuggestedFix) bool {
				return !r.applicable(f)
			})
			act.diagnostics = append(act.diagnostics, d)
		},
		ImportObjectFact: func(types.Object, analysis.Fact) bool { return false },
		ExportObjectFact: func(types.Object, analysis.Fact) { misuse = errObjectFacts },
		AllObjectFacts:   func() []analysis.ObjectFact { return nil },
		ImportPackageFact: func(p *types.Package, fact analysis.Fact) bool {
			return r.facts.Import(p.Path(), fact)
		},
		ExportPackageFact: r.facts.Export,
		AllPackageFacts:   func() []analysis.PackageFact { return r.allFacts(a) },
	}
	value, err := a.Run(p)
	switch {
	case err != nil:
		act.err = fmt.Errorf("%s: %w", where, err)
	case misuse != nil:
		act.err = fmt.Errorf("%s: %w", where, misuse)
	case a.ResultType != nil && reflect.TypeOf(value) != a.ResultType:
		act.err = fmt.Errorf("%s: it returned a %T where a %v was declared", where, value, a.ResultType)
	default:
		act.value = value
	}
}

// allFacts lists the facts of everything below the package. A dependency that the importer never had to load
// gets a package object with nothing but its path.
func (r *runner) allFacts(a *analysis.Analyzer) []analysis.PackageFact {
	known := map[string]*types.Package{}
	var visit func(p *types.Package)
	visit = func(p *types.Package) {
		if known[p.Path()] == nil {
			known[p.Path()] = p
			for _, q := range p.Imports() {
				visit(q)
			}
		}
	}
	visit(r.pkg.Types)
	var all []analysis.PackageFact
	for _, proto := range a.FactTypes {
		r.facts.Each(proto, func(pkgPath string, fact analysis.Fact) {
			p := known[pkgPath]
			if p == nil {
				p = types.NewPackage(pkgPath, "")
				known[pkgPath] = p
			}
			all = append(all, analysis.PackageFact{Package: p, Fact: fact})
		})
	}
	return all
}

// applicable reports whether every edit of a fix lies within one file of the package and no two overlap.
func (r *runner) applicable(fix analysis.SuggestedFix) bool {
	edits := slices.Clone(fix.TextEdits)
	slices.SortStableFunc(edits, func(a, b analysis.TextEdit) int { return int(a.Pos - b.Pos) })
	var last token.Pos
	for i := range edits {
		pos, end := edits[i].Pos, edits[i].End
		if !end.IsValid() {
			end = pos
		}
		file := r.pkg.Fset.File(pos)
		if file == nil || end < pos || int(end) > file.Base()+file.Size() || pos < last {
			return false
		}
		last = end
	}
	return len(edits) > 0
}
