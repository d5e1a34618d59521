package flow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/boundcheck/boundcheck/analyzers/internal/model"
)

// dynamicSource decides whether a call that cannot be followed yields tool output: a call of something shaped like a
// tool, or one that takes a context and gives data, which by Go convention means that it goes to the outside.
func (f *function) dynamicSource(c *ssa.CallCommon, obj *types.Func) (kind string, weak bool, what string) {
	sig := c.Signature()
	if !f.givesText(sig) {
		return "", false, ""
	}
	for i := range sig.Results().Len() {
		if f.p.shapes.class(sig.Results().At(i).Type()).reply {
			return "", false, ""
		}
	}
	name, owner, pkg := "", "", ""
	switch {
	case c.IsInvoke():
		name, owner, pkg = obj.Name(), typeName(c.Value.Type()), ""
		if obj.Pkg() != nil {
			pkg = obj.Pkg().Path()
		}
		if rv := obj.Signature().Recv(); owner == "" && rv != nil {
			owner = typeName(rv.Type())
		}
	case obj != nil:
		if obj.Pkg() == nil {
			return "", false, ""
		}
		// A static call that has no summary goes out of the module.
		pkg, name = obj.Pkg().Path(), obj.Name()
		if rv := obj.Signature().Recv(); rv != nil {
			owner = typeName(rv.Type())
		}
		if f.p.facts(pkg) != nil || pkg == f.p.Pkg.Path() {
			return "", false, "" // analysed, and has nothing to say
		}
		if rv := obj.Signature().Recv(); rv != nil && toolVerb.MatchString(name) && inputLike(sig) && describing(rv.Type()) >= 2 {
			return "tool", false, "result of the tool " + owner
		}
		if owner == "" && obj.Signature().Recv() == nil {
			return f.remote(sig, pkg, owner, name, false)
		}
	default:
		return f.dynamicFunc(c, sig)
	}
	if pkg == "" || f.p.isStd(pkg) {
		return "", false, ""
	}
	last := pkg[strings.LastIndexByte(pkg, '/')+1:]
	toolish := toolNoun.MatchString(owner)
	if !toolish && c.IsInvoke() {
		toolish = toolNoun.MatchString(last) && !modelNoun.MatchString(owner)
	}
	switch {
	case strings.EqualFold(name, "calltool") && strings.Contains(strings.ToLower(owner+last), "mcp"):
		return "mcp", true, "result of " + owner + "." + name
	case strings.Contains(strings.ToLower(name), "tool") && toolVerb.MatchString(name) && inputLike(sig):
		return "tool", true, "result of " + owner + "." + name
	case toolVerb.MatchString(name) && toolish && inputLike(sig) && !modelNoun.MatchString(owner):
		return "tool", true, "result of " + owner + "." + name
	case toolVerb.MatchString(name) && execNoun.MatchString(owner) && inputLike(sig) && !modelNoun.MatchString(owner):
		return "process", true, "output of " + owner + "." + name
	}
	return f.remote(sig, pkg, owner, name, c.IsInvoke())
}

// dynamicFunc is dynamicSource for the call of a function value: a field, a parameter, or an entry of a table.
func (f *function) dynamicFunc(c *ssa.CallCommon, sig *types.Signature) (kind string, weak bool, what string) {
	if !inputLike(sig) {
		return "", false, ""
	}
	field, owner := "", ""
	v := c.Value
	for field == "" {
		switch x := v.(type) {
		case *ssa.UnOp:
			v = x.X
			continue
		case *ssa.FieldAddr:
			field, owner = f.p.fieldName(f.p.fieldOf(x.X.Type(), x.Field)), typeName(x.X.Type())
		case *ssa.Field:
			field, owner = f.p.fieldName(f.p.fieldOf(x.X.Type(), x.Field)), typeName(x.X.Type())
		case *ssa.Parameter:
			field = x.Name()
		case *ssa.FreeVar:
			field = x.Name()
		case *ssa.Alloc:
			field = x.Comment
		case *ssa.Extract:
			v = x.Tuple
			continue
		case *ssa.Lookup:
			v = x.X
			continue
		case *ssa.Index:
			v = x.X
			continue
		case *ssa.IndexAddr:
			v = x.X
			continue
		case *ssa.Global:
			field = x.Name()
		case *ssa.ChangeType:
			v = x.X
			continue
		}
		break
	}
	tn := typeName(c.Value.Type())
	if hookNoun.MatchString(tn) || hookNoun.MatchString(field) {
		return "", false, ""
	}
	for i := range sig.Results().Len() {
		if f.p.shapes.class(sig.Results().At(i).Type()).toolResult {
			return "tool", true, "result of the function " + field
		}
	}
	if owner != "" && toolNoun.MatchString(owner) && funcFieldName.MatchString(field) ||
		toolNoun.MatchString(field) && !strings.HasSuffix(strings.ToLower(field), "s") ||
		toolNoun.MatchString(tn) && !modelNoun.MatchString(tn) ||
		toolNoun.MatchString(field) ||
		owner == "" && funcFieldName.MatchString(field) && nameAndArgs(sig) {
		return "tool", true, "result of the function " + field
	}
	if toolNoun.MatchString(f.p.Pkg.Name()) && funcFieldName.MatchString(field) && nameAndArgs(sig) {
		return "tool", true, "result of the function " + field
	}
	// An endpoint behind middleware, in code that is about tools.
	if toolNoun.MatchString(f.fn.Name()) && (strings.Contains(strings.ToLower(field), "endpoint") || field == "next") {
		return "tool", true, "result of the function " + field
	}
	return "", false, ""
}

