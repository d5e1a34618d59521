package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var (
	payloadParam = lazy(`(?i)^(.*(content|text|output|result|results|body|response|data|observation|stdout|stderr|payload|chunk)|out|res|resp|s|str|value|val|v|msg|message|b)$`)
	// resultKinds are what a tool call gives; a history that is read back from a file or database is appended to, too.
	resultKinds = map[string]bool{"tool": true, "mcp": true, "process": true}
	// marshalling are functions that write a message in another form.
	marshalling = lazy(`^(Unm|M)arshal[A-Z]|^(En|De)code`)
	// summing are functions that put what a model made of the history in its place.
	summing = lazy(`(?i)summar|compact|condens`)
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
		if h.beside && o.src != "process" && o.src != "ssh" {
			return // who is given an error looks at that; only what a command printed is often shown as well
		}
		if f.fn.Parent() != nil && f.intoResult(h) && f.p.wrapped[root(e.tr).pos.pos] {
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
			if e.toldT || e.weak && (o.src == "tool" || f.isTool != nil && f.isTool.runner && strings.HasPrefix(root(e.tr).what, outputOf)) {
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
			if !f.p.declaredSink(h) && (!promptKinds[o.src] || e.stored && !resultKinds[o.src]) || e.toldH {
				return
			}
			if !f.p.declaredSink(h) && (e.weak && o.src != "process" && o.src != "database" || hops(e.tr) > promptHops || o.src == "database" && !composed(h.value)) {
				return
			}
		}
		f.add(h, e, o.src, "")
	case fromParam:
		if e.lvl < Unbounded || h.appended || e.toldH {
			return
		}
		if marshalling.MatchString(f.fn.Name()) {
			return // a message in another form
		}
		if why := f.structural(h, e); why != "" && !f.callersBound(int(o.param), o.field) {
			f.add(h, e, "tool", why)
			return
		}
		if (h.code == codeHistory && !f.constructs() && (f.fn.Parent() != nil || !f.makesMessage(h)) || h.code == codeServer) && h.via == "" && f.openParam(int(o.param)) {
			f.add(h, e, "tool", "the parameter "+f.paramName(int(o.param))+" of "+f.fn.Name())
		}
	}
}

// composed reports whether a text is put together or given by a function. A field that is read from a database is a
// prompt that was stored before.
func composed(v ssa.Value) bool {
	switch v := strip(v).(type) {
	case *ssa.BinOp, *ssa.Call, *ssa.Extract, *ssa.MakeMap:
		return true
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, func(e ssa.Value) bool {
			_, again := strip(e).(*ssa.Phi)
			return again || composed(e)
		})
	}
	return false
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
	if rewriting.MatchString(f.fn.Name()) || summing.MatchString(f.fn.Name()) {
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
		return f.p.escapes[f.fn] && (f.fn.Signature.Results().Len() > 0 || f.appends())
	}
	return f.exported()
}

// appends reports whether the body adds something to a list.
func (f *function) appends() bool {
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			if c, ok := instr.(*ssa.Call); ok {
				if b, ok := c.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
					return true
				}
			}
		}
	}
	return false
}

// rewrapped reports whether a hit fills in a tool result with what another one held.
func (f *function) rewrapped(h hit, e entry) bool {
	return f.intoResult(h) && strings.HasPrefix(root(e.tr).what, heldIn)
}

// root is the first hop of a trace: the source.
func root(t *trace) trace {
	if t == nil {
		return trace{}
	}
	for t.prev != nil {
		t = t.prev
	}
	return *t
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
