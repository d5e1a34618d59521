package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// closedWorld lists the methods that a call through an interface may reach, if they can all be seen: nobody can import
// a program, and this one makes all values of the interface itself, out of types of its own.
func (f *function) closedWorld(c *ssa.CallCommon) ([]*function, bool) {
	if !c.IsInvoke() || f.p.Pkg.Name() != "main" {
		return nil, false
	}
	key := closedCall{types.Unalias(c.Value.Type()), c.Method}
	if fs, ok := f.p.closed[key]; ok {
		return fs, len(fs) > 0
	}
	fs := f.p.madeHere(c.Value.Type(), c.Method)
	f.p.closed[key] = fs
	return fs, len(fs) > 0
}

// A closedCall is a method as it is called through an interface, which may have it from another.
type closedCall struct {
	iface  types.Type
	method *types.Func
}

// madeHere lists the methods called m of the types that the package makes values of an interface from; none if some
// value may come from elsewhere.
func (p *Package) madeHere(iface types.Type, m *types.Func) []*function {
	var out []*function
	for _, g := range p.order {
		if p.escapes[g.fn] && slices.ContainsFunc(g.params, func(prm *ssa.Parameter) bool {
			return types.Identical(element(prm.Type()), iface) && !p.onlyFilled(prm)
		}) {
			return nil // whoever calls it may pass another
		}
		for _, b := range g.fn.Blocks {
			for _, instr := range b.Instrs {
				v, ok := instr.(ssa.Value)
				if !ok || !types.Identical(element(v.Type()), iface) {
					continue
				}
				switch v := v.(type) {
				case *ssa.MakeInterface:
					h := p.methodNamed(v.X.Type(), m.Name())
					if h == nil {
						return nil
					}
					if !slices.Contains(out, h) {
						out = append(out, h)
					}
				case *ssa.ChangeInterface, *ssa.TypeAssert:
					return nil
				case *ssa.Call:
					if p.foreignCall(v) {
						return nil
					}
				case *ssa.Extract:
					if call, ok := v.Tuple.(*ssa.Call); ok && p.foreignCall(call) {
						return nil
					}
				case *ssa.UnOp:
					if g, ok := v.X.(*ssa.Global); ok && g.Pkg != p.ssa {
						return nil
					}
				case *ssa.FieldAddr:
					if typePkg(v.X.Type()) != p.Pkg.Path() {
						return nil
					}
				case *ssa.Field:
					if typePkg(v.X.Type()) != p.Pkg.Path() {
						return nil
					}
				}
			}
		}
	}
	return out
}

// onlyFilled reports whether a map is only added to, by the package's own functions.
func (p *Package) onlyFilled(prm *ssa.Parameter) bool {
	for _, ref := range *prm.Referrers() {
		switch ref := ref.(type) {
		case *ssa.MapUpdate, *ssa.DebugRef:
		case *ssa.Call:
			maker, made := ref.Call.Value.(*ssa.Call)
			if p.foreignCall(ref) && (!made || p.foreignCall(maker)) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// foreignCall reports whether a call goes to code that is not the package's own.
func (p *Package) foreignCall(call *ssa.Call) bool {
	if _, ok := call.Call.Value.(*ssa.Builtin); ok {
		return false
	}
	return p.funcs[origin0(call.Call.StaticCallee())] == nil
}

// methodNamed is the method of a type that stands in this package; nil if there is none.
func (p *Package) methodNamed(t types.Type, name string) *function {
	obj, _, _ := types.LookupFieldOrMethod(t, true, p.Pkg, name)
	m, ok := obj.(*types.Func)
	if !ok || m.Pkg() != p.Pkg {
		return nil
	}
	return p.funcs[p.prog.FuncValue(m.Origin())]
}

// allShort reports whether nothing that the functions return can be large: what calls them is then no source.
func (f *function) allShort(fs []*function) bool {
	short := true
	for _, g := range fs {
		f.link(g)
		for _, v := range g.summary.results {
			for _, e := range f.p.concrete(v.all()) {
				short = short && e.lvl <= Bounded && !e.piece
			}
		}
	}
	return short
}

// handsThrough reports whether a call is that of a function that the surrounding literal wraps: one like itself that it
// captures, or one that it has just had wrapped. What such a literal makes of the result is that result again, as the
// middleware of frameworks does it; where tools are run is somewhere else.
func handsThrough(literal *ssa.Function, c *ssa.CallCommon) bool {
	v := c.Value
	if ld, ok := v.(*ssa.UnOp); ok && ld.Op == token.MUL {
		v = ld.X
	}
	switch v := v.(type) {
	case *ssa.FreeVar:
		mine, its := literal.Signature.Results(), c.Signature().Results()
		return mine.Len() > 0 && its.Len() > 0 && types.Identical(mine.At(0).Type(), its.At(0).Type())
	case *ssa.Extract:
		_, ok := v.Tuple.(*ssa.Call)
		return ok
	case *ssa.Call:
		return true
	}
	return false
}
