package historybypass

import (
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/boundcheck/boundcheck/analyzers/finding"
	"github.com/boundcheck/boundcheck/analyzers/internal/directive"
	"github.com/boundcheck/boundcheck/analyzers/internal/flow"
	"github.com/boundcheck/boundcheck/analyzers/internal/model"
)

const name = "historybypass"

// Analyzer reports tool output that reaches a conversation history without passing a bound.
var Analyzer = &analysis.Analyzer{
	Name:       name,
	Doc:        "report tool output that enters a conversation history without passing a bound",
	URL:        "https://pkg.go.dev/github.com/boundcheck/boundcheck/analyzers/historybypass",
	ResultType: reflect.TypeFor[*finding.List](),
	FactTypes:  []analysis.Fact{(*flow.Facts)(nil)},
	Run:        run,
}

var (
	models     modelFiles
	loose      int64
	confidence = levelFlag(finding.Likely)
)

func init() {
	Analyzer.Flags.Var(&models, "model", "also use the rules in `file` (may be repeated)")
	Analyzer.Flags.Int64Var(&loose, "loose", flow.DefaultLoose, "report bounds above this many `bytes` as loose")
	Analyzer.Flags.Var(&confidence, "confidence", "report findings of at least this confidence: low, medium or high")
}

func run(pass *analysis.Pass) (any, error) {
	index := directive.Parse(pass.Fset, pass.Pkg.Path(), pass.Files)
	silent := silentFiles(pass)
	result := flow.Analyze(flow.Input{
		Fset: pass.Fset, Files: pass.Files, Pkg: pass.Pkg, Info: pass.TypesInfo, Sizes: pass.TypesSizes,
		Facts: func(path string) *flow.Facts { return importFacts(pass, path) },
		Rules: index.Rules(),
		Silent: func(pos token.Pos) bool {
			return silent[pass.Fset.File(pos)]
		},
	}, flow.Config{Models: models.set(), Loose: loose})
	pass.ExportPackageFact(result.Facts)

	list := &finding.List{}
	add := func(f finding.Finding, related []analysis.RelatedInformation) {
		list.Findings = append(list.Findings, f)
		pass.Report(analysis.Diagnostic{Pos: f.Pos, End: f.End, Category: f.Code, Message: f.Message, Related: related})
	}
	for _, r := range result.Reports {
		f := toFinding(pass.Fset, r)
		if index.Suppress(f.Code, f.Pos) || f.Confidence.Rank() < finding.Confidence(confidence).Rank() {
			continue
		}
		add(f, nil)
	}
	for _, p := range index.Problems() {
		f := finding.Finding{
			Code: "BC0001", Severity: finding.Low, Confidence: finding.Sure,
			Message: "BC0001: " + p.Message, Pos: p.Pos, End: p.End,
		}
		place(pass.Fset, &f)
		add(f, nil)
	}
	slices.SortStableFunc(list.Findings, finding.Compare)
	return list, nil
}

// importFacts gives the facts of a package that is imported, directly or not; nil if it was not analysed.
func importFacts(pass *analysis.Pass, path string) *flow.Facts {
	var facts flow.Facts
	for _, imp := range pass.Pkg.Imports() {
		if imp.Path() == path {
			if pass.ImportPackageFact(imp, &facts) {
				return &facts
			}
			return nil
		}
	}
	for _, pf := range pass.AllPackageFacts() {
		if pf.Package.Path() == path {
			if f, ok := pf.Fact.(*flow.Facts); ok {
				return f
			}
		}
	}
	return nil
}

// silentFiles are the files in which nothing is reported: generated code and tests.
func silentFiles(pass *analysis.Pass) map[*token.File]bool {
	silent := map[*token.File]bool{}
	for _, file := range pass.Files {
		tf := pass.Fset.File(file.FileStart)
		if ast.IsGenerated(file) || strings.HasSuffix(tf.Name(), "_test.go") {
			silent[tf] = true
		}
	}
	return silent
}

func toFinding(fset *token.FileSet, r flow.Report) finding.Finding {
	f := finding.Finding{
		Code: r.Code, Message: r.Message, Pos: r.Pos, End: r.End, Func: r.Func,
		Severity: finding.High, Confidence: finding.Sure,
	}
	if r.Weak {
		f.Confidence = finding.Likely
	}
	if r.Loose || r.Code == "BC1004" {
		f.Severity = finding.Medium
	}
	if r.Kind != "" {
		f.Source = &finding.Source{Kind: r.Kind, File: r.Source.File, Line: r.Source.Line}
	}
	for _, s := range r.Path {
		f.Path = append(f.Path, finding.Step{File: s.File, Line: s.Line, What: s.What})
	}
	place(fset, &f)
	return f
}

// place fills in the line and column of a finding.
func place(fset *token.FileSet, f *finding.Finding) {
	f.Analyzer = name
	pos := fset.Position(f.Pos)
	f.File, f.Line, f.Column, f.EndLine = pos.Filename, pos.Line, pos.Column, pos.Line
	if f.End.IsValid() {
		f.EndLine = fset.Position(f.End).Line
	}
}

// modelFiles is the value of the flag -model.
type modelFiles struct {
	names []string
	rules []model.Rule
}

func (m *modelFiles) String() string { return strings.Join(m.names, ",") }

// Set reads a model file; its rules are added to those that are built in.
func (m *modelFiles) Set(name string) error {
	rules, err := readModel(name)
	if err != nil {
		return err
	}
	m.names = append(m.names, name)
	m.rules = append(m.rules, rules...)
	return nil
}

func (m *modelFiles) set() *model.Set {
	if len(m.rules) == 0 {
		return model.Builtin()
	}
	s := model.Builtin().Clone()
	s.Add(m.rules...)
	return s
}

// levelFlag is the value of the flag -confidence.
type levelFlag finding.Confidence

func (l *levelFlag) String() string { return string(*l) }

func (l *levelFlag) Set(s string) error {
	if finding.Confidence(s).Rank() == 0 {
		return fmt.Errorf("%q is no confidence; use low, medium or high", s)
	}
	*l = levelFlag(s)
	return nil
}
