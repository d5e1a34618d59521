package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"
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
	code string
	what string
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

// storeSink tells whether a store fills in the payload of a tool result or of a tool's message.
func (p *Package) storeSink(st *ssa.Store) (sink, bool) {
	fa, ok := st.Addr.(*ssa.FieldAddr)
	if !ok {
		return sink{}, false
	}
	if c, ok := st.Val.(*ssa.Const); ok && c != nil {
		return sink{}, false
	}
	id := p.fieldOf(fa.X.Type(), fa.Field)
	for _, r := range p.fieldRules[id] {
		if r.Op == model.Sink {
			return sink{p.errorCode(r.Kind, fa), "the field " + typeName(fa.X.Type()) + "." + p.fieldName(id)}, true
		}
		if r.Op == model.History && isText(st.Val.Type()) {
			return sink{codeHistory, "the history " + typeName(fa.X.Type()) + "." + p.fieldName(id)}, true
		}
	}
	if outer, ok := fa.X.(*ssa.FieldAddr); ok {
		// A part of the payload, such as the text of a union.
		out := p.fieldOf(outer.X.Type(), outer.Field)
		for _, r := range p.fieldRules[out] {
			if r.Op == model.Sink && p.shapes.carries(st.Val.Type()) {
				return sink{p.errorCode(r.Kind, outer), "the field " + typeName(outer.X.Type()) + "." + p.fieldName(out)}, true
			}
		}
	}
	c := p.shapes.class(fa.X.Type())
	if !c.payload[fa.Field] || isFunc(st.Val.Type()) {
		return sink{}, false
	}
	what := "the field " + typeName(fa.X.Type()) + "." + p.fieldName(id)
	if f := p.funcs[st.Parent()]; !token.IsExported(p.fieldName(id)) && (f == nil || f.isTool == nil) && p.role(fa.X, c.roleField) == "" {
		return sink{}, false // a private struct that carries a result on its way
	}
	switch {
	case c.toolResult:
		code := codeHistory
		if !c.namedTool && c.idField < 0 && !returnsType(st.Parent(), c.named) {
			return sink{}, false // the result of something, on its way
		}
		if returnsType(st.Parent(), c.named) {
			code = codeReturn
		}
		return sink{p.errorCode(code, fa), what}, true
	case c.roleField >= 0:
		switch p.role(fa.X, c.roleField) {
		case "tool", "function":
			return sink{p.errorCode(codeHistory, fa), what + " of a tool message"}, true
		case "user":
			return sink{codePrompt, what + " of a user message"}, true
		case "":
			if c.idField >= 0 && p.stores(fa.X, c.idField) && fa.Field != c.idField {
				return sink{p.errorCode(codeHistory, fa), what + " of a tool message"}, true
			}
		}
	case c.idField >= 0 && fa.Field != c.idField && (p.stores(fa.X, c.idField) || !fresh(fa.X)):
		return sink{p.errorCode(codeHistory, fa), what + ", beside " + c.fieldName(c.idField)}, true
	}
	if p.toolResultKind(fa.X, c) {
		return sink{p.errorCode(codeHistory, fa), what + " of a tool result"}, true
	}
	if strings.Contains(strings.ToLower(p.fieldName(id)), "prompt") && isText(st.Val.Type()) {
		return sink{codePrompt, what}, true
	}
	return sink{}, false
}

// toolResultKind reports whether the type of a content block, in a field such as Type, says that it is a tool's result.
func (p *Package) toolResultKind(x ssa.Value, c *class) bool {
	for i := range c.st.NumFields() {
		switch c.st.Field(i).Name() {
		case "Type", "Kind":
			if t := p.role(x, i); t == "tool_result" || t == "tool-result" || t == "toolresult" || t == "function_call_output" || t == "function_response" {
				return true
			}
		}
	}
	return false
}

// fresh reports whether an address is that of a literal being filled in.
func fresh(v ssa.Value) bool {
	_, ok := v.(*ssa.Alloc)
	return ok
}

