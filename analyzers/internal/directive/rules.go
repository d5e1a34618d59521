package directive

import (
	"fmt"
	"go/ast"
	"strings"

	"github.com/boundcheck/boundcheck/analyzers/internal/model"
)

// onFunc completes a rule for a function or a method with a receiver. The second result is a sentence when the rule
// has nothing to say about it.
func onFunc(rule model.Rule, fn *ast.FuncDecl) ([]model.Rule, string) {
	if rule.Op == model.History {
		return nil, misplaced(wordHistory)
	}
	rule.Name = fn.Name.Name
	pointer := false
	if fn.Recv != nil && len(fn.Recv.List) == 1 {
		_, pointer = fn.Recv.List[0].Type.(*ast.StarExpr)
		rule.Recv = typeName(fn.Recv.List[0].Type)
	}
	rule, wrong := places(rule, fn.Type, pointer)
	return []model.Rule{rule}, wrong
}

// onMember completes a rule for a struct field or a method of an interface. A field of function type is described
// like a function: what comes out of it is what a call returns.
func onMember(rule model.Rule, t target) ([]model.Rule, string) {
	_, method := t.owner.Type.(*ast.InterfaceType)
	if method && rule.Op == model.History {
		return nil, misplaced(wordHistory)
	}
	rule.Recv, rule.Field = t.owner.Name.Name, !method
	if function, ok := t.field.Type.(*ast.FuncType); ok && rule.Op != model.History {
		var wrong string
		if rule, wrong = places(rule, function, false); wrong != "" {
			return nil, wrong
		}
	}
	if len(t.field.Names) == 0 {
		rule.Name = typeName(t.field.Type)
		return []model.Rule{rule}, ""
	}
	var rules []model.Rule
	for _, n := range t.field.Names {
		rule.Name = n.Name
		rules = append(rules, rule)
	}
	return rules, ""
}

// onType completes a rule for a type: history is about the type itself, the others about each of its members that
// they have something to say about.
func onType(rule model.Rule, spec *ast.TypeSpec) ([]model.Rule, string) {
	if spec.Assign.IsValid() {
		return nil, fmt.Sprintf("boundcheck:%s has no effect on an alias; put it on the type that %s stands for", rule.Op, spec.Name.Name)
	}
	if rule.Op == model.History {
		rule.Recv = spec.Name.Name
		return []model.Rule{rule}, ""
	}
	var rules []model.Rule
	for _, f := range members(spec) {
		placed, _ := onMember(rule, target{field: f, owner: spec})
		rules = append(rules, placed...)
	}
	if len(rules) == 0 {
		return nil, fmt.Sprintf("boundcheck:%s has no effect on %s, which has no method or field it could mean; put it on the functions that make or take the values",
			rule.Op, spec.Name.Name)
	}
	return rules, ""
}

// places says where in a call the rule applies. The second result is a sentence when there is no such place.
func places(rule model.Rule, typ *ast.FuncType, pointerRecv bool) (model.Rule, string) {
	if rule.Op == model.Sink {
		if typ.Params.NumFields() == 0 {
			return rule, "boundcheck:sink has no effect on a function without parameters"
		}
		rule.In = []model.Place{{Index: -1}}
		return rule, ""
	}
	for i, t := range flat(typ.Results) {
		if id, ok := t.(*ast.Ident); !ok || id.Name != "error" {
			rule.Out = append(rule.Out, model.Place{Result: true, Index: i})
		}
	}
	if len(rule.Out) > 0 {
		return rule, ""
	}
	if pointerRecv && rule.Op == model.Bound {
		rule.Out = append(rule.Out, model.Place{Recv: true})
	}
	for i, t := range flat(typ.Params) {
		if filled(t) {
			rule.Out = append(rule.Out, model.Place{Index: i})
		}
	}
	if len(rule.Out) == 0 {
		return rule, fmt.Sprintf("boundcheck:%s has no effect on a function that returns nothing but errors and fills no parameter", rule.Op)
	}
	return rule, ""
}

// flat returns one type per parameter or result.
func flat(fields *ast.FieldList) []ast.Expr {
	var types []ast.Expr
	if fields == nil {
		return nil
	}
	for _, f := range fields.List {
		for range max(1, len(f.Names)) {
			types = append(types, f.Type)
		}
	}
	return types
}

// filled reports whether a callee can leave output in a parameter of this type: a pointer, a slice, a map, or
// something called a writer.
func filled(typ ast.Expr) bool {
	switch typ := typ.(type) {
	case *ast.StarExpr, *ast.MapType:
		return true
	case *ast.ArrayType:
		return typ.Len == nil
	case *ast.SelectorExpr:
		return strings.HasSuffix(typ.Sel.Name, "Writer")
	}
	return false
}

// typeName returns the bare name of a type expression: no pointer, package or type arguments.
func typeName(typ ast.Expr) string {
	switch typ := typ.(type) {
	case *ast.Ident:
		return typ.Name
	case *ast.StarExpr:
		return typeName(typ.X)
	case *ast.ParenExpr:
		return typeName(typ.X)
	case *ast.SelectorExpr:
		return typ.Sel.Name
	case *ast.IndexExpr:
		return typeName(typ.X)
	case *ast.IndexListExpr:
		return typeName(typ.X)
	}
	return ""
}
