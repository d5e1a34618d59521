package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/boundcheck/boundcheck/analyzers/internal/model"
)

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
						p.registerFunc(instr.Value, registration{code: codeReturn, how: "kept in a table of tools"})
					} else if g := globalOf(instr.Map); g != nil && toolNoun.MatchString(g.Name()) {
						p.registerFunc(instr.Value, registration{code: codeReturn, how: "kept in " + g.Name()})
					}
				case ssa.CallInstruction:
					p.registerCall(instr.Common())
				}
				p.noteEscapes(instr)
			}
		}
	}
	p.registerPassed(all)
}

// registerPassed registers what is passed to functions that hand on what they are given as a tool, until nothing new is
// found: helpers may call helpers.
func (p *Package) registerPassed(all []*ssa.Function) {
	for n := -1; n < len(p.toolParams); {
		n = len(p.toolParams)
		for _, fn := range all {
			for _, b := range fn.Blocks {
				for _, instr := range b.Instrs {
					c, ok := instr.(ssa.CallInstruction)
					if !ok || c.Common().IsInvoke() {
						continue
					}
					callee := origin0(c.Common().StaticCallee())
					for i, arg := range c.Common().Args {
						if reg, ok := p.toolParam(callee, i); ok && isFunc(arg.Type()) {
							p.registerFunc(arg, reg)
						}
					}
				}
			}
		}
	}
}

// A toolParam is a parameter of a function, receiver first, that is handed to a framework as a tool.
type toolParam struct {
	fn    *ssa.Function
	index int
}

// toolParam tells whether what is passed to a function becomes a tool.
func (p *Package) toolParam(fn *ssa.Function, i int) (registration, bool) {
	if fn == nil {
		return registration{}, false
	}
	if reg, ok := p.toolParams[toolParam{fn, i}]; ok {
		return reg, true
	}
	obj, _ := fn.Object().(*types.Func)
	if obj == nil || obj.Pkg() == nil || obj.Pkg() == p.Pkg {
		return registration{}, false
	}
	facts := p.facts(obj.Pkg().Path())
	if facts == nil {
		return registration{}, false
	}
	for _, t := range facts.Tools {
		if t.Func == obj.FullName() && int(t.Param) == i {
			return registration{code: t.Code, how: "given to " + shortName(obj)}, true
		}
	}
	return registration{}, false
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
			p.registerFunc(v, registration{code: r.Kind, how: "given to " + p.fieldName(id), decl: fa.X})
			return
		}
	}
	owner, field := typeName(fa.X.Type()), p.fieldName(id)
	home := typePkg(fa.X.Type())
	if (toolNoun.MatchString(owner) || toolNoun.MatchString(home[strings.LastIndexByte(home, '/')+1:])) && !modelNoun.MatchString(owner) && funcFieldName.MatchString(field) || strings.Contains(strings.ToLower(field), "toolcall") {
		p.registerFunc(v, registration{code: codeReturn, how: "the field " + field + " of a " + owner, decl: fa.X})
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
				p.registerFunc(arg, registration{code: codeReturn, how: "given to " + shortName(obj)})
			}
		}
	}
	for _, r := range p.rulesFor(obj) {
		if r.Op != model.Tool {
			continue
		}
		for _, pl := range r.In {
			for _, arg := range argAt(c, obj.Signature(), pl) {
				p.registerFunc(arg, registration{code: r.Kind, how: "given to " + shortName(obj)})
			}
		}
	}
}

// registerFunc marks the function that a value is as a tool function.
func (p *Package) registerFunc(v ssa.Value, reg registration) {
	switch x := strip(v).(type) {
	case *ssa.Function:
		p.registered[origin0(x)] = reg
	case *ssa.MakeClosure:
		p.registered[origin0(x.Fn.(*ssa.Function))] = reg
		for _, b := range x.Bindings {
			p.registerCaptured(b, reg)
		}
	case *ssa.Parameter:
		p.registerParam(x, reg)
	case *ssa.Call:
		// A function that makes the tool's function, or wraps it.
		callee := origin0(x.Call.StaticCallee())
		if callee == nil || p.funcs[callee] == nil {
			return
		}
		for _, b := range callee.Blocks {
			if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && len(ret.Results) > 0 && isFunc(ret.Results[0].Type()) {
				if _, again := ret.Results[0].(*ssa.Call); !again {
					p.registerFunc(ret.Results[0], reg)
				}
			}
		}
		for _, arg := range x.Call.Args {
			if types.Identical(arg.Type(), x.Type()) {
				p.registerFunc(arg, reg)
			}
		}
	case *ssa.UnOp:
		// A closure in a variable of its own.
		if al, ok := x.X.(*ssa.Alloc); ok {
			for _, ref := range *al.Referrers() {
				if st, ok := ref.(*ssa.Store); ok && st.Addr == al {
					if _, again := st.Val.(*ssa.UnOp); !again {
						p.registerFunc(st.Val, reg)
					}
				}
			}
		}
	}
}

var (
	handlerName = lazy(`(?i)tool|handler|callback`)
	notTools    = lazy(`(?i)retriev|flow|model|embed|prompt|resource|index|evaluat|middleware|hook|route|listen|http`)
)

// registerParam notes that a parameter becomes a tool.
func (p *Package) registerParam(prm *ssa.Parameter, reg registration) {
	sig, ok := prm.Type().Underlying().(*types.Signature)
	if !ok || sig.Results().Len() == 0 || !inputLike(sig) {
		return
	}
	// Frameworks keep more things than tools in the same way.
	if name := prm.Parent().Name(); notTools.MatchString(name) || !toolWord.MatchString(name) && !handlerName.MatchString(prm.Name()) {
		return
	}
	i := slices.Index(prm.Parent().Params, prm)
	key := toolParam{origin0(prm.Parent()), i}
	if old, ok := p.toolParams[key]; !ok || old.code == codeReturn && reg.code != codeReturn {
		obj, _ := key.fn.Object().(*types.Func)
		if obj != nil {
			reg.how = "given to " + shortName(obj)
		}
		p.toolParams[key] = registration{code: reg.code, how: reg.how}
	}
}

// registerCaptured registers a function that a tool's literal captures, to call it: it wraps the tool.
func (p *Package) registerCaptured(b ssa.Value, reg registration) {
	switch b := b.(type) {
	case *ssa.Parameter:
		p.registerParam(b, reg)
	case *ssa.Alloc:
		for _, ref := range *b.Referrers() {
			if st, ok := ref.(*ssa.Store); ok && st.Addr == b {
				if prm, ok := st.Val.(*ssa.Parameter); ok {
					p.registerParam(prm, reg)
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