// errorCode is the code for a carrier that is marked as an error, or that holds an error.
func (p *Package) errorCode(code string, fa *ssa.FieldAddr) string {
	st, ok := deref(fa.X.Type()).Underlying().(*types.Struct)
	if !ok {
		return code
	}
	if n := st.Field(fa.Field).Name(); n == "Error" || n == "Err" {
		return codeError
	}
	for i := range st.NumFields() {
		if n := st.Field(i).Name(); n == "IsError" || n == "ToolError" {
			for _, v := range p.storedIn(fa.X, i) {
				if c, ok := v.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.Bool && constant.BoolVal(c.Value) && p.storedNear(fa, i) {
					return codeError
				}
			}
		}
	}
	return code
}

// storedNear reports whether another field is stored in the block in which fa is: both belong to one literal.
func (p *Package) storedNear(fa *ssa.FieldAddr, field int) bool {
	refs := fa.X.Referrers()
	if refs == nil {
		return false
	}
	for _, ref := range *refs {
		if other, ok := ref.(*ssa.FieldAddr); ok && other.Field == field && other.Block() == fa.Block() {
			return true
		}
	}
	return false
}

// storedIn lists what is stored in one field through the same address, or through an address written the same way.
func (p *Package) storedIn(x ssa.Value, field int) []ssa.Value {
	var out []ssa.Value
	add := func(fa *ssa.FieldAddr) {
		for _, r := range *fa.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == fa {
				out = append(out, st.Val)
			}
		}
	}
	if al, ok := x.(*ssa.Alloc); ok {
		// A variable that a literal is assigned to.
		for _, ref := range *al.Referrers() {
			if st, ok := ref.(*ssa.Store); ok && st.Addr == al {
				if ld, ok := st.Val.(*ssa.UnOp); ok && ld.X != al {
					if lit, ok := ld.X.(*ssa.Alloc); ok && lit.Comment == "complit" {
						out = append(out, p.storedIn(lit, field)...)
					}
				}
			}
		}
	}
	if ia, ok := x.(*ssa.IndexAddr); ok {
		f := p.funcs[ia.Parent()]
		key := f.shapeKey(x, 0)
		for _, b := range ia.Parent().Blocks {
			for _, instr := range b.Instrs {
				if fa, ok := instr.(*ssa.FieldAddr); ok && fa.Field == field && f.shapeKey(fa.X, 0) == key {
					add(fa)
				}
			}
		}
		return out
	}
	refs := x.Referrers()
	if refs == nil {
		return nil
	}
	for _, ref := range *refs {
		if fa, ok := ref.(*ssa.FieldAddr); ok && fa.Field == field {
			add(fa)
		}
	}
	return out
}

func (p *Package) stores(x ssa.Value, field int) bool { return len(p.storedIn(x, field)) > 0 }

// role is the constant stored in a role field: "tool", "user" and so on, lower case; "" if there is none.
func (p *Package) role(x ssa.Value, field int) string {
	for _, v := range p.storedIn(x, field) {
		if s := constText(v, 0); s != "" {
			return s
		}
	}
	return ""
}

// constText looks for a constant text in a value, through conversions and wrappers such as openai.F(x).
func constText(v ssa.Value, depth int) string {
	if depth > 3 {
		return ""
	}
	switch v := strip(v).(type) {
	case *ssa.Const:
		if v.Value != nil && v.Value.Kind() == constant.String {
			return strings.ToLower(constant.StringVal(v.Value))
		}
	case *ssa.Call:
		if len(v.Call.Args) == 1 {
			return constText(v.Call.Args[0], depth+1)
		}
	case *ssa.UnOp:
		if g, ok := v.X.(*ssa.Global); ok {
			// A role kept in a package variable: its name says which.
			n := strings.ToLower(g.Name())
			for _, r := range [...]string{"tool", "function", "user", "assistant", "system"} {
				if strings.HasSuffix(n, r) {
					return r
				}
			}
		}
	}
	return ""
}

// returnsType reports whether a function returns the type.
func returnsType(fn *ssa.Function, n *types.Named) bool {
	if n == nil {
		return false
	}
	for i := range fn.Signature.Results().Len() {
		if t, ok := types.Unalias(element(fn.Signature.Results().At(i).Type())).(*types.Named); ok && t.Obj() == n.Obj() {
			return true
		}
	}
	return false
}

var contentKeys = map[string]bool{"content": true, "output": true, "result": true, "response": true, "text": true}

