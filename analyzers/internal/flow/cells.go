package flow

import (
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/boundcheck/boundcheck/analyzers/internal/model"
)

// A path is a chain of fields from a root, interned: two exact addresses with one root and one path are the same place.
type path string

// An addr is a place in memory: a root value and the innermost field on the way from it. Deeper structure is flattened:
// x.A.B is the field B of x.
type addr struct {
	root  ssa.Value
	key   fieldID
	path  path
	exact bool // not an element of a slice, map or channel, and not one of several roots
}

// A stored is what inexact stores have put into one field of a root.
type stored struct {
	key  fieldID
	val  val
	at   ssa.Instruction // when, if that is known: what is replaced later is gone then
	root ssa.Value       // of which argument, for what a call puts there
}

// A def is an instruction that replaces what a place holds: a store, or a call of a function that overwrites a field
// of its argument on every path.
type def struct {
	instr ssa.Instruction
	path  path
	key   fieldID
	call  bool
	root  ssa.Value
	n     int // the number of the instruction in its block
}

// addrOf lists the places that a pointer, slice, map, channel or interface value may lead to.
func (f *function) addrOf(v ssa.Value) []addr {
	if as, ok := f.addrs[v]; ok {
		return as
	}
	if f.addrsIn[v] { // a cycle of phis adds nothing of its own
		return nil
	}
	f.addrsIn[v] = true
	as := f.addrOf1(v)
	delete(f.addrsIn, v)
	f.addrs[v] = as
	return as
}

func (f *function) addrOf1(v ssa.Value) []addr {
	inexact := func(as []addr) []addr {
		out := make([]addr, len(as))
		for i, a := range as {
			a.exact = false
			out[i] = a
		}
		return out
	}
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return f.step(f.addrOf(v.X), v.X.Type(), v.Field)
	case *ssa.Field:
		return f.step(f.addrOf(v.X), v.X.Type(), v.Field)
	case *ssa.IndexAddr:
		return inexact(f.addrOf(v.X))
	case *ssa.Index:
		return inexact(f.addrOf(v.X))
	case *ssa.Lookup:
		return inexact(f.addrOf(v.X))
	case *ssa.Slice:
		return inexact(f.addrOf(v.X))
	case *ssa.UnOp:
		if v.Op == token.MUL || v.Op == token.ARROW {
			as := f.addrOf(v.X)
			if v.Op == token.ARROW {
				return inexact(as)
			}
			return as
		}
	case *ssa.Extract:
		switch t := v.Tuple.(type) {
		case *ssa.Next:
			if r, ok := t.Iter.(*ssa.Range); ok {
				return inexact(f.addrOf(r.X))
			}
		case *ssa.TypeAssert:
			if v.Index == 0 {
				return f.addrOf(t.X)
			}
		case *ssa.Lookup:
			if v.Index == 0 {
				return inexact(f.addrOf(t.X))
			}
		case *ssa.UnOp:
			if v.Index == 0 {
				return inexact(f.addrOf(t.X))
			}
		}
		return []addr{{root: v, exact: true}}
	case *ssa.Phi:
		var out []addr
		seen := map[addr]bool{}
		for _, e := range v.Edges {
			for _, a := range inexact(f.addrOf(e)) {
				if !seen[a] {
					seen[a] = true
					out = append(out, a)
				}
			}
		}
		return out
	case *ssa.MakeInterface:
		return f.addrOf(v.X)
	case *ssa.ChangeInterface:
		return f.addrOf(v.X)
	case *ssa.ChangeType:
		return f.addrOf(v.X)
	case *ssa.Convert:
		if !isText(v.X.Type()) && !isText(v.Type()) {
			return f.addrOf(v.X)
		}
		return nil
	case *ssa.TypeAssert:
		return f.addrOf(v.X)
	case *ssa.SliceToArrayPointer:
		return f.addrOf(v.X)
	case *ssa.Const, *ssa.Function, *ssa.Builtin, *ssa.MakeClosure, *ssa.BinOp:
		return nil
	case *ssa.Call:
		if as, ok := f.handsOn(v); ok {
			return as
		}
		return []addr{{root: v, exact: true}}
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan, *ssa.Parameter, *ssa.FreeVar, *ssa.Global:
		return []addr{{root: v, exact: true}}
	}
	return []addr{{root: v, exact: true}}
}

