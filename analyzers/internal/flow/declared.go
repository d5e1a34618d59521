package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/boundcheck/boundcheck/analyzers/internal/model"
)

// declaredHistory reports whether the module's author says that a list, or what is in it, is a conversation history.
func (p *Package) declaredHistory(list ssa.Value) bool {
	if p.historyType(list.Type()) || p.historyType(element(list.Type())) {
		return true
	}
	var id fieldID
	switch v := list.(type) {
	case *ssa.UnOp:
		if fa, ok := v.X.(*ssa.FieldAddr); ok {
			id = p.fieldOf(fa.X.Type(), fa.Field)
		}
	case *ssa.Field:
		id = p.fieldOf(v.X.Type(), v.Field)
	}
	return p.historyField(id)
}

func (p *Package) historyField(id fieldID) bool {
	for _, r := range p.fieldRules[id] {
		if r.Op == model.History && p.declared(r) {
			return true
		}
	}
	return false
}

// historyType reports whether a rule calls a type a history, or an element of one.
func (p *Package) historyType(t types.Type) bool {
	n, ok := types.Unalias(deref(t)).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	for _, r := range p.rulesIn(n.Obj().Pkg().Path()) {
		if r.Op == model.History && p.declared(r) && !r.Field && r.Name == "" && nameMatches(r.Recv, n.Obj().Name()) {
			return true
		}
	}
	return false
}

// declared reports whether a rule comes from a directive.
func (p *Package) declared(r model.Rule) bool { return !strings.Contains(r.Pos, ".model:") }

// fieldCall gives the rules about the field of function type that a call goes through, and a stand-in for the function
// that it holds. A field without rules gives nothing.
func (p *Package) fieldCall(c *ssa.CallCommon) ([]model.Rule, *types.Func) {
	if c.IsInvoke() {
		return nil, nil
	}
	var t types.Type
	var i int
	switch v := c.Value.(type) {
	case *ssa.UnOp:
		fa, ok := v.X.(*ssa.FieldAddr)
		if !ok || v.Op != token.MUL {
			return nil, nil
		}
		t, i = fa.X.Type(), fa.Field
	case *ssa.Field:
		t, i = v.X.Type(), v.Field
	default:
		return nil, nil
	}
	id := p.fieldOf(t, i)
	rules := p.fieldRules[id]
	if len(rules) == 0 {
		return nil, nil
	}
	v := deref(t).Underlying().(*types.Struct).Field(i)
	return rules, types.NewFunc(v.Pos(), v.Pkg(), v.Name(), c.Signature())
}

// declaredSink reports whether it is the module's own author who says that a hit is a sink. What is noise at the
// prompts of an SDK was asked for here.
func (p *Package) declaredSink(h hit) bool {
	var pkg *types.Package
	var rules []model.Rule
	switch at := h.at.(type) {
	case *ssa.Store:
		fa, ok := at.Addr.(*ssa.FieldAddr)
		if !ok {
			return false
		}
		n, ok := types.Unalias(deref(fa.X.Type())).(*types.Named)
		if !ok {
			return false
		}
		pkg, rules = n.Obj().Pkg(), p.fieldRules[p.fieldOf(fa.X.Type(), fa.Field)]
	case ssa.CallInstruction:
		obj := calleeObject(at.Common())
		if obj == nil {
			return false
		}
		pkg, rules = obj.Pkg(), p.rulesFor(obj)
	}
	if pkg == nil {
		return false
	}
	declared := p.Rules
	if pkg != p.Pkg {
		facts := p.facts(pkg.Path())
		if facts == nil {
			return false
		}
		declared = facts.Rules
	}
	return slices.ContainsFunc(rules, func(r model.Rule) bool {
		return r.Op == model.Sink && slices.ContainsFunc(declared, func(d model.Rule) bool { return d.Pos == r.Pos })
	})
}