// nameAndArgs matches the usual signature of a dispatch function: a name and encoded arguments, or a context and input.
func nameAndArgs(sig *types.Signature) bool {
	texts, ctx := 0, false
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		switch {
		case isContext(t):
			ctx = true
		case isText(t) || isMap(t):
			texts++
		}
	}
	return sig.Results().Len() == 2 && isError(sig.Results().At(1).Type()) && (texts >= 2 || ctx && texts >= 1)
}

func isList(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map, *types.Array, *types.Chan:
		return true
	}
	return false
}

func isMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// inputLike reports whether a signature takes what a tool takes: a context, encoded arguments, or a call.
func inputLike(sig *types.Signature) bool {
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		if isContext(t) || isText(t) || isMap(t) {
			return true
		}
		switch t.Underlying().(type) {
		case *types.Interface:
			return true
		}
		if n := typeName(t); toolNoun.MatchString(n) || strings.HasSuffix(n, "Call") || strings.HasSuffix(n, "Request") || strings.HasSuffix(n, "Params") || strings.HasSuffix(n, "Input") {
			return true
		}
	}
	return false
}

// givesText reports whether a function returns anything besides an error that can carry output.
func (f *function) givesText(sig *types.Signature) bool {
	for i := range sig.Results().Len() {
		t := sig.Results().At(i).Type()
		if !isError(t) && f.p.shapes.carries(t) {
			return true
		}
	}
	return false
}

var quietName = lazy(`(?i)^(new|make|open|connect|dial|start|begin|create|delete|remove|update|set|put|save|close|stop|init|register|build|with|validate|check|is|has|parse|resolve|login|auth|ping|list_?models|subscribe|watch|wait|lookup|setup|ensure|append|add|insert|upsert|store|lock|acquire|count)|(tools|models|prompts|capabilities)$`)

// remote decides whether a call that takes a context and gives data and an error reads from the outside.
func (f *function) remote(sig *types.Signature, pkg, owner, name string, dyn bool) (kind string, weak bool, what string) {
	n := sig.Params().Len()
	if n == 0 || !isContext(sig.Params().At(0).Type()) || sig.Results().Len() < 2 || !isError(sig.Results().At(sig.Results().Len()-1).Type()) {
		return "", false, ""
	}
	own := pkg == f.p.Pkg.Path() || f.p.facts(pkg) != nil
	if f.p.isStd(pkg) || !own && (modelPkg.MatchString(pkg) || cheapPkg.MatchString(pkg)) {
		return "", false, ""
	}
	if modelNoun.MatchString(owner) || modelNoun.MatchString(name) || storeNoun.MatchString(owner) || quietName.MatchString(name) {
		return "", false, ""
	}
	t := sig.Results().At(0).Type()
	switch element(t).Underlying().(type) {
	case *types.Basic, *types.Struct, *types.Interface:
	default:
		return "", false, ""
	}
	if named, ok := types.Unalias(element(t)).(*types.Named); ok {
		nm := named.Obj().Name()
		if modelNoun.MatchString(nm) || storeNoun.MatchString(nm) && !strings.Contains(nm, "Content") || strings.HasSuffix(nm, "Client") || strings.HasSuffix(nm, "Conn") {
			return "", false, ""
		}
	}
	full := name
	if owner != "" {
		full = owner + "." + name
	}
	return "remote", true, "what " + full + " fetched"
}

