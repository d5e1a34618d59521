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
					f.p.see(g, f.outward(c.vals), true)
				}
			case *ssa.MakeClosure:
				if g := f.p.funcs[origin0(instr.Fn.(*ssa.Function))]; g != nil && len(g.fn.FreeVars) == len(instr.Bindings) {
					c := &site{f: f, at: instr, callee: g.fn, name: g.fn.Name()}
					f.captures(c, g, instr.Bindings)
					f.p.see(g, f.outward(c.vals), false)
				}
			}
		}
	}
}

// unseen is the kind of what comes from callers that cannot be seen. It is never reported.
const unseen = "?"

// outward writes values in terms that do not depend on the function: what a parameter carries is what was seen to be
// passed for it.
func (f *function) outward(vals []val) []val {
	out := make([]val, len(vals))
	for i, v := range vals {
		x := val{self: f.outwardMark(v.self)}
		for _, fm := range v.fields {
			x = x.with(fm.id, f.outwardMark(fm.m))
		}
		out[i] = x
	}
	return out
}

func (f *function) outwardMark(m mark) mark {
	seen := f.p.argsSeen[f.fn]
	out := f.p.concrete(m)
	for _, e := range m {
		o := f.p.origin(e.id)
		if o.kind != fromParam {
			continue
		}
		if f.p.called[f.fn] > 0 && int(o.param) < len(seen) {
			x := f.p.field(seen[o.param], o.field).all()
			if e.lvl < Unbounded {
				x = x.lowered(e.lvl, e.limit, -1)
			}
			out = join(out, x)
		}
		if f.p.called[f.fn] == 0 || f.p.escapes[f.fn] {
			e.id = f.p.intern(origin{kind: fromSource, src: unseen})
			e.tr = nil
			out = join(out, mark{e})
		}
	}
	return out
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
	payloadParam = lazy(`(?i)^(.*(content|text|output|result|results|body|response|data|observation|stdout|stderr|payload|chunk)|out|res|resp|s|str|value|val|v|msg|message|b)$`)
	// resultKinds are what a tool call gives; a history that is read back from a file or database is appended to, too.
	resultKinds = map[string]bool{"tool": true, "mcp": true, "process": true}
	// rewriting are functions that read or write stored messages.
	rewriting   = lazy(`(?i)^(un)?marshal|^(de|en)code|^parse|^clone|^copy|^convert|^merge|^concat|^from|^load|^restore|^import`)
	promptKinds = map[string]bool{"process": true, "http": true, "mcp": true, "browser": true, "ssh": true, "tool": true, "database": true}
)

// promptHops is how many calls output may pass on its way to a prompt and still be taken for what the prompt is about.
const promptHops = 4

func hops(t *trace) int {
	n := 0
	for ; t != nil; t = t.prev {
		n++
	}
	return n
}

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
	if c.message || c.reply || f.p.holdsHistory(t) {
		return "" // stored history that is written again in another form
	}
	if o.field != 0 {
		owner := f.p.fieldIDs.list[o.field]
		if f.p.messageField(owner) {
			return ""
		}
		if name := lastPart(f.p.fieldOwner(o.field)); !f.sameType(h, c) && toolResultName.MatchString(name) && payloadName.MatchString(f.p.fieldName(o.field)) {
			return heldIn + name
		}
	}
	if c.toolResult && !f.sameType(h, c) {
		return heldIn + typeName(t)
	}
	return ""
}

// sameType reports whether a hit fills in another tool result with one: a copy, a part, or another form of it.
func (f *function) sameType(h hit, c *class) bool {
	if f.intoResult(h) {
		return true
	}
	st, ok := h.at.(*ssa.Store)
	if !ok {
		return false
	}
	fa, ok := st.Addr.(*ssa.FieldAddr)
	return ok && c.named != nil && f.p.shapes.class(fa.X.Type()).named == c.named
}

