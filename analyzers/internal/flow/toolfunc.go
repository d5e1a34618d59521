package flow

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/boundcheck/boundcheck/analyzers/internal/model"
)

var (
	toolFuncName   = lazy(`(?i)^(call|run|exec|execute|invoke|handle|do|perform|dispatch)_?(mcp)?_?(tool|function)(call)?$|^(tool|function)_?(call|run|exec|execute|invoke|handler)$`)
	registering    = lazy(`(?i)^(must|register|add|define|new|make|with|create|build|convert|provide)_?(new|register|add)?_?(typed|mcp|simple|custom|server)?_?(tool|function|action|skill)(func|handler)?$`)
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
			return &registration{code: codeReturn, how: "method of the tool " + owner}
		}
		if toolVerb.MatchString(name) && input && !modelNoun.MatchString(owner) {
			if describing(rv.Type()) >= 2 {
				return &registration{code: codeReturn, how: "method of the tool " + owner}
			}
			if execNoun.MatchString(owner) && obj.Exported() && resultStruct(sig) && !reporting(sig) {
				return &registration{code: codeReturn, how: "method of " + owner, runner: true}
			}
			if (toolNoun.MatchString(owner) || toolNoun.MatchString(fn.Pkg.Pkg.Name())) && !dispatcherName.MatchString(owner) {
				return &registration{code: codeReturn, how: "method of the tool " + owner}
			}
		}
	}
	if toolFuncName.MatchString(fn.Name()) && input && sig.Results().Len() > 0 && isText(sig.Results().At(0).Type()) && !(sig.Recv() != nil && dispatcherName.MatchString(typeName(sig.Recv().Type()))) {
		return &registration{code: codeReturn, how: "runs a tool"}
	}
	if toolPath.MatchString(p.Pkg.Path()) && !strings.Contains(p.Pkg.Path(), "/internal/") && !strings.HasSuffix(p.Pkg.Path(), "/internal") && obj.Exported() && sig.Params().Len() >= 2 && isContext(sig.Params().At(0).Type()) &&
		sig.Results().Len() == 2 && isText(sig.Results().At(0).Type()) && isError(sig.Results().At(1).Type()) && !quietName.MatchString(fn.Name()) && (sig.Recv() == nil || ast.IsExported(typeName(sig.Recv().Type())) || toolVerb.MatchString(fn.Name())) {
		return &registration{code: codeReturn, how: "a function of a package of tools"}
	}
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		if n := typeName(t); (n == "Tool" || n == "ToolDefinition") && !isList(t) {
			if runningName.MatchString(fn.Name()) && textResult(sig) {
				return &registration{code: codeReturn, how: "runs a tool"}
			}
		}
	}
	return nil
}

var toolPath = lazy(`(?i)(^|/)(tools?|actions?|skills?)(/|$)`)

var (
	runningName    = lazy(`(?i)^(run|exec|call|invoke)`)
	dispatcherName = lazy(`(?i)^tools[a-z]*node|registry|manager|router|dispatcher|executor|factory|server|client|service|set$|box$|s$`)
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

// resultStruct reports whether the first result is that of one run.
func resultStruct(sig *types.Signature) bool {
	if sig.Results().Len() == 0 {
		return false
	}
	t := sig.Results().At(0).Type()
	return strings.HasSuffix(typeName(t), "Result") && !isList(t)
}

// reporting reports whether a function is given a writer to say how it goes: a person reads what it does, no model.
func reporting(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		if isWriter(v.Type()) {
			return true
		}
	}
	return false
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
				return &registration{code: r.Kind, how: "implements " + imp.Name() + "." + r.Recv}
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
