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

// observe notes what static callers pass to the functions of the package.
func (f *function) observe() {
	if f.broken {
		return
	}
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case ssa.CallInstruction:
				if c, g := f.siteOf(instr); g != nil {
					f.p.see(g, c.vals, true)
				}
			case *ssa.MakeClosure:
				if g := f.p.funcs[origin0(instr.Fn.(*ssa.Function))]; g != nil && len(g.fn.FreeVars) == len(instr.Bindings) {
					c := &site{f: f, at: instr, callee: g.fn, name: g.fn.Name()}
					f.captures(c, g, instr.Bindings)
					f.p.see(g, c.vals, false)
				}
			}
		}
	}
}

func (p *Package) see(g *function, vals []val, call bool) {
	seen := p.argsSeen[g.fn]
	for len(seen) < len(vals) {
		seen = append(seen, val{})
	}
	for i, v := range vals {
		seen[i] = p.joinVal(seen[i], v)
	}
	p.argsSeen[g.fn] = seen
	if call {
		p.called[g.fn]++
	}
}

var (
	payloadParam = lazy(`(?i)^(.*(content|text|output|result|results|body|response|data|observation|stdout|stderr|payload)|out|res|resp|s|str|value|val|v|msg|message|b)$`)
	promptKinds  = map[string]bool{"process": true, "http": true, "mcp": true, "database": true, "browser": true, "ssh": true, "kubernetes": true, "tool": true}
)

// structural tells why a parameter that reaches a history entry is tool output by its type alone; "" if it is not.
func (f *function) structural(h hit, e entry) string {
	if h.code != codeHistory && h.code != codeServer && h.code != codeError {
		return ""
	}
	o := f.p.origin(e.id)
	t := f.paramType(int(o.param))
	if t == nil || isText(t) || isError(t) {
		return ""
	}
	if int(o.param) == 0 && f.fn.Signature.Recv() != nil && o.field == 0 {
		return ""
	}
	c := f.p.shapes.class(t)
	if c.message || c.reply {
		return "" // stored history that is written again in another form
	}
	if o.field != 0 {
		owner := f.p.fieldIDs.list[o.field]
		if f.p.messageField(owner) {
			return ""
		}
		if name := lastPart(f.p.fieldOwner(o.field)); toolResultName.MatchString(name) && payloadName.MatchString(f.p.fieldName(o.field)) {
			return "the result of a tool, held in " + name
		}
	}
	if c.toolResult {
		return "the result of a tool, held in " + typeName(t)
	}
	return ""
}

func lastPart(s string) string { return s[strings.LastIndexByte(s, '.')+1:] }

// messageField reports whether a field belongs to a message type, by the name of the type.
func (p *Package) messageField(owner string) bool {
	owner = owner[:strings.LastIndexByte(owner, '.')]
	owner = owner[strings.LastIndexByte(owner, '.')+1:]
	return messageName.MatchString(owner) && !toolResultName.MatchString(owner)
}

// emit reports what reaches a sink in this body.
func (f *function) emit() {
	if f.broken {
		return
	}
	for _, h := range f.hits() {
		for _, e := range f.resolved(h) {
			f.consider(h, e)
		}
	}
}

// resolved is the mark of a hit with the parameters of a function literal, and captured variables, replaced by what is
// known of them: only the enclosing function calls it.
func (f *function) resolved(h hit) mark {
	if f.fn.Parent() == nil {
		return h.m
	}
	seen := f.p.argsSeen[f.fn]
	var out mark
	for _, e := range h.m {
		o := f.p.origin(e.id)
		if o.kind == fromParam && int(o.param) < len(seen) {
			x := f.p.field(seen[o.param], o.field).all()
			if e.lvl < Unbounded {
				x = x.lowered(e.lvl, e.limit, -1)
			}
			x = f.resolvedOuter(x)
			out = join(out, x)
			if int(o.param) < len(f.params) && (f.p.called[f.fn] == 0 || f.p.escapes[f.fn]) {
				out = join(out, mark{e})
			}
			continue
		}
		out = join(out, mark{e})
	}
	return out
}

// resolvedOuter keeps what has a source. What the enclosing function's own parameters carry is left to its callers.
func (f *function) resolvedOuter(m mark) mark { return f.p.concrete(m) }

// consider decides whether one origin at one sink is reported.
func (f *function) consider(h hit, e entry) {
	if e.lvl < Loose {
		return
	}
	o := f.p.origin(e.id)
	switch o.kind {
	case fromSource:
		switch h.code {
		case codeReturn:
			if e.toldT || o.src == "tool" && isReturn(h.at) {
				return
			}
		case codeServer, codeError:
			if e.toldT {
				return
			}
		case codeHistory:
			if e.toldH {
				return
			}
		case codePrompt:
			if !promptKinds[o.src] && !f.p.declaredSink(h) || e.toldH {
				return
			}
		}
		f.add(h, e, o.src, "")
	case fromParam:
		if e.lvl < Unbounded {
			return
		}
		if why := f.structural(h, e); why != "" && !f.callersBound(int(o.param), o.field) {
			f.add(h, e, "tool", why)
			return
		}
		if h.code == codeHistory && h.via == "" && f.openParam(int(o.param)) {
			f.add(h, e, "tool", "the parameter "+f.paramName(int(o.param))+" of "+f.fn.Name())
		}
	}
}

// callersBound reports whether every call in the package passes something that is bounded.
func (f *function) callersBound(i int, field fieldID) bool {
	if f.p.called[f.fn] == 0 || f.p.escapes[f.fn] {
		return false
	}
	seen := f.p.argsSeen[f.fn]
	return i < len(seen) && f.p.field(seen[i], field).all().level() <= Bounded
}

// openParam reports whether a text parameter that becomes a history entry must be reported where it does, because its
// callers cannot all be seen: the function is exported or used as a value, and the name of the parameter says that it
// is a result.
func (f *function) openParam(i int) bool {
	t := f.paramType(i)
	if i >= len(f.params) || t == nil || !payloadParam.MatchString(f.paramName(i)) {
		return false
	}
	if !isText(t) {
		if _, ok := t.Underlying().(*types.Interface); !ok || isError(t) {
			return false
		}
	}
	if f.p.called[f.fn] > 0 && f.callersBound(i, 0) {
		return false
	}
	if f.fn.Parent() != nil {
		return f.p.escapes[f.fn]
	}
	return f.fn.Object() != nil && f.fn.Object().Exported() && !f.constructs()
}

// constructs reports whether a function only makes a message and returns it: then its callers decide.
func (f *function) constructs() bool {
	n := 0
	for _, b := range f.fn.Blocks {
		n += len(b.Instrs)
	}
	return n < 40 && f.fn.Signature.Recv() == nil && f.fn.Signature.Results().Len() == 1 && f.p.shapes.class(f.fn.Signature.Results().At(0).Type()).st != nil
}

// add notes a report, once for each line, code and kind.
func (f *function) add(h hit, e entry, kind, why string) {
	pos, end := f.position(h)
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
func (f *function) position(h hit) (pos, end token.Pos) {
	at := h.at.Pos()
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
