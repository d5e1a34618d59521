package flow

import (
	"go/token"
	"go/types"
	"unicode/utf8"

	"golang.org/x/tools/go/ssa"

	"github.com/boundcheck/boundcheck/analyzers/internal/model"
)

// eval is what an operand carries when the instruction at uses it.
func (f *function) eval(v ssa.Value, at ssa.Instruction) val {
	x := f.raw(v, at)
	if !slack(x) {
		return x
	}
	if g, ok := f.guardFor(v, f.guardsAt(at.Block()), at); ok {
		return f.settle(v, x, g.bounding)
	}
	return x
}

func (f *function) raw(v ssa.Value, at ssa.Instruction) val {
	switch v := v.(type) {
	case *ssa.Const, *ssa.Function, *ssa.Builtin:
		return val{}
	case *ssa.MakeClosure:
		return val{}
	case *ssa.Phi:
		return f.vals[v]
	case *ssa.Extract:
		if failedAt(v, at) {
			return f.failed(v)
		}
	}
	if !f.p.shapes.carries(v.Type()) {
		return val{}
	}
	x := f.vals[v]
	if refers(v) {
		for _, a := range f.addrOf(v) {
			if a.root == v && len(f.defs[v]) == 0 && len(f.weak[v]) == 0 {
				continue
			}
			x = f.p.joinVal(x, f.load(a, at))
		}
	}
	return x
}

// refers reports whether what a value carries must be looked up where it leads to. A text that is wrapped in an
// interface leads nowhere, and of a reslice only the part counts that was cut out, not all of what lies behind it.
func refers(v ssa.Value) bool {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.Slice:
			return false
		default:
			return isRef(v.Type())
		}
	}
}

// isRef reports whether a value of the type leads to memory that others can write to.
func isRef(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Interface:
		return true
	}
	return false
}

// transfer evaluates one instruction. The switch names every kind there is: a new one in go/ssa must be thought about.
func (f *function) transfer(instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan, *ssa.FieldAddr, *ssa.IndexAddr,
		*ssa.Jump, *ssa.If, *ssa.Panic, *ssa.RunDefers, *ssa.DebugRef:
		// They make places or move control; what places hold is found when it is loaded.
	case *ssa.UnOp:
		f.unop(instr)
	case *ssa.BinOp:
		if instr.Op == token.ADD {
			x := f.p.joinVal(f.strung(instr.X, instr), f.strung(instr.Y, instr))
			f.set(instr, f.collected(x, instr))
		}
	case *ssa.Phi:
		f.phi(instr)
	case *ssa.Call:
		f.call(instr, instr)
	case *ssa.Go:
		f.call(instr, nil)
	case *ssa.Defer:
		f.call(instr, nil)
	case *ssa.Convert:
		f.set(instr, f.eval(instr.X, instr))
	case *ssa.MultiConvert:
		f.set(instr, f.eval(instr.X, instr))
	case *ssa.ChangeType:
		f.set(instr, f.eval(instr.X, instr))
	case *ssa.ChangeInterface:
		f.set(instr, f.eval(instr.X, instr))
	case *ssa.MakeInterface:
		x := f.eval(instr.X, instr)
		if isError(instr.Type()) {
			x = asError(x)
		}
		f.set(instr, x)
	case *ssa.SliceToArrayPointer:
		f.set(instr, f.eval(instr.X, instr))
	case *ssa.TypeAssert:
		x := f.eval(instr.X, instr)
		switch {
		case f.p.shapes.class(instr.AssertedType).reply:
			x = val{}
		case x.whole && f.p.own(instr.AssertedType):
			x = val{self: heapMark} // of the many things that go this way it is one, known by its fields
		}
		if instr.CommaOk {
			f.setTuple(instr, 0, x)
		} else {
			f.set(instr, x)
		}
	case *ssa.Extract:
		f.extract(instr)
	case *ssa.Field:
		base := f.eval(instr.X, instr)
		f.readField(instr, instr.X.Type(), instr.Field, base, f.p.field(base, f.p.fieldOf(instr.X.Type(), instr.Field)))
	case *ssa.Index:
		f.set(instr, character(instr.Type(), f.eval(instr.X, instr)))
	case *ssa.Lookup:
		x := character(instr.Type(), f.eval(instr.X, instr))
		if instr.CommaOk {
			f.setTuple(instr, 0, x)
		} else {
			f.set(instr, x)
		}
	case *ssa.Slice:
		f.slice(instr)
	case *ssa.Range:
		f.vals[instr] = f.p.joinVal(f.vals[instr], f.eval(instr.X, instr))
	case *ssa.Next:
		if !instr.IsString {
			x := f.vals[instr.Iter]
			f.setTuple(instr, 1, x)
			f.setTuple(instr, 2, x)
		} else {
			f.setTuple(instr, 2, character(types.Typ[types.Rune], f.vals[instr.Iter]))
		}
	case *ssa.Select:
		f.selects(instr)
	case *ssa.MakeClosure:
		f.closure(instr)
	case *ssa.Store:
		f.store(instr)
	case *ssa.MapUpdate:
		x := f.collected(f.eval(instr.Value, instr), instr)
		if f.p.shapes.carries(instr.Key.Type()) {
			x = f.p.joinVal(x, f.collected(f.eval(instr.Key, instr), instr))
		}
		for _, a := range f.addrOf(instr.Map) {
			f.addWeak(a, x)
		}
	case *ssa.Send:
		x := f.collected(f.eval(instr.X, instr), instr)
		for _, a := range f.addrOf(instr.Chan) {
			f.addWeak(a, x)
		}
	case *ssa.Return:
		// summarize reads the results.
	default:
		panic("flow: an instruction of unknown kind: " + instr.String())
	}
}