// mapSink is storeSink for messages that are maps.
func (p *Package) mapSink(mu *ssa.MapUpdate) (sink, bool) {
	if !contentKeys[constText(mu.Key, 0)] {
		return sink{}, false
	}
	if _, ok := mu.Value.(*ssa.Const); ok {
		return sink{}, false
	}
	refs := mu.Map.Referrers()
	if refs == nil {
		return sink{}, false
	}
	for _, ref := range *refs {
		other, ok := ref.(*ssa.MapUpdate)
		if !ok {
			continue
		}
		k, v := constText(other.Key, 0), constText(other.Value, 0)
		switch {
		case k == "role" && (v == "tool" || v == "function"),
			k == "type" && (v == "tool_result" || v == "function_call_output"),
			k == "tool_call_id", k == "tool_use_id":
			return sink{codeHistory, "the key " + constText(mu.Key, 0) + " of a tool message"}, true
		}
	}
	return sink{}, false
}

var (
	historyName = lazy(`(?i)(conversation|conv|messages|msgs|history|transcript|chatcontent|chatlog|dialog|turns|contents|toolresults|toolresponses)$`)
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
					out = append(out, hit{sink: s, m: f.payload(instr.Val, f.eval(instr.Val, instr)), at: instr, arg: -1, value: instr.Val})
				}
			case *ssa.MapUpdate:
				if s, ok := p.mapSink(instr); ok {
					out = append(out, hit{sink: s, m: f.eval(instr.Value, instr).all(), at: instr, arg: -1, value: instr.Value})
				}
			case ssa.CallInstruction:
				out = append(out, f.callHits(instr)...)
			case *ssa.MakeClosure:
				out = append(out, f.closureHits(instr)...)
			case *ssa.BinOp:
				if instr.Op == token.ADD && observation(instr) {
					out = append(out, hit{sink: sink{codeHistory, "the text of an observation"}, m: f.eval(instr.Y, instr).all(), at: instr, arg: -1, value: instr.Y})
				}
			case *ssa.Return:
				if f.isTool == nil {
					continue
				}
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
					out = append(out, hit{sink: sink{code, what}, m: f.eval(r, instr).all(), at: instr, arg: i, value: r})
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
					s := sink{r.Kind, "the argument of " + shortName(callee)}
					for i, a := range common.Args {
						if a == arg {
							out = append(out, f.spread(hit{sink: s, at: call, arg: argIndex(common, i), value: arg})...)
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
	} else if fn := origin0(common.StaticCallee()); fn != nil && !common.IsInvoke() {
		if sum = p.imported(fn); sum != nil && len(sum.sinks) > 0 {
			c = &site{f: f, at: call, callee: fn, name: fn.Name(), args: common.Args}
			for _, a := range common.Args {
				c.vals = append(c.vals, f.eval(a, call))
			}
		}
	}
	if sum != nil {
		for _, ref := range sum.sinks {
			o := p.origin(ref.e.id)
			if ref.told || int(o.param) >= len(c.vals) {
				continue
			}
			m := c.substMark(mark{ref.e}, &Summary{}).all()
			shift := len(c.args) - len(common.Args)
			out = append(out, hit{sink: sink{ref.code, ref.what}, m: m, at: call, arg: argIndex(common, int(o.param)-shift), value: c.args[o.param], via: c.name})
		}
	}
	// The text of a prompt.
	if obj != nil {
		sig := obj.Signature()
		_, args := receiver(common)
		for i := range min(sig.Params().Len(), len(args)) {
			if prm := sig.Params().At(i); promptName.MatchString(prm.Name()) && isText(prm.Type()) {
				out = append(out, hit{sink: sink{codePrompt, "the prompt given to " + shortName(obj)}, m: f.eval(args[i], call).all(), at: call, arg: argIndex(common, i+len(common.Args)-len(args)), value: args[i]})
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

// spread splits a hit on a variadic argument into one for each element.
func (f *function) spread(h hit) []hit {
	h.m = f.eval(h.value, h.at).all()
	return []hit{h}
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

// closureHits are the sinks in a function literal that captured variables reach.
func (f *function) closureHits(mc *ssa.MakeClosure) []hit {
	return nil // emit resolves captured variables from inside, where the sink is
}

// appendHits looks at what is appended to a history, if it was not made here: a message that was made here has been
// looked at already.
func (f *function) appendHits(call ssa.CallInstruction) []hit {
	common := call.Common()
	dst, src := common.Args[0], common.Args[1]
	elem := element(dst.Type())
	if !f.p.shapes.carries(elem) || isText(dst.Type()) {
		return nil
	}
	cls := f.p.shapes.class(elem)
	name := f.variableName(dst, 0)
	if name == "" && call.Value() != nil {
		name = f.assignedTo(call.Value())
	}
	declared := f.p.declaredHistory(dst)
	if !declared && isText(elem) && !chatName.MatchString(name) {
		return nil
	}
	if !declared && !cls.message && !historyName.MatchString(name) {
		return nil
	}
	elems := variadicOrdered(src)
	if elems == nil {
		elems = []ssa.Value{src}
	}
	var out []hit
	for _, v := range elems {
		if !declared && !madeElsewhere(v) {
			continue
		}
		m := f.eval(v, call).all()
		out = append(out, hit{sink: sink{codeHistory, "appended to " + name}, m: m, at: call, arg: 1, value: v, appended: !declared})
	}
	return out
}

// madeElsewhere reports whether a value comes out of a call, and was not put together here.
func madeElsewhere(v ssa.Value) bool {
	switch v := strip(v).(type) {
	case *ssa.Call:
		_, builtin := v.Call.Value.(*ssa.Builtin)
		return !builtin && !otherRole(&v.Call)
	case *ssa.Extract:
		c, ok := v.Tuple.(*ssa.Call)
		return ok && !otherRole(&c.Call)
	}
	return false
}

// otherRole reports whether a call makes a message of a role that is not the tool's: by an argument, or by its name.
func otherRole(c *ssa.CallCommon) bool {
	for _, a := range c.Args {
		switch constText(a, 0) {
		case "user", "assistant", "system", "developer", "model":
			return true
		}
	}
	name, _, _ := calleeName(c)
	return otherRoleName.MatchString(name)
}

var otherRoleName = lazy(`(?i)user|assistant|system|human|messages?$|history|conversation|prompt`)

// assignedTo is the name of the variable that a value is assigned to, "" if there is none.
func (f *function) assignedTo(v ssa.Value) string {
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Phi:
			return ref.Comment
		case *ssa.Store:
			if ref.Val == v {
				return f.variableName(ref.Addr, 0)
			}
		}
	}
	return ""
}

// variableName is the name that the source gives to a variable or field, "" if the value has none.
func (f *function) variableName(v ssa.Value, depth int) string {
	if depth > 4 {
		return ""
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		return f.variableName(v.X, depth+1)
	case *ssa.FieldAddr:
		return f.p.fieldName(f.p.fieldOf(v.X.Type(), v.Field))
	case *ssa.Field:
		return f.p.fieldName(f.p.fieldOf(v.X.Type(), v.Field))
	case *ssa.Alloc:
		return v.Comment
	case *ssa.Phi:
		return v.Comment
	case *ssa.Parameter:
		return v.Name()
	case *ssa.FreeVar:
		return v.Name()
	case *ssa.Global:
		return v.Name()
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
			return f.variableName(v.Call.Args[0], depth+1)
		}
	}
	return ""
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
			if o.kind != fromParam || e.lvl < Loose {
				continue
			}
			// What a tool returns is reported where it is made; only a constructor leaves that to its callers.
			if h.code != codeHistory && h.code != codePrompt && !f.makes(h) {
				continue
			}
			if t := f.paramType(int(o.param)); o.field == 0 && !isText(t) && f.p.shapes.class(t).st != nil && !f.p.shapes.class(t).toolResult {
				continue // some field of a struct, not known which
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

// payload is what a value that is put into a message shows to the model: of a tool result that is its text, and not
// what is noted beside it.
func (f *function) payload(v ssa.Value, x val) mark {
	t := deref(v.Type())
	c := f.p.shapes.class(t)
	if _, ok := t.Underlying().(*types.Struct); !ok || !c.toolResult || len(c.payload) == 0 {
		return x.all()
	}
	var m mark
	for _, i := range slices.Sorted(maps.Keys(c.payload)) {
		m = join(m, f.p.field(x, f.p.fieldOf(t, i)).all())
	}
	return m
}
