package flow

import (
	"go/types"
	pathpkg "path"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/boundcheck/boundcheck/analyzers/internal/model"
)

func nameMatches(pattern, name string) bool {
	if pattern == name || pattern == "*" {
		return true
	}
	if !strings.Contains(pattern, "*") {
		return false
	}
	ok, _ := pathpkg.Match(pattern, name)
	return ok
}

// rulesForField returns the rules about one field.
func (p *Package) rulesForField(pkg, owner, name string) []model.Rule {
	var out []model.Rule
	for _, r := range p.rulesIn(pkg) {
		if r.Field && nameMatches(r.Recv, owner) && nameMatches(r.Name, name) {
			out = append(out, r)
		}
	}
	return out
}

func (p *Package) rulesIn(pkg string) []model.Rule {
	rules := p.cfg.Models.For(pkg)
	if pkg == p.Pkg.Path() {
		return append(rules[:len(rules):len(rules)], p.Rules...)
	}
	if facts := p.facts(pkg); facts != nil && len(facts.Rules) > 0 {
		return append(rules[:len(rules):len(rules)], facts.Rules...)
	}
	return rules
}

// facts are what the analysis of another package exported, nil for a package that was not analysed.
func (p *Package) facts(pkg string) *Facts {
	if f, ok := p.extern[pkg]; ok {
		return f
	}
	var f *Facts
	if p.Facts != nil {
		f = p.Facts(pkg)
	}
	p.extern[pkg] = f
	return f
}

// rulesFor returns the rules about a function or method.
func (p *Package) rulesFor(obj types.Object) []model.Rule {
	if obj == nil || obj.Pkg() == nil {
		return nil
	}
	if fn, ok := obj.(*types.Func); ok {
		obj = fn.Origin()
	}
	if r, ok := p.rules[obj]; ok {
		return r
	}
	recv := ""
	if fn, ok := obj.(*types.Func); ok {
		if rv := fn.Signature().Recv(); rv != nil {
			if recv = typeName(rv.Type()); recv == "" {
				recv = "$"
			}
		}
	}
	var out []model.Rule
	for _, r := range p.rulesIn(obj.Pkg().Path()) {
		if !r.Field && r.Name != "" && nameMatches(r.Name, obj.Name()) && (r.Recv == recv || r.Recv != "" && recv != "" && nameMatches(r.Recv, recv)) {
			out = append(out, r)
		}
	}
	p.rules[obj] = out
	return out
}

// calleeObject is the function or interface method that a call names, nil for a function value.
func calleeObject(c *ssa.CallCommon) *types.Func {
	if c.IsInvoke() {
		return c.Method
	}
	fn := origin0(c.StaticCallee())
	if fn == nil {
		return nil
	}
	obj, _ := fn.Object().(*types.Func)
	return obj
}

// at resolves a rule's place in a call to an operand; i is the parameter's index without the receiver.
func argAt(c *ssa.CallCommon, sig *types.Signature, pl model.Place) []ssa.Value {
	recv, args := receiver(c)
	if pl.Recv {
		if recv == nil {
			return nil
		}
		return []ssa.Value{recv}
	}
	if pl.Result {
		return nil
	}
	if pl.Name != "" {
		for i := range sig.Params().Len() {
			if strings.EqualFold(sig.Params().At(i).Name(), pl.Name) && i < len(args) {
				return args[i : i+1]
			}
		}
		return nil
	}
	if pl.Index < 0 {
		return args
	}
	if pl.Index < len(args) {
		return args[pl.Index : pl.Index+1]
	}
	return nil
}

// receiver splits the receiver off the arguments of a method call.
func receiver(c *ssa.CallCommon) (ssa.Value, []ssa.Value) {
	if c.IsInvoke() {
		return c.Value, c.Args
	}
	if fn := c.StaticCallee(); fn != nil && fn.Signature.Recv() != nil && len(c.Args) > 0 {
		return c.Args[0], c.Args[1:]
	}
	return nil, c.Args
}