// handsOn follows writers and slices through the calls that hand them on: a write to io.MultiWriter(a, b) is a write
// to a and to b.
func (f *function) handsOn(call *ssa.Call) ([]addr, bool) {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		if b.Name() == "append" {
			var out []addr
			for _, a := range f.addrOf(call.Call.Args[0]) {
				a.exact = false
				out = append(out, a)
			}
			return append(out, addr{root: call, exact: true}), true
		}
		return nil, false
	}
	obj := calleeObject(&call.Call)
	if obj == nil {
		return nil, false
	}
	var out []addr
	for _, r := range f.p.rulesFor(obj) {
		if r.Op != model.Flow || len(r.In) != 1 || !r.In[0].Result {
			continue
		}
		for _, pl := range r.Out {
			for _, arg := range argAt(&call.Call, obj.Signature(), pl) {
				for _, part := range elements(arg) {
					for _, a := range f.addrOf(part) {
						a.exact = false
						out = append(out, a)
					}
				}
			}
		}
	}
	return out, len(out) > 0
}

// args are the arguments of a call with a variadic tail spread out where it is built on the spot.
func (f *function) args(call *ssa.CallCommon) []ssa.Value {
	args := call.Args
	if n := len(args); n > 0 && call.Signature().Variadic() {
		if elems := variadic(args[n-1]); elems != nil {
			return append(args[:n-1:n-1], elems...)
		}
	}
	return args
}

// variadic returns the elements of a slice that go/ssa made for a variadic call, or nil if the slice is of another kind.
func variadic(v ssa.Value) []ssa.Value {
	sl, ok := v.(*ssa.Slice)
	if !ok {
		return nil
	}
	alloc, ok := sl.X.(*ssa.Alloc)
	if !ok || alloc.Comment != "varargs" {
		return nil
	}
	var out []ssa.Value
	for _, ref := range *alloc.Referrers() {
		ia, ok := ref.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, r := range *ia.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == ia {
				out = append(out, st.Val)
			}
		}
	}
	return out
}

func (f *function) step(as []addr, t types.Type, field int) []addr {
	id := f.p.fieldOf(t, field)
	out := make([]addr, len(as))
	for i, a := range as {
		a.path = a.path.add(id)
		a.key = id
		out[i] = a
	}
	return out
}

// index finds the exact stores of the body.
func (f *function) index() {
	f.defs = map[ssa.Value][]def{}
	f.keys = map[ssa.Value][]path{}
	add := func(root ssa.Value, d def) {
		f.defs[root] = append(f.defs[root], d)
		for _, k := range f.keys[root] {
			if k == d.path {
				return
			}
		}
		f.keys[root] = append(f.keys[root], d.path)
	}
	for _, b := range f.fn.Blocks {
		for n, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Store:
				if as := f.addrOf(instr.Addr); len(as) == 1 && as[0].exact {
					add(as[0].root, def{instr: instr, path: as[0].path, key: as[0].key, n: n})
				}
			case ssa.CallInstruction:
				for _, o := range f.overwrites(instr) {
					add(o.root, def{instr: instr, path: o.path, key: o.key, call: true, root: o.root, n: n})
				}
			}
		}
	}
}