// isStd reports whether a package belongs to the standard library: its path has no dot in the first element, and it
// is not part of the module, whose path may have none either.
func (p *Package) isStd(pkg string) bool {
	first, _, _ := strings.Cut(pkg, "/")
	return pkg != "" && !strings.Contains(first, ".") && pkg != p.Pkg.Path() && p.facts(pkg) == nil
}

// register finds the functions that are handed to a framework as tools, or kept in a field or table of tools.
func (p *Package) register(all []*ssa.Function) {
	for _, fn := range all {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				switch instr := instr.(type) {
				case *ssa.Store:
					if fa, ok := instr.Addr.(*ssa.FieldAddr); ok {
						p.registerField(fa, instr.Val)
					}
				case *ssa.MapUpdate:
					if t := typeName(instr.Map.Type()); toolNoun.MatchString(t) {
						p.registerFunc(instr.Value, codeReturn, "kept in a table of tools")
					} else if g := globalOf(instr.Map); g != nil && toolNoun.MatchString(g.Name()) {
						p.registerFunc(instr.Value, codeReturn, "kept in "+g.Name())
					}
				case ssa.CallInstruction:
					p.registerCall(instr.Common())
				}
				p.noteEscapes(instr)
			}
		}
	}
}

// globalOf is the package variable that a map comes from, nil if there is none.
func globalOf(v ssa.Value) *ssa.Global {
	switch v := v.(type) {
	case *ssa.UnOp:
		g, _ := v.X.(*ssa.Global)
		return g
	case *ssa.MakeMap:
		for _, ref := range *v.Referrers() {
			if st, ok := ref.(*ssa.Store); ok && st.Val == v {
				g, _ := st.Addr.(*ssa.Global)
				return g
			}
		}
	}
	return nil
}

func (p *Package) registerField(fa *ssa.FieldAddr, v ssa.Value) {
	if _, ok := v.Type().Underlying().(*types.Signature); !ok {
		return
	}
	id := p.fieldOf(fa.X.Type(), fa.Field)
	for _, r := range p.fieldRules[id] {
		if r.Op == model.Tool {
			p.registerFunc(v, r.Kind, "given to "+p.fieldName(id))
			return
		}
	}
	owner, field := typeName(fa.X.Type()), p.fieldName(id)
	home := typePkg(fa.X.Type())
	if (toolNoun.MatchString(owner) || toolNoun.MatchString(home[strings.LastIndexByte(home, '/')+1:])) && !modelNoun.MatchString(owner) && funcFieldName.MatchString(field) || strings.Contains(strings.ToLower(field), "toolcall") {
		p.registerFunc(v, codeReturn, "the field "+field+" of a "+owner)
	}
}

func (p *Package) registerCall(c *ssa.CallCommon) {
	obj := calleeObject(c)
	if obj == nil {
		return
	}
	if registering.MatchString(obj.Name()) {
		for _, arg := range c.Args {
			if sig, ok := arg.Type().Underlying().(*types.Signature); ok && sig.Results().Len() > 0 && inputLike(sig) {
				p.registerFunc(arg, codeReturn, "given to "+shortName(obj))
			}
		}
	}
	for _, r := range p.rulesFor(obj) {
		if r.Op != model.Tool {
			continue
		}
		for _, pl := range r.In {
			for _, arg := range argAt(c, obj.Signature(), pl) {
				p.registerFunc(arg, r.Kind, "given to "+shortName(obj))
			}
		}
	}
}

// registerFunc marks the function that a value is as a tool function.
func (p *Package) registerFunc(v ssa.Value, code, how string) {
	switch x := strip(v).(type) {
	case *ssa.Function:
		p.registered[origin0(x)] = registration{code, how}
	case *ssa.MakeClosure:
		p.registered[origin0(x.Fn.(*ssa.Function))] = registration{code, how}
	case *ssa.Call:
		// A function that makes the tool's function, or wraps it.
		callee := origin0(x.Call.StaticCallee())
		if callee == nil || p.funcs[callee] == nil {
			return
		}
		for _, b := range callee.Blocks {
			if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && len(ret.Results) > 0 && isFunc(ret.Results[0].Type()) {
				if _, again := ret.Results[0].(*ssa.Call); !again {
					p.registerFunc(ret.Results[0], code, how)
				}
			}
		}
		for _, arg := range x.Call.Args {
			if types.Identical(arg.Type(), x.Type()) {
				p.registerFunc(arg, code, how)
			}
		}
	case *ssa.UnOp:
		// A closure in a variable of its own.
		if al, ok := x.X.(*ssa.Alloc); ok {
			for _, ref := range *al.Referrers() {
				if st, ok := ref.(*ssa.Store); ok && st.Addr == al {
					if _, again := st.Val.(*ssa.UnOp); !again {
						p.registerFunc(st.Val, code, how)
					}
				}
			}
		}
	}
}

