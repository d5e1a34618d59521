package flow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
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
			return f.remote(sig, pkg, owner, name)
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
		return "process", true, outputOf + owner + "." + name
	}
	return f.remote(sig, pkg, owner, name)
}

// outputOf is how the path of output begins that is known by the shape of what executed the command.
const outputOf = "output of "

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
	if aboutTools.MatchString(field) {
		return "", false, ""
	}
	tn := typeName(c.Value.Type())
	if hookNoun.MatchString(tn) || hookNoun.MatchString(field) || (askingType.MatchString(tn) || askingName.MatchString(field)) && !toolNoun.MatchString(tn) && !toolWord.MatchString(field) {
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

// aboutTools are names of functions that say something about tools, and run none.
var aboutTools = lazy(`(?i)arg(ument)?s?|input|param|schema|names?$|descri|list|filter|convert|format|choice|select|permission|approv|confirm`)

var quietName = lazy(`(?i)^(ask|prompt|confirm|elicit|question|choose|approve|new|make|open|connect|dial|start|begin|create|delete|remove|update|set|put|save|close|stop|init|register|build|with|validate|check|is|has|parse|resolve|login|auth|ping|list_?models|subscribe|watch|wait|lookup|setup|ensure|append|add|insert|upsert|store|lock|acquire|count)|(tools|models|prompts|capabilities)$`)

// remote decides whether a call that takes a context and gives data and an error reads from the outside.
func (f *function) remote(sig *types.Signature, pkg, owner, name string) (kind string, weak bool, what string) {
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
	if echoName.MatchString(name) && !isText(t) {
		return "", false, "" // what was sent, as the service keeps it
	}
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
	if queryName.MatchString(name) {
		return "database", true, "what " + full + " found"
	}
	return "remote", true, "what " + full + " fetched"
}

var echoName = lazy(`^(Apply|Patch)`)

var queryName = lazy(`^(Query|Select)(Row|Rows|One|All|Context|SQL)*$`)

// isStd reports whether a package belongs to the standard library: its path has no dot in the first element, and it
// is not part of the module, whose path may have none either.
func (p *Package) isStd(pkg string) bool {
	first, _, _ := strings.Cut(pkg, "/")
	return pkg != "" && !strings.Contains(first, ".") && pkg != p.Pkg.Path() && p.facts(pkg) == nil
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