// holdsHistory reports whether a struct has a field with messages, as a request to a model or a session has, or is a
// part of a message.
func (p *Package) holdsHistory(t types.Type) bool {
	c := p.shapes.class(t)
	if c.st == nil || c.toolResult {
		return false
	}
	calls, results := false, false
	for i := range c.st.NumFields() {
		fc := p.shapes.class(c.st.Field(i).Type())
		if fc.message {
			return true
		}
		calls, results = calls || fc.request, results || fc.toolResult
	}
	return calls && results // a part of a message, of whatever kind
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
		m := f.resolved(h)
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

// entersHere reports whether a hit is a statement that puts a parameter into the history, in a helper all of whose
// callers are seen: it is reported where it stands, with what the callers pass.
func (f *function) entersHere(h hit) bool {
	if h.code != codeHistory || h.via != "" || !f.static || f.p.escapes[f.fn] || f.makesMessage(h) {
		return false
	}
	return f.fn.Object() == nil || !f.fn.Object().Exported()
}

// makesMessage reports whether the function returns what the hit fills in, a message or a tool result: then it is its
// callers who put it into a history.
func (f *function) makesMessage(h hit) bool {
	var made *types.Named
	switch at := h.at.(type) {
	case *ssa.Store:
		if fa, ok := at.Addr.(*ssa.FieldAddr); ok {
			made = f.p.shapes.class(fa.X.Type()).named
		}
	case *ssa.Call:
		made, _ = types.Unalias(element(at.Type())).(*types.Named)
	}
	if returnsType(f.fn, made) {
		return true
	}
	for i := range f.fn.Signature.Results().Len() {
		t := f.fn.Signature.Results().At(i).Type()
		if c := f.p.shapes.class(t); c.toolResult || c.message {
			return true
		}
		if isMap(t) || isMap(element(t)) {
			return true
		}
		// A union or part of the same SDK that the filled-in value goes into.
		if made != nil && made.Obj().Pkg() != nil && !isText(t) && typePkg(t) == made.Obj().Pkg().Path() {
			return true
		}
	}
	return false
}

// resolved is the mark of a hit with the parameters of a function literal, and captured variables, replaced by what is
// known of them: only the enclosing function calls it.
func (f *function) resolved(h hit) mark {
	if f.fn.Parent() == nil && !f.entersHere(h) {
		return h.m
	}
	seen := f.p.argsSeen[f.fn]
	var out mark
	for _, e := range h.m {
		o := f.p.origin(e.id)
		if o.kind == fromParam && f.structural(h, e) != "" {
			out = join(out, mark{e})
		}
		if o.kind == fromParam && int(o.param) < len(seen) {
			x := f.p.field(seen[o.param], o.field).all()
			if e.lvl < Unbounded {
				x = x.lowered(e.lvl, e.limit, -1)
			}
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

// consider decides whether one origin at one sink is reported.
func (f *function) consider(h hit, e entry) {
	if e.lvl < Loose {
		return
	}
	o := f.p.origin(e.id)
	switch o.kind {
	case fromSource:
		if o.src == unseen {
			return
		}
		switch h.code {
		case codeReturn:
			if o.src == "tool" && f.isTool == nil && !isReturn(h.at) && h.via == "" {
				// A dispatcher writes down what a tool returned.
				if h.code = codeHistory; e.toldH {
					return
				}
				break
			}
			if e.toldT || o.src == "tool" && e.weak {
				return // a dispatcher hands on what its tools return; the tools are looked at themselves
			}
		case codeServer:
			if e.toldT {
				return
			}
		case codeError:
			if e.toldT || e.weak && o.src != "tool" {
				return // that an error repeats what was read must be seen, not guessed
			}
		case codeHistory:
			if e.toldH || h.appended && !resultKinds[o.src] || e.stored && !resultKinds[o.src] || f.rewrapped(h, e) {
				return
			}
		case codePrompt:
			if !promptKinds[o.src] && !f.p.declaredSink(h) || e.toldH {
				return
			}
			if !f.p.declaredSink(h) && (e.weak && o.src != "process" || hops(e.tr) > promptHops || o.src == "database" && hops(e.tr) > 2) {
				return
			}
		}
		f.add(h, e, o.src, "")
	case fromParam:
		if e.lvl < Unbounded || h.appended || e.toldH {
			return
		}
		if why := f.structural(h, e); why != "" && !f.callersBound(int(o.param), o.field) {
			f.add(h, e, "tool", why)
			return
		}
		if (h.code == codeHistory && !f.constructs() || h.code == codeServer) && h.via == "" && f.openParam(int(o.param)) {
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
	if rewriting.MatchString(f.fn.Name()) {
		return false
	}
	t := f.paramType(i)
	if i >= len(f.params) || t == nil || !payloadParam.MatchString(f.paramName(i)) {
		return false
	}
	if !isText(t) {
		if _, ok := t.Underlying().(*types.Interface); !ok || isError(t) {
			return false
		}
	}
	if f.p.called[f.fn] > 0 && f.callersBound(i, 0) && (!f.exported() || !f.p.field(f.p.argsSeen[f.fn][i], 0).empty()) {
		return false
	}
	if f.fn.Parent() != nil {
		return f.p.escapes[f.fn]
	}
	return f.exported()
}

// rewrapped reports whether a hit fills in a tool result with what another one held.
func (f *function) rewrapped(h hit, e entry) bool {
	t := e.tr
	if t == nil || !f.intoResult(h) {
		return false
	}
	for t.prev != nil {
		t = t.prev
	}
	return strings.HasPrefix(t.what, heldIn)
}

// intoResult reports whether a hit fills in a tool result that is not yet a message.
func (f *function) intoResult(h hit) bool {
	st, ok := h.at.(*ssa.Store)
	if !ok {
		return false
	}
	fa, ok := st.Addr.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	to := f.p.shapes.class(fa.X.Type())
	return to.toolResult && to.idField < 0
}

// heldIn is how the path of a result begins that is known by the type of the struct that holds it.
const heldIn = "the result of a tool, held in "

func (f *function) exported() bool { return f.fn.Object() != nil && f.fn.Object().Exported() }

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
