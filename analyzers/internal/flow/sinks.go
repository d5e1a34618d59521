package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/boundcheck/boundcheck/analyzers/internal/model"
)

// The codes of what is reported.
const (
	codeHistory = "BC1001" // a history entry
	codeReturn  = "BC1002" // a tool function's return
	codeServer  = "BC1003" // the output of an MCP server
	codeError   = "BC1004" // error text that carries output
	codePrompt  = "BC1005" // prompt text
)

// A sink is a place where a value is reported if it is unbounded.
type sink struct {
	code   string
	what   string
	beside bool // it is returned beside an error
}

// A hit is a sink with the value that reaches it.
type hit struct {
	sink
	m        mark
	at       ssa.Instruction
	arg      int       // which argument or result it is, -1 when the instruction says enough
	value    ssa.Value // what is stored or passed
	appended bool      // a whole message that was made elsewhere
	via      string    // the function of this module that it goes through, "" if none
}

var (
	historyName = lazy(`(?i)(conversation|conv|messages|msgs|history|transcript|chatcontent|chatlog|dialog|turns|contents)$`)
	chatName    = lazy(`(?i)(conversation|conv|history|transcript|chatcontent|chatlog|dialog)$`)
	promptName  = lazy(`(?i)^(user|system|full|final|initial|agent)?_?prompt(text)?$`)
)

// hits lists the sinks in a body with what reaches them.
func (f *function) hits() []hit {
	var out []hit
	p := f.p
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Store:
				if s, ok := p.storeSink(instr); ok && p.shapes.carries(instr.Val.Type()) {
					out = append(out, hit{sink: s, m: f.payload(s.code, instr.Val, f.eval(instr.Val, instr)), at: instr, arg: -1, value: instr.Val})
				}
			case *ssa.MapUpdate:
				if s, ok := p.mapSink(instr); ok {
					out = append(out, hit{sink: s, m: f.eval(instr.Value, instr).all(), at: instr, arg: -1, value: instr.Value})
				}
			case ssa.CallInstruction:
				out = append(out, f.callHits(instr)...)
			case *ssa.BinOp:
				if instr.Op == token.ADD && observation(instr) {
					out = append(out, hit{sink: sink{code: codeHistory, what: "the text of an observation"}, m: f.eval(instr.Y, instr).all(), at: instr, arg: -1, value: instr.Y})
				}
			case *ssa.Return:
				if f.isTool == nil {
					continue
				}
				fails := failing(instr)
				for i, r := range instr.Results {
					if f.filledIn(r) {
						continue // its fields have been looked at
					}
					code := f.isTool.code
					what := "what the tool returns (" + f.isTool.how + ")"
					if isError(r.Type()) {
						if code = codeError; i == 0 {
							continue
						}
						what = "the error that the tool returns (" + f.isTool.how + ")"
					} else if !p.shapes.carries(r.Type()) {
						continue
					}
					out = append(out, hit{sink: sink{code, what, fails && !isError(r.Type())}, m: f.payload(code, r, f.eval(r, instr)), at: instr, arg: i, value: r})
				}
			}
		}
	}
	return out
}

// filledIn reports whether a value is a tool result that the function has filled in field by field.
func (f *function) filledIn(v ssa.Value) bool {
	if !f.p.shapes.class(v.Type()).toolResult {
		return false
	}
	for _, a := range f.addrOf(v) {
		if al, ok := a.root.(*ssa.Alloc); !ok || f.handedOn(al) {
			return false
		}
	}
	return len(f.addrOf(v)) > 0
}

// observation matches the prompt of a ReAct loop: a constant that ends in "Observation:" and then what was observed.
func observation(b *ssa.BinOp) bool {
	s := constText(b.X, 0)
	if s == "" {
		if inner, ok := b.X.(*ssa.BinOp); ok {
			s = constText(inner.Y, 0)
		}
	}
	return strings.HasSuffix(strings.TrimSpace(s), "observation:")
}

// callHits lists the sinks of one call.
func (f *function) callHits(call ssa.CallInstruction) []hit {
	common := call.Common()
	p := f.p
	if b, ok := common.Value.(*ssa.Builtin); ok {
		if b.Name() == "append" && len(common.Args) == 2 {
			return f.appendHits(call)
		}
		return nil
	}
	var out []hit
	obj := calleeObject(common)
	rules, callee := p.fieldCall(common)
	if obj != nil {
		rules, callee = p.rulesFor(obj), obj
	}
	if callee != nil && !onlyMeasured(call) {
		sig := callee.Signature()
		for _, r := range rules {
			if r.Op != model.Sink {
				continue
			}
			for _, pl := range r.In {
				for _, arg := range argAt(common, sig, pl) {
					s := sink{code: r.Kind, what: "the argument of " + shortName(callee)}
					for i, a := range common.Args {
						if a == arg {
							out = append(out, hit{sink: s, m: f.eval(arg, call).all(), at: call, arg: argIndex(common, i), value: arg})
						}
					}
				}
			}
		}
	}
	var sum *Summary
	var c *site
	if s, g := f.siteOf(call); g != nil {
		c, sum = s, g.summary
		if g.fn.Parent() != nil {
			sum = nil // a closure that is called where it stands reports itself
		}
	} else if sum = f.importedSummary(common); sum != nil && len(sum.sinks) > 0 {
		c = f.importedSite(call)
	}
	if sum != nil && !onlyMeasured(call) {
		for _, ref := range sum.sinks {
			o := p.origin(ref.e.id)
			if ref.told || int(o.param) >= len(c.vals) {
				continue
			}
			m := c.substMark(mark{ref.e}, &Summary{}).all()
			shift := len(c.args) - len(common.Args)
			out = append(out, hit{sink: sink{code: ref.code, what: ref.what}, m: m, at: call, arg: argIndex(common, int(o.param)-shift), value: c.args[o.param], via: c.name})
		}
	}
	// The text of a prompt.
	if obj != nil {
		sig := obj.Signature()
		_, args := receiver(common)
		for i := range min(sig.Params().Len(), len(args)) {
			if prm := sig.Params().At(i); promptName.MatchString(prm.Name()) && isText(prm.Type()) {
				out = append(out, hit{sink: sink{code: codePrompt, what: "the prompt given to " + shortName(obj)}, m: f.eval(args[i], call).all(), at: call, arg: argIndex(common, i+len(common.Args)-len(args)), value: args[i]})
			}
		}
	}
	return out
}