// character is one character of a text: short by itself, and a text again if a loop collects them.
func character(t types.Type, x val) val {
	b, ok := t.Underlying().(*types.Basic)
	if !ok || b.Kind() != types.Int32 && b.Kind() != types.Uint8 {
		return x
	}
	return val{self: x.all().mapped(func(e entry) entry { return e.pieced(Bounded, utf8.UTFMax) })}
}

func (f *function) unop(instr *ssa.UnOp) {
	switch instr.Op {
	case token.MUL:
		var x val
		if list, key, ok := f.element(instr.X); ok {
			x = f.loadElement(list, key, instr)
		} else if as := f.addrOf(instr.X); len(as) > 0 {
			for _, a := range as {
				x = f.p.joinVal(x, f.load(a, instr))
			}
		} else {
			x = f.eval(instr.X, instr)
		}
		if isText(instr.Type()) && f.labelled(instr.X) {
			x = f.label(x)
		}
		if fa, ok := instr.X.(*ssa.FieldAddr); ok {
			f.readField(instr, fa.X.Type(), fa.Field, f.eval(fa.X, instr), x)
			return
		}
		f.set(instr, x)
	case token.ARROW:
		x := f.eval(instr.X, instr)
		if instr.CommaOk {
			f.setTuple(instr, 0, x)
		} else {
			f.set(instr, x)
		}
	}
}

// readField is a load of a field, of which a rule may know what it holds.
func (f *function) readField(instr ssa.Value, t types.Type, i int, base, x val) {
	c := f.p.shapes.class(t)
	if c.reply || f.partOfReply(instr) {
		return // what a model says is no tool output
	}
	id := f.p.fieldOf(t, i)
	if open(base.self) && c.toolResult && c.payload[i] && x.all().level() == Clean {
		// Nobody is seen to fill it in, but the type says what it is.
		x = f.p.joinVal(x, f.source("tool", instr.(ssa.Instruction), heldIn+typeName(t), true))
	}
	if c.st != nil && labelName.MatchString(c.fieldName(i)) && isText(deref(c.st.Field(i).Type())) {
		x = f.label(x)
	}
	if c.searchHit(i) {
		x = whole(f.label(x))
	}
	if c.fieldName(i) == "Image" {
		x = f.imageName(x)
	}
	if x.all().level() == Clean && f.fromElsewhere(instr) {
		// What a tool returned may have been put there through a pointer that was handed on.
		x = f.p.joinVal(x, val{self: f.p.ofTools(f.p.fieldNode(id))})
	}
	for _, r := range f.p.fieldRules[id] {
		switch r.Op {
		case model.Source:
			x = f.p.joinVal(x, f.source(r.Kind, instr.(ssa.Instruction), "field "+f.p.fieldName(id), false))
		case model.Clean:
			return
		case model.Bound:
			lim := r.Limit
			if lim == 0 {
				lim = noLimit
			}
			x = x.mapped(func(e entry) entry { return e.pieced(f.level(lim), lim) })
		}
	}
	if f.p.short(id, instr.Type()) {
		x = identifier(x)
	}
	f.set(instr, x)
}

