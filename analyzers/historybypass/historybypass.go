package historybypass

import (
	_ "embed"
	"fmt"
	"go/build"
	"go/token"
	"go/types"
	"path/filepath"
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

//go:embed doc.go
var manual string

// Analyzer reports tool output that reaches a conversation history without passing a bound.
var Analyzer = &analysis.Analyzer{
	Name:       name,
	Doc:        docText(manual),
	URL:        "https://pkg.go.dev/github.com/boundcheck/boundcheck/analyzers/historybypass",
	ResultType: reflect.TypeFor[*finding.List](),
	FactTypes:  []analysis.Fact{(*flow.Facts)(nil)},
	Run:        run,
}

var (
	models     modelFiles
	loose      int64
	confidence = levelFlag(finding.Likely)
	tests      bool
	generated  bool
)

func init() {
	Analyzer.Flags.Var(&models, "model", "also use the rules in `file` (may be repeated)")
	Analyzer.Flags.Int64Var(&loose, "loose", flow.DefaultLoose, "report bounds above this many `bytes` as loose")
	Analyzer.Flags.Var(&confidence, "confidence", "report findings of at least this confidence: low, medium or high")
	Analyzer.Flags.BoolVar(&tests, "tests", false, "report in test files too")
	Analyzer.Flags.BoolVar(&generated, "generated", false, "report in generated files too")
}

func run(pass *analysis.Pass) (any, error) {
	list := &finding.List{}
	if dependency(pass) {
		return list, nil
	}
	index := directive.Parse(pass.Fset, pass.Pkg.Path(), pass.Files)
	imported := importer{pass: pass}
	input := flow.Input{
		Fset: pass.Fset, Files: pass.Files, Pkg: pass.Pkg, Info: pass.TypesInfo, Sizes: pass.TypesSizes,
		Facts: imported.facts, Rules: index.Rules(),
	}
	for b := range index.Annotated() {
		input.Claims = append(input.Claims, flow.Claim(b))
	}
	result := flow.Analyze(input, flow.Config{Models: models.set(), Loose: loose})
	pass.ExportPackageFact(result.Facts)

	silent := silentFiles(pass)
	add := func(f finding.Finding) {
		// An ignore in a file that is not reported on, or of a finding that is not sure enough, is still in use.
		if index.Suppress(f.Code, f.Pos) || silent[pass.Fset.File(f.Pos)] ||
			f.Confidence.Rank() < finding.Confidence(confidence).Rank() {
			return
		}
		list.Findings = append(list.Findings, f)
		pass.Report(analysis.Diagnostic{Pos: f.Pos, End: f.End, Category: f.Code, Message: f.Message})
	}
	for _, r := range result.Reports {
		add(toFinding(pass.Fset, r))
	}
	for _, p := range index.Problems() {
		f := finding.Finding{
			Code: "BC0001", Severity: finding.Low, Confidence: finding.Sure,
			Message: "BC0001: " + p.Message, Pos: p.Pos, End: p.End,
		}
		place(pass.Fset, &f)
		add(f)
	}
	slices.SortStableFunc(list.Findings, finding.Compare)
	return list, nil
}

// dependency reports whether a driver has come to a package only because the main module imports it. Such code is known
// by models, whoever drives: were it analysed, another driver would find something else than ours. A driver that knows no
// modules gets everything analysed but the standard library.
func dependency(pass *analysis.Pass) bool {
	switch m := pass.Module; {
	case len(pass.Files) == 0: // known by its export data only
		return true
	case m == nil: // our drivers, which come to nothing that is not wanted
		return false
	case m.Path == "":
		src := filepath.Join(build.Default.GOROOT, "src") + string(filepath.Separator)
		return strings.HasPrefix(pass.Fset.File(pass.Files[0].FileStart).Name(), src)
	default:
		return !m.Main && m.Version != ""
	}
}

// An importer gives the facts of packages that are imported, directly or not. It asks for them one by one, because a
// driver may have to decode each.
type importer struct {
	pass     *analysis.Pass
	packages map[string]*types.Package
}

// facts returns nil for a package that was not analysed.
func (i *importer) facts(path string) *flow.Facts {
	if i.packages == nil {
		i.packages = map[string]*types.Package{}
		i.add(i.pass.Pkg.Imports())
	}
	p := i.packages[path]
	facts := new(flow.Facts)
	if p == nil || !i.pass.ImportPackageFact(p, facts) {
		return nil
	}
	return facts
}

func (i *importer) add(imports []*types.Package) {
	for _, p := range imports {
		if i.packages[p.Path()] == nil {
			i.packages[p.Path()] = p
			i.add(p.Imports())
		}
	}
}

// silentFiles are the files in which nothing is reported: generated code and tests, unless they are wanted.
func silentFiles(pass *analysis.Pass) map[*token.File]bool {
	silent := map[*token.File]bool{}
	for _, f := range pass.Files {
		file := pass.Fset.File(f.FileStart)
		silent[file] = !tests && finding.IsTest(pass.Fset.Position(f.Package).Filename) ||
			!generated && finding.IsGenerated(f, file.Name())
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
