package flow

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A Report is one finding, in terms of the package's FileSet.
type Report struct {
	Code     string
	Pos, End token.Pos
	Message  string
	Kind     string // of the source, "" for findings without one
	Source   Where
	Path     []Step
	Loose    bool
	Limit    int64 // of a loose bound; -1 when the number is not known
	Weak     bool  // the source was recognised by its shape, or a step was not modelled
	Func     string
}

// Where is a line of a file; the file may belong to another package.
type Where struct {
	File string
	Line int
}

// A Step is one hop of a path, source first.
type Step struct {
	Where
	What string
}

// A Result is what the analysis of a package gives.
type Result struct {
	Reports []Report
	Facts   *Facts
}

// place is a position of this package, or a line of another.
type place struct {
	pos  token.Pos
	file string
	line int
}

func (p *Package) where(pl place) Where {
	if pl.pos.IsValid() {
		pos := p.Fset.Position(pl.pos)
		return Where{pos.Filename, pos.Line}
	}
	return Where{pl.file, pl.line}
}

type reportKey struct {
	file string
	line int
	code string
	kind string
}

func compareReports(a, b Report) int {
	return cmp.Or(cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Kind, b.Kind))
}

func panicReport(f *function, r any) Report {
	return Report{
		Code:    "BC0003",
		Pos:     f.fn.Pos(),
		End:     f.fn.Pos(),
		Message: fmt.Sprintf("BC0003: the analysis of %s failed (%v); nothing in it was checked, please report this", f.fn.String(), r),
		Func:    f.fn.Name(),
	}
}

// emit reports what reaches a sink in this body.
func (f *function) emit() {
	if f.broken {
		return
	}
	limit, capped := f.declaredCap()
	for _, h := range f.hits() {
		if neverEncoded(h.at.Block()) {
			continue
		}
		m := f.resolved(h)
		if capped && h.code == codeReturn {
			m = m.lowered(f.level(limit.limit), limit.limit, -1)
		}
		if h.code == codeHistory {
			// A tool's result is that, wherever the tools that are seen take it from.
			if t := f.p.ofTools(m); len(t) > 0 && t[0].lvl == m.level() {
				m = t
			}
		}
		for _, e := range m {
			f.consider(h, e)
		}
	}
}

// add notes a report, once for each line, code and kind.
func (f *function) add(h hit, e entry, kind, why string) {
	pos, end := f.position(h, e)
	at := f.p.Fset.Position(pos)
	key := reportKey{at.Filename, at.Line, h.code, kind}
	if _, ok := f.p.reported[key]; ok {
		return
	}
	f.p.reported[key] = len(f.p.reports)
	r := Report{
		Code: h.code, Pos: pos, End: end, Kind: kind,
		Loose: e.lvl == Loose, Limit: e.limit,
		Weak: e.weak || why != "",
		Func: declName(f.fn),
	}
	r.Path = f.p.steps(e.tr)
	if len(r.Path) == 0 {
		r.Path = []Step{{f.p.where(place{pos: f.fn.Pos()}), why}}
	}
	r.Source = r.Path[0].Where
	r.Path = append(r.Path, Step{f.p.where(place{pos: pos}), h.what + viaText(h.via)})
	r.Message = message(h, r, kind)
	f.p.reports = append(f.p.reports, r)
}

func viaText(via string) string {
	if via == "" {
		return ""
	}
	return " in " + via
}

func message(h hit, r Report, kind string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s output", h.code, kind)
	if r.Loose {
		if r.Limit >= 0 {
			fmt.Fprintf(&b, " with a loose bound of %d bytes", r.Limit)
		} else {
			b.WriteString(" with a loose bound")
		}
	} else {
		b.WriteString(" of any size")
	}
	switch h.code {
	case codeHistory:
		b.WriteString(" enters the history")
	case codeReturn:
		b.WriteString(" is returned by a tool")
	case codeServer:
		b.WriteString(" is returned by an MCP tool")
	case codeError:
		b.WriteString(" goes to the model as error text")
	case codePrompt:
		b.WriteString(" goes into a prompt")
	}
	fmt.Fprintf(&b, " (%s%s)", h.what, viaText(h.via))
	return b.String()
}

// steps writes a trace as a path, source first; hops on one line are one step.
func (p *Package) steps(t *trace) []Step {
	var out []Step
	for ; t != nil; t = t.prev {
		s := Step{p.where(t.pos), t.what}
		if s.Line == 0 {
			continue
		}
		out = append(out, s)
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	var merged []Step
	for _, s := range out {
		if n := len(merged); n > 0 && merged[n-1].Where == s.Where {
			continue
		}
		merged = append(merged, s)
	}
	return merged
}

// declName is the name of the declaration that a function belongs to.
func declName(fn *ssa.Function) string {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		return shortName(obj)
	}
	return fn.Name()
}

// position is the place in the source that a hit is reported at: the argument, the returned expression, the stored
// value.
func (f *function) position(h hit, e entry) (pos, end token.Pos) {
	at := h.at.Pos()
	if h.code == codeError {
		// The line to change is the one that writes output into the error.
		for t := e.tr; t != nil; t = t.prev {
			if t.what == errorText && t.pos.pos.IsValid() {
				return t.pos.pos, t.pos.pos
			}
		}
	}
	if h.code == codePrompt {
		// A prompt is put together before it is passed on; that is the line to change.
		switch v := strip(h.value).(type) {
		case *ssa.BinOp:
			return v.Pos(), v.Pos()
		case *ssa.Call:
			if v.Parent() == f.fn && v.Pos().IsValid() && isText(v.Type()) {
				return v.Pos(), v.Pos()
			}
		}
	}
	if h.arg >= 0 {
		f.p.indexSyntax()
		if call := f.p.calls[at]; call != nil && h.arg < len(call.Args) {
			return call.Args[h.arg].Pos(), call.Args[h.arg].End()
		}
		if ret := f.p.rets[at]; ret != nil && h.arg < len(ret.Results) {
			return ret.Results[h.arg].Pos(), ret.Results[h.arg].End()
		}
	}
	if !at.IsValid() && h.value != nil {
		at = h.value.Pos()
	}
	if !at.IsValid() {
		at = f.fn.Pos()
	}
	return at, at
}

// indexSyntax finds the calls and returns of the files, once, when the first report needs them.
func (p *Package) indexSyntax() {
	if p.calls != nil {
		return
	}
	p.calls = map[token.Pos]*ast.CallExpr{}
	p.rets = map[token.Pos]*ast.ReturnStmt{}
	for _, file := range p.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				p.calls[n.Lparen] = n
			case *ast.ReturnStmt:
				p.rets[n.Return] = n
			}
			return true
		})
	}
}