// partOfReply reports whether a value is read from somewhere inside a model's answer.
func (f *function) partOfReply(v ssa.Value) bool {
	for {
		switch x := v.(type) {
		case *ssa.UnOp:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.Index:
			v = x.X
		case *ssa.FieldAddr:
			if f.p.shapes.class(x.X.Type()).reply {
				return true
			}
			v = x.X
		case *ssa.Field:
			if f.p.shapes.class(x.X.Type()).reply {
				return true
			}
			v = x.X
		default:
			return false
		}
	}
}

// fromElsewhere reports whether a field is read from a struct that was not made in this function.
func (f *function) fromElsewhere(v ssa.Value) bool {
	for _, a := range f.addrOf(v) {
		if al, ok := a.root.(*ssa.Alloc); ok && !f.handedOn(al) {
			return false
		}
	}
	return true
}

// handedOn reports whether a variable holds only what it was given, whole.
func (f *function) handedOn(al *ssa.Alloc) bool {
	for _, d := range f.defs[al] {
		if d.path != "" {
			return false
		}
	}
	return true
}

func (f *function) phi(instr *ssa.Phi) {
	var x val
	for i, e := range instr.Edges {
		pred := instr.Block().Preds[i]
		v := f.raw(e, lastInstr(pred))
		if slack(v) {
			g, ok := f.guardFor(e, f.edgeGuards(pred, instr.Block()), instr)
			if !ok {
				g, ok = f.guardFor(e, f.guardsAt(pred), instr)
			}
			if ok {
				v = f.settle(e, v, g.bounding)
			}
		}
		x = f.p.joinVal(x, v)
	}
	f.set(instr, x)
}

func lastInstr(b *ssa.BasicBlock) ssa.Instruction { return b.Instrs[len(b.Instrs)-1] }

func (f *function) extract(instr *ssa.Extract) {
	t := f.tuples[instr.Tuple]
	if instr.Index < len(t) {
		f.set(instr, t[instr.Index])
	}
}

func (f *function) selects(instr *ssa.Select) {
	k := 2
	for _, st := range instr.States {
		if st.Dir == types.SendOnly {
			x := f.eval(st.Send, instr)
			for _, a := range f.addrOf(st.Chan) {
				f.addWeak(a, x)
			}
			continue
		}
		f.setTuple(instr, k, f.eval(st.Chan, instr))
		k++
	}
}

func (f *function) store(instr *ssa.Store) {
	if !f.p.shapes.carries(instr.Val.Type()) {
		return
	}
	x := f.eval(instr.Val, instr)
	if fa, ok := instr.Addr.(*ssa.FieldAddr); ok {
		x = f.pinned(fa, x)
	}
	if s, ok := f.p.storeSink(instr); ok {
		x = told(x, s.code)
	}
	old := f.storeVals[instr]
	if grown := f.p.joinVal(old, x); !sameVal(grown, old) {
		f.storeVals[instr] = grown
		f.changed = true
		x = grown
	}
	as := f.addrOf(instr.Addr)
	if fa, ok := instr.Addr.(*ssa.FieldAddr); ok {
		id := f.p.fieldOf(fa.X.Type(), fa.Field)
		f.publish(id, x)
		for _, r := range f.p.fieldRules[id] {
			if r.Op == model.Attach {
				f.attach(instr.Val, r.Kind, instr)
			}
		}
	}
	if len(as) == 1 && as[0].exact {
		if g, ok := as[0].root.(*ssa.Global); ok {
			f.p.storeGlobal(g, f.under(as[0].key, x))
		}
		return // reaching definitions find it
	}
	x = f.collected(x, instr)
	for _, a := range as {
		f.addWeak(a, x)
	}
}

// repeated reports whether the function is a callback, which may run any number of times for one call of what it is
// part of. A tool's own function is a call of its own each time.
func (f *function) repeated() bool {
	return f.fn.Parent() != nil && f.p.escapes[f.fn] && f.isTool == nil
}

// collected is x put with others where it is collected: a piece that is short by itself makes a whole of any size if
// this happens in a loop, or in a callback, that nothing ends early.
func (f *function) collected(x val, at ssa.Instruction) val {
	has := false
	for _, e := range x.all() {
		if e.piece && e.lvl == Bounded || e.id>>fieldBits > 0 && !e.loops && !e.whole {
			has = true
		}
	}
	if !has {
		return x
	}
	if f.counted(at.Block()) {
		return whole(x)
	}
	if !f.repeated() && !f.reachable(at.Block(), at.Block()) {
		return x
	}
	return x.mapped(func(e entry) entry { return e.collected() })
}

func told(x val, code string) val {
	return x.mapped(func(e entry) entry {
		if code == codeHistory || code == codePrompt {
			e.toldH = true
		}
		e.toldT = true
		return e
	})
}
