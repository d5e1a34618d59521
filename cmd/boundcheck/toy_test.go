package main

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/boundcheck/boundcheck/analyzers/finding"
)

// The toy analyzer is as simple as one can be that needs everything a driver offers: flags, a model file, facts of
// direct and indirect dependencies, fixes, a prerequisite, and ways to fail. It reports calls of the functions that
// the model files name (or, without any, those named Leak), and of functions that call one of those.

var (
	toyModels []string
	toyOnly   string
)

func newToy() *analysis.Analyzer {
	a := &analysis.Analyzer{
		Name:       "toy",
		Doc:        "report calls of leaking functions\n\nThis is a test.",
		Requires:   []*analysis.Analyzer{toyFiles},
		FactTypes:  []analysis.Fact{(*leaks)(nil)},
		ResultType: reflect.TypeFor[*finding.List](),
		Run:        runToy,
	}
	a.Flags.Func("model", "read the names of leaking functions from this file", func(s string) error {
		toyModels = append(toyModels, s)
		return nil
	})
	a.Flags.StringVar(&toyOnly, "only", "", "report calls of this function only")
	return a
}

// toyFiles is a prerequisite, to see that results are handed on.
var toyFiles = &analysis.Analyzer{
	Name:       "toyfiles",
	Doc:        "list the files of a package",
	ResultType: reflect.TypeFor[[]*ast.File](),
	Run:        func(pass *analysis.Pass) (any, error) { return pass.Files, nil },
}

// A leaks says by which function each function of a package leaks.
type leaks struct{ Funcs map[string]leak }

type leak struct {
	Func, Via, File string
	Line            int
}

func (*leaks) AFact() {}

func (l *leaks) find(name string) *leak {
	if x, ok := l.Funcs[name]; ok {
		return &x
	}
	return nil
}

func runToy(pass *analysis.Pass) (any, error) {
	names, err := leakingNames()
	if err != nil {
		return nil, err
	}
	if pass.Pkg.Scope().Lookup("ToyPanic") != nil {
		panic("the toy was told to panic")
	}
	if pass.Pkg.Scope().Lookup("ToyError") != nil {
		return nil, errors.New("the toy was told to fail")
	}
	t := &toy{pass: pass, names: names, own: &leaks{Funcs: map[string]leak{}}}
	for changed := true; changed; {
		changed = false
		for _, f := range pass.ResultOf[toyFiles].([]*ast.File) {
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
					changed = t.learn(fn) || changed
				}
			}
		}
	}
	list := &finding.List{}
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				t.report(list, call)
			}
			return true
		})
	}
	if len(t.own.Funcs) > 0 {
		pass.ExportPackageFact(t.own)
	}
	return list, nil
}

func leakingNames() ([]string, error) {
	if len(toyModels) == 0 {
		return []string{"Leak"}, nil
	}
	var names []string
	for _, file := range toyModels {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		names = append(names, strings.Fields(string(data))...)
	}
	return names, nil
}

type toy struct {
	pass  *analysis.Pass
	names []string
	own   *leaks
}

// why returns how a call leaks, or nil.
func (t *toy) why(call *ast.CallExpr) *leak {
	fn, ok := typeutil.Callee(t.pass.TypesInfo, call).(*types.Func)
	if !ok || fn.Pkg() == nil {
		return nil
	}
	if slices.Contains(t.names, fn.Name()) {
		return &leak{Func: fn.FullName()}
	}
	if fn.Pkg() == t.pass.Pkg {
		return t.own.find(fn.FullName())
	}
	var fact leaks
	if t.pass.ImportPackageFact(fn.Pkg(), &fact) {
		return fact.find(fn.FullName())
	}
	return nil
}

func (t *toy) learn(decl *ast.FuncDecl) (changed bool) {
	name := t.pass.TypesInfo.Defs[decl.Name].(*types.Func).FullName()
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok && t.own.find(name) == nil {
			if why := t.why(call); why != nil {
				at := t.pass.Fset.Position(call.Pos())
				t.own.Funcs[name] = leak{name, why.Func, at.Filename, at.Line}
				changed = true
			}
		}
		return true
	})
	return changed
}

func (t *toy) report(list *finding.List, call *ast.CallExpr) {
	why := t.why(call)
	if why == nil || toyOnly != "" && !strings.HasSuffix(why.Func, "."+toyOnly) {
		return
	}
	at, end := t.pass.Fset.Position(call.Pos()), t.pass.Fset.Position(call.End())
	f := finding.Finding{
		Code: "BC1001", Analyzer: "toy", Severity: finding.High, Confidence: finding.Sure,
		File: at.Filename, Line: at.Line, Column: at.Column, EndLine: end.Line,
		Message: fmt.Sprintf("call of %s", why.Func),
		Pos:     call.Pos(), End: call.End(), Func: t.pass.Pkg.Name(),
	}
	if why.Via != "" {
		f.Message += " leaks through " + why.Via
		f.Source = &finding.Source{Kind: "tool", File: why.File, Line: why.Line}
		f.Path = []finding.Step{{File: why.File, Line: why.Line, What: why.Via}, {File: at.Filename, Line: at.Line, What: why.Func}}
	}
	list.Findings = append(list.Findings, f)
	t.pass.Report(analysis.Diagnostic{
		Pos: call.Pos(), End: call.End(), Category: f.Code, Message: f.Message,
		Related:        []analysis.RelatedInformation{{Pos: call.Lparen, Message: "the arguments begin here"}},
		SuggestedFixes: toyFix(call),
	})
}

// toyFix calls Bounded in place of a function named Leak. There is an alternative, which no driver may use.
func toyFix(call *ast.CallExpr) []analysis.SuggestedFix {
	var id *ast.Ident
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	}
	if id == nil || id.Name != "Leak" {
		return nil
	}
	to := func(name string) analysis.SuggestedFix {
		return analysis.SuggestedFix{Message: "call " + name, TextEdits: []analysis.TextEdit{{Pos: id.Pos(), End: cmp.Or(id.End(), token.NoPos), NewText: []byte(name)}}}
	}
	return []analysis.SuggestedFix{to("Bounded"), to("Wrong")}
}