// overwrites lists the fields of arguments that a call replaces on every path, as its summary says.
func (f *function) overwrites(call ssa.CallInstruction) []addr {
	if _, ok := call.(*ssa.Call); !ok {
		return nil
	}
	callee := origin0(call.Common().StaticCallee())
	if callee == nil {
		return nil
	}
	if a, ok := f.shortens(call); ok {
		return []addr{a}
	}
	var sum *Summary
	if g := f.p.funcs[callee]; g != nil {
		if g.scc == f.scc {
			return nil
		}
		sum = g.summary
	} else if sum = f.p.imported(callee); sum == nil {
		return nil
	}
	var out []addr
	for _, o := range sum.Outs {
		if !o.strong || int(o.param) >= len(call.Common().Args) {
			continue
		}
		if o.key == 0 {
			if as := f.addrOf(call.Common().Args[o.param]); len(as) == 1 && as[0].exact {
				out = append(out, as[0])
			}
			continue
		}
		as := f.addrOf(call.Common().Args[o.param])
		if len(as) == 1 && as[0].exact {
			a := as[0]
			a.path = a.path.add(o.key)
			a.key = o.key
			out = append(out, a)
		}
	}
	return out
}

// load is what a place holds when instr runs.
func (f *function) load(a addr, at ssa.Instruction) val {
	base := f.initial(a.root)
	if ex, ok := a.root.(*ssa.Extract); ok && failedAt(ex, at) {
		base = f.failed(ex)
	}
	var out val
	if len(f.defs[a.root]) == 0 || !a.exact {
		out = f.p.field(base, a.key)
		if !a.exact {
			// An element may be any of those ever stored.
			for _, d := range f.defs[a.root] {
				out = f.p.joinVal(out, f.defVal(d, a.key))
			}
		}
	} else {
		out = f.loadExact(a, at, base)
	}
	for _, s := range f.weak[a.root] {
		c, w := s.key, s.val
		if a.exact && s.at != nil {
			var ok bool
			if w, ok = f.survives(a, s, at); !ok {
				continue
			}
		}
		switch {
		case c == a.key:
			out = f.p.joinVal(out, w)
		case a.key == 0:
			out = f.p.joinVal(out, f.overlay(out, c, w))
		case c == 0:
			out = f.p.joinVal(out, f.p.field(w, a.key))
		}
	}
	return out
}

// overlay is w seen as the field c of a value that is otherwise base.
func (f *function) overlay(base val, c fieldID, w val) val {
	cur := f.p.field(val{self: base.self, fields: base.fields}, c)
	return f.under(c, f.p.joinVal(val{self: cur.self}, w))
}

func (f *function) loadExact(a addr, at ssa.Instruction, base val) val {
	out := f.collectDefs(a, at, base)
	if a.path != "" {
		return out
	}
	owned := false
	// The whole of a struct: every field that is stored to on its own has its own reaching definitions.
	for _, k := range f.keys[a.root] {
		if k == "" {
			continue
		}
		key := k.last()
		m := f.collectDefs(addr{root: a.root, key: key, path: k, exact: true}, at, base)
		if k.nested() {
			prev, _ := out.override(key)
			m.self = join(prev, m.self)
		}
		if !owned {
			out, owned = out.owned(len(f.keys[a.root])), true
		}
		out.replace(key, m)
	}
	return out
}

func (p path) add(id fieldID) path { return path(strconv.Itoa(int(id))) + "." + p }

func (p path) last() fieldID {
	head, _, _ := strings.Cut(string(p), ".")
	id, _ := strconv.Atoi(head)
	return fieldID(id)
}

func (p path) nested() bool { return strings.Count(string(p), ".") > 1 }

// defVal is what a definition puts into the field key of its place.
func (f *function) defVal(d def, key fieldID) val {
	if d.call {
		for _, s := range f.callOuts[d.instr] {
			if s.key == key && s.root == d.root {
				return s.val
			}
		}
		return val{}
	}
	x := f.storeVals[d.instr.(*ssa.Store)]
	switch {
	case d.key == key:
		return x
	case d.key == 0:
		return f.p.field(x, key)
	case key == 0:
		return f.under(d.key, x)
	}
	return val{}
}

// initial is what a root holds before the body touches it.
func (f *function) initial(root ssa.Value) val {
	switch root := root.(type) {
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan:
		return val{}
	case *ssa.Global:
		return f.p.globalVal(root)
	}
	return f.vals[root]
}