// noteEscapes finds functions that are used as values: their callers cannot all be seen.
func (p *Package) noteEscapes(instr ssa.Instruction) {
	var ops [16]*ssa.Value
	callee := ssa.Value(nil)
	if c, ok := instr.(ssa.CallInstruction); ok && !c.Common().IsInvoke() {
		callee = c.Common().Value
	}
	for i, op := range instr.Operands(ops[:0]) {
		if *op == nil || i == 0 && *op == callee {
			continue
		}
		if fn, ok := (*op).(*ssa.Function); ok {
			if _, isClosure := instr.(*ssa.MakeClosure); !isClosure {
				p.escapes[origin0(fn)] = true
			}
		}
	}
	if mc, ok := instr.(*ssa.MakeClosure); ok {
		for _, ref := range *mc.Referrers() {
			switch ref := ref.(type) {
			case ssa.CallInstruction:
				if ref.Common().Value == mc {
					continue
				}
			case *ssa.Store:
				if al, ok := ref.Addr.(*ssa.Alloc); ok && onlyCalled(al) {
					continue
				}
			case *ssa.DebugRef:
				continue
			}
			p.escapes[origin0(mc.Fn.(*ssa.Function))] = true
		}
	}
}

// onlyCalled reports whether a variable that holds a function is only ever called.
func onlyCalled(al *ssa.Alloc) bool {
	for _, ref := range *al.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store, *ssa.DebugRef, *ssa.MakeClosure:
		case *ssa.UnOp:
			for _, use := range *ref.Referrers() {
				c, ok := use.(ssa.CallInstruction)
				if !ok || c.Common().Value != ref {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

var (
	toolFuncName   = lazy(`(?i)^(call|run|exec|execute|invoke|handle|do|perform|dispatch)_?(mcp)?_?(tool|function)(call)?$|^(tool|function)_?(call|run|exec|execute|invoke|handler)$`)
	registering    = lazy(`(?i)^(register|add|define|new|make|with)_?(tool|function|action|skill)(func|handler)?$`)
	describingName = lazy(`(?i)^(name|toolname|description|desc|schema|info|definition|parameters|params|inputschema|spec|tool|functiondefinition|parameterschema|inputs?|metadata|displayname|isreadonly|label)$`)
)

// toolFunction tells whether a function's results go to a model, because a framework or a table of tools calls it.
func (p *Package) toolFunction(fn *ssa.Function) *registration {
	if r, ok := p.registered[fn]; ok {
		return &r
	}
	if fn.Parent() != nil {
		return nil
	}
	obj, _ := fn.Object().(*types.Func)
	if obj == nil {
		return nil
	}
	sig := fn.Signature
	text := false
	for i := range sig.Results().Len() {
		t := sig.Results().At(i).Type()
		if !isError(t) && p.shapes.carries(t) && !isFunc(t) {
			text = true
		}
	}
	if !text {
		return nil
	}
	input := inputLike(sig)
	if rv := sig.Recv(); rv != nil {
		name := fn.Name()
		if r := p.implements(rv.Type(), obj); r != nil {
			return r
		}
		owner := typeName(rv.Type())
		if input && !dispatcherName.MatchString(owner) && p.implementsTool(rv.Type(), obj) {
			return &registration{codeReturn, "method of the tool " + owner}
		}
		if toolVerb.MatchString(name) && input && !modelNoun.MatchString(owner) {
			if describing(rv.Type()) >= 2 {
				return &registration{codeReturn, "method of the tool " + owner}
			}
			if execNoun.MatchString(owner) && obj.Exported() && resultStruct(sig) {
				return &registration{codeReturn, "method of " + owner}
			}
			if (toolNoun.MatchString(owner) || toolNoun.MatchString(fn.Pkg.Pkg.Name())) && !dispatcherName.MatchString(owner) {
				return &registration{codeReturn, "method of the tool " + owner}
			}
		}
	}
	if toolFuncName.MatchString(fn.Name()) && input && sig.Results().Len() > 0 && isText(sig.Results().At(0).Type()) && !(sig.Recv() != nil && dispatcherName.MatchString(typeName(sig.Recv().Type()))) {
		return &registration{codeReturn, "runs a tool"}
	}
	if toolPath.MatchString(p.Pkg.Path()) && obj.Exported() && sig.Params().Len() >= 2 && isContext(sig.Params().At(0).Type()) &&
		sig.Results().Len() == 2 && isText(sig.Results().At(0).Type()) && isError(sig.Results().At(1).Type()) && !quietName.MatchString(fn.Name()) {
		return &registration{codeReturn, "a function of a package of tools"}
	}
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		if n := typeName(t); (n == "Tool" || n == "ToolDefinition") && !isList(t) {
			if runningName.MatchString(fn.Name()) && textResult(sig) {
				return &registration{codeReturn, "runs a tool"}
			}
		}
	}
	return nil
}

var toolPath = lazy(`(?i)(^|/)(tools?|actions?|skills?)(/|$)`)

var (
	runningName    = lazy(`(?i)^(run|exec|call|invoke)`)
	dispatcherName = lazy(`(?i)registry|manager|router|dispatcher|executor|factory|server|client|service|set$|box$|s$`)
)

func isFunc(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// textResult reports whether the first result is text or a struct that can hold it.
func textResult(sig *types.Signature) bool {
	if sig.Results().Len() == 0 {
		return false
	}
	t := sig.Results().At(0).Type()
	if isText(t) {
		return true
	}
	_, ok := deref(t).Underlying().(*types.Struct)
	return ok
}

func resultStruct(sig *types.Signature) bool {
	if sig.Results().Len() == 0 {
		return false
	}
	return strings.HasSuffix(typeName(sig.Results().At(0).Type()), "Result")
}

// describing counts the methods by which a type describes itself to a model.
func describing(t types.Type) int {
	n, ok := types.Unalias(deref(t)).(*types.Named)
	if !ok {
		return 0
	}
	k := 0
	for i := range n.NumMethods() {
		if m := n.Method(i); describingName.MatchString(m.Name()) && m.Signature().Results().Len() > 0 {
			k++
		}
	}
	return k
}

// implements tells whether a method implements an interface method that a rule names: same name, same signature.
func (p *Package) implements(recv types.Type, m *types.Func) *registration {
	for _, imp := range p.Pkg.Imports() {
		for _, r := range p.rulesIn(imp.Path()) {
			if r.Op != model.Method || r.Name != m.Name() {
				continue
			}
			tn, ok := imp.Scope().Lookup(r.Recv).(*types.TypeName)
			if !ok {
				continue
			}
			iface, ok := tn.Type().Underlying().(*types.Interface)
			if ok && (types.Implements(recv, iface) || types.Implements(types.NewPointer(deref(recv)), iface)) {
				return &registration{r.Kind, "implements " + imp.Name() + "." + r.Recv}
			}
		}
	}
	return nil
}

// implementsTool reports whether a method belongs to an interface of the module that is called a tool, and the type
// implements it.
func (p *Package) implementsTool(recv types.Type, m *types.Func) bool {
	if !toolVerb.MatchString(m.Name()) {
		return false
	}
	in := func(pkg *types.Package) bool {
		for _, name := range pkg.Scope().Names() {
			tn, ok := pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok || !toolNoun.MatchString(name) || modelNoun.MatchString(name) || dispatcherName.MatchString(name) {
				continue
			}
			iface, ok := tn.Type().Underlying().(*types.Interface)
			if !ok {
				continue
			}
			for i := range iface.NumMethods() {
				if iface.Method(i).Name() == m.Name() {
					return types.Implements(recv, iface) || types.Implements(types.NewPointer(deref(recv)), iface)
				}
			}
		}
		return false
	}
	if in(p.Pkg) {
		return true
	}
	for _, imp := range p.Pkg.Imports() {
		if p.facts(imp.Path()) != nil && in(imp) {
			return true
		}
	}
	return false
}

func shortName(obj *types.Func) string {
	if rv := obj.Signature().Recv(); rv != nil {
		if n := typeName(rv.Type()); n != "" {
			return n + "." + obj.Name()
		}
		return obj.Name()
	}
	if obj.Pkg() != nil {
		return obj.Pkg().Name() + "." + obj.Name()
	}
	return obj.Name()
}