// onlyMeasured reports whether all that happens to a message is that its size is taken.
func onlyMeasured(call ssa.CallInstruction) bool {
	v := call.Value()
	if v == nil || len(*v.Referrers()) == 0 {
		return false
	}
	for _, ref := range *v.Referrers() {
		c, ok := ref.(*ssa.Call)
		if !ok || !isInt(c.Type()) {
			return false
		}
	}
	return true
}

// argIndex is the number of an operand as the source text has it: without the receiver.
func argIndex(c *ssa.CallCommon, i int) int {
	if !c.IsInvoke() {
		if fn := c.StaticCallee(); fn != nil && fn.Signature.Recv() != nil {
			return i - 1
		}
	}
	return i
}

// sinkRefs are the sinks that parameters reach, for the summary.
func (f *function) sinkRefs() []sinkRef {
	var out []sinkRef
	for _, h := range f.hits() {
		if h.appended {
			continue // a message that somebody else made
		}
		if h.code == codeReturn && h.via == "" && isReturn(h.at) {
			continue // what a tool returns of its arguments is the model's own text
		}
		for _, e := range h.m {
			o := f.p.origin(e.id)
			if o.kind != fromParam && o.kind != fromResult || e.lvl < Loose {
				continue
			}
			// What a tool returns is reported where it is made; only a constructor leaves that to its callers.
			if h.code != codeHistory && h.code != codePrompt && !f.makes(h) {
				continue
			}
			if t := f.paramType(int(o.param)); o.field == 0 && !isText(t) && f.p.shapes.class(t).st != nil && !f.p.shapes.class(t).toolResult {
				continue // some field of a struct, not known which
			}
			if o.field == 0 && isMap(f.paramType(int(o.param))) && partOfMap(h) {
				continue
			}
			if t := f.paramType(int(o.param)); (h.code == codeHistory || h.code == codePrompt) && (f.p.shapes.class(t).message || f.p.holdsHistory(t)) {
				continue // stored history, written in another form
			}
			if h.code == codeHistory && h.via == "" && f.intoResult(h) {
				continue // not yet a message
			}
			e.toldH, e.toldT, e.tr = false, false, nil
			ref := sinkRef{e: e, code: h.code, pos: place{pos: h.at.Pos()}, what: h.what}
			ref.told = f.structural(h, e) != ""
			// One sink of a kind is enough for a caller to know; recursion would list its own again and again.
			if i := slices.IndexFunc(out, func(r sinkRef) bool { return r.e.id == e.id && r.code == h.code && r.told == ref.told }); i >= 0 {
				out[i].e = out[i].e.merge(e)
				continue
			}
			out = append(out, ref)
		}
	}
	return out
}

// partOfMap reports whether a hit is about some value of a map, not known which: one that was read from it, or one that
// whoever is given the map chooses.
func partOfMap(h hit) bool {
	if !isMap(h.value.Type()) {
		return false
	}
	if call, ok := h.at.(ssa.CallInstruction); ok && call.Common().IsInvoke() {
		return true
	}
	return !isParam(strip(h.value))
}

// makes reports whether a hit fills in a value that the function returns.
func (f *function) makes(h hit) bool {
	if h.via != "" {
		n := f.fn.Signature.Results().Len()
		return n > 0 && f.p.shapes.class(f.fn.Signature.Results().At(0).Type()).toolResult
	}
	st, ok := h.at.(*ssa.Store)
	if !ok {
		return f.fn.Signature.Results().Len() > 0 && f.p.shapes.holdsStruct(f.fn.Signature.Results().At(0).Type())
	}
	fa, ok := st.Addr.(*ssa.FieldAddr)
	return ok && returnsType(f.fn, f.p.shapes.class(fa.X.Type()).named)
}

func isReturn(i ssa.Instruction) bool {
	_, ok := i.(*ssa.Return)
	return ok
}

// payload is what a value that is put into a message shows to the model: of a tool result that is its text, and not what
// is noted beside it; of the parts of a prompt everything but pictures.
func (f *function) payload(code string, v ssa.Value, x val) mark {
	t := deref(v.Type())
	if code == codePrompt {
		t = element(t)
	}
	c := f.p.shapes.class(t)
	st, ok := t.Underlying().(*types.Struct)
	if !ok || !c.toolResult && code != codePrompt || len(c.payload) == 0 {
		return x.all()
	}
	var m mark
	for i := range st.NumFields() {
		if c.payload[i] || code == codePrompt && !pictured.MatchString(st.Field(i).Name()) {
			m = join(m, f.p.field(x, f.p.fieldOf(t, i)).all())
		}
	}
	return m
}

var pictured = lazy(`(?i)image|picture|photo|audio|video|media|blob|base64`)
