package flow

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A guard is what a branch tells about the values that its condition measured: they are at most limit long.
type guard struct {
	values []ssa.Value // texts and lists whose length was compared
	ints   []ssa.Value // numbers that were compared
	size   bool        // the size of a file was compared
	count  bool        // a loop counter was compared
	limit  int64
	by     int16
}

// A bounding number, as far as the analysis knows it.
type bounding struct {
	limit int64
	by    int16 // parameter that holds it, or -1
}

func (f *function) level(limit int64) Level {
	if limit > f.p.cfg.Loose {
		return Loose
	}
	return Bounded
}

// edgeGuards are the guards that hold because control went from block from to block to.
func (f *function) edgeGuards(from, to *ssa.BasicBlock) []guard {
	k := [2]*ssa.BasicBlock{from, to}
	if g, ok := f.edge[k]; ok {
		return g
	}
	f.edge[k] = nil // conditions that depend on themselves prove nothing
	var out []guard
	if len(from.Instrs) > 0 {
		if br, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If); ok && from.Succs[0] != from.Succs[1] {
			out = f.condition(br.Cond, from.Succs[0] == to)
		}
	}
	f.edge[k] = out
	return out
}

// guardsAt are the guards that hold throughout a block.
func (f *function) guardsAt(b *ssa.BasicBlock) []guard {
	if g, ok := f.guards[b]; ok {
		return g
	}
	f.guards[b] = nil
	var out []guard
	if len(b.Preds) == 1 {
		out = append(out, f.edgeGuards(b.Preds[0], b)...)
	}
	if d := b.Idom(); d != nil {
		out = append(out, f.guardsAt(d)...)
	}
	f.guards[b] = out
	return out
}

// condition lists the guards that hold when cond came out as outcome.
func (f *function) condition(cond ssa.Value, outcome bool) []guard {
	switch c := cond.(type) {
	case *ssa.UnOp:
		if c.Op == token.NOT {
			return f.condition(c.X, !outcome)
		}
	case *ssa.BinOp:
		op := c.Op
		if !outcome {
			op = negate(op)
		}
		switch op {
		case token.LSS, token.LEQ:
			return f.atMost(c.X, c.Y)
		case token.GTR, token.GEQ:
			return f.atMost(c.Y, c.X)
		case token.EQL:
			return append(f.atMost(c.X, c.Y), f.atMost(c.Y, c.X)...)
		}
	}
	return nil
}

func negate(op token.Token) token.Token {
	switch op {
	case token.LSS:
		return token.GEQ
	case token.LEQ:
		return token.GTR
	case token.GTR:
		return token.LEQ
	case token.GEQ:
		return token.LSS
	case token.EQL:
		return token.NEQ
	case token.NEQ:
		return token.EQL
	}
	return token.ILLEGAL
}

// atMost is the guard that x <= y gives.
func (f *function) atMost(x, y ssa.Value) []guard {
	// "limit <= 0" in a helper that takes its limit as a parameter is the caller switching the bound off; the call
	// with a constant shows whether it did.
	if c, ok := y.(*ssa.Const); ok && isInt(x.Type()) && c.Value != nil && constant.Sign(c.Value) <= 0 {
		if prm := f.paramOf(x); prm != nil {
			return f.switchedOff(prm)
		}
	}
	b, ok := f.boundedInt(y)
	if !ok {
		return nil
	}
	g := guard{limit: b.limit, by: b.by, ints: []ssa.Value{x}}
	f.measure(x, &g)
	if isCounter(x) {
		g.count = true
	}
	return []guard{g}
}

// paramOf is the parameter that a number is, also where closures share it; nil if it is none.
func (f *function) paramOf(v ssa.Value) *ssa.Parameter {
	switch v := strip(v).(type) {
	case *ssa.Parameter:
		return v
	case *ssa.UnOp:
		if al, ok := v.X.(*ssa.Alloc); ok && v.Op == token.MUL {
			if ds := f.defs[al]; len(ds) == 1 && !ds[0].call && len(f.weak[al]) == 0 {
				prm, _ := ds[0].instr.(*ssa.Store).Val.(*ssa.Parameter)
				return prm
			}
		}
	}
	return nil
}

// switchedOff are the values that the function compares with the limit in prm anywhere.
func (f *function) switchedOff(prm *ssa.Parameter) []guard {
	g := guard{limit: noLimit, by: int16(f.paramIndex(prm))}
	for _, b := range f.fn.Blocks {
		br, ok := lastIf(b)
		if !ok {
			continue
		}
		if c, ok := br.Cond.(*ssa.BinOp); ok {
			if f.paramOf(c.Y) == prm {
				f.measure(c.X, &g)
			}
			if f.paramOf(c.X) == prm {
				f.measure(c.Y, &g)
			}
		}
	}
	if len(g.values) == 0 {
		return nil
	}
	return []guard{g}
}

func lastIf(b *ssa.BasicBlock) (*ssa.If, bool) {
	if len(b.Instrs) == 0 {
		return nil, false
	}
	br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	return br, ok
}

// measure adds to g what the number n measures.
func (f *function) measure(n ssa.Value, g *guard) {
	switch n := n.(type) {
	case *ssa.Call:
		if v, size, ok := f.measured(n); ok {
			if v != nil {
				g.values = append(g.values, v)
			}
			g.size = g.size || size
		}
	case *ssa.Convert:
		f.measure(n.X, g)
	case *ssa.ChangeType:
		f.measure(n.X, g)
	case *ssa.BinOp:
		switch n.Op {
		case token.ADD:
			f.measure(n.X, g)
			f.measure(n.Y, g)
		case token.SUB, token.MUL, token.QUO:
			f.measure(n.X, g)
		}
	case *ssa.UnOp:
		// A length kept in a variable that a closure shares.
		if n.Op == token.MUL {
			if as := f.addrOf(n.X); len(as) == 1 && as[0].exact {
				if ds := f.defs[as[0].root]; len(ds) == 1 && ds[0].path == as[0].path && !ds[0].call {
					if v := ds[0].instr.(*ssa.Store).Val; !f.intBusy[v] {
						f.intBusy[v] = true
						f.measure(v, g)
						delete(f.intBusy, v)
					}
				}
			}
		}
	}
}

var measuring = lazy(`(?i)(len|length|width|tokens?|size|count|runecount|runecountinstring)$|^(count|estimate|measure)`)

// measured tells what a call measures: len(x), utf8.RuneCountInString(x), ansi.StringWidth(x), buf.Len(), info.Size().
func (f *function) measured(call *ssa.Call) (v ssa.Value, size, ok bool) {
	common := &call.Call
	if b, isBuiltin := common.Value.(*ssa.Builtin); isBuiltin {
		if b.Name() == "len" {
			return common.Args[0], false, true
		}
		return nil, false, false
	}
	name, recv, args := calleeName(common)
	if !isInt(call.Type()) {
		return nil, false, false
	}
	if recv != nil {
		switch name {
		case "Size":
			return nil, true, true
		case "Len":
			return recv, false, true
		}
	}
	if measuring.MatchString(name) {
		for _, a := range args {
			if isText(a.Type()) {
				return a, false, true
			}
		}
	}
	return nil, false, false
}

// calleeName gives the name of what is called, the receiver if it is a method, and the other arguments.
func calleeName(c *ssa.CallCommon) (name string, recv ssa.Value, args []ssa.Value) {
	if c.IsInvoke() {
		return c.Method.Name(), c.Value, c.Args
	}
	if fn := c.StaticCallee(); fn != nil {
		name = fn.Name()
		if o := fn.Object(); o != nil {
			name = o.Name()
		}
		if fn.Signature.Recv() != nil && len(c.Args) > 0 {
			return name, c.Args[0], c.Args[1:]
		}
	}
	return name, nil, c.Args
}

// isCounter reports whether a number grows by a step in a loop or is a variable that closures count in.
func isCounter(v ssa.Value) bool {
	switch v := strip(v).(type) {
	case *ssa.Phi:
		for _, e := range v.Edges {
			if b, ok := e.(*ssa.BinOp); ok && b.Op == token.ADD && (b.X == v || b.Y == v) {
				return true
			}
		}
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return false
		}
		switch v.X.(type) {
		case *ssa.FreeVar, *ssa.Alloc:
			for _, ref := range *v.Referrers() {
				if b, ok := ref.(*ssa.BinOp); ok && b.Op == token.ADD {
					return true
				}
			}
			// count++ and the comparison load the variable separately.
			for _, ref := range *v.X.Referrers() {
				if st, ok := ref.(*ssa.Store); ok {
					if b, ok := st.Val.(*ssa.BinOp); ok && b.Op == token.ADD {
						return true
					}
				}
			}
		}
	case *ssa.BinOp:
		return v.Op == token.ADD && (isCounter(v.X) || isCounter(v.Y))
	}
	return false
}

// guardFor finds a guard among gs that speaks of v.
func (f *function) guardFor(v ssa.Value, gs []guard, at ssa.Instruction) (guard, bool) {
	for _, g := range gs {
		for _, m := range g.values {
			if f.same(m, v) {
				return g, true
			}
		}
	}
	return guard{}, false
}

// edgeBounds reports whether the branch from one block to another tells that the place a is short.
func (f *function) edgeBounds(a addr, from, to *ssa.BasicBlock) (int64, bool) {
	for _, g := range f.edgeGuards(from, to) {
		for _, m := range g.values {
			place := strip(m) // a buffer, or the text in a variable
			if ld, ok := place.(*ssa.UnOp); ok && ld.Op == token.MUL && !isWriter(ld.Type()) {
				place = ld.X
			} else if !isWriter(place.Type()) {
				continue
			}
			if as := f.addrOf(place); len(as) == 1 && as[0].root == a.root && as[0].path == a.path {
				return g.limit, true
			}
		}
	}
	return 0, false
}

// strip looks through conversions that keep the size within a small factor.
func strip(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.Convert:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		default:
			return v
		}
	}
}

// same reports whether two SSA values are the same text or list: one value, or two loads of one place between which
// nothing is stored there.
func (f *function) same(a, b ssa.Value) bool {
	a, b = strip(a), strip(b)
	if a == b {
		return true
	}
	ka, kb := f.shapeKey(a, 0), f.shapeKey(b, 0)
	if ka == "" || ka != kb {
		return false
	}
	la, ok1 := a.(*ssa.UnOp)
	lb, ok2 := b.(*ssa.UnOp)
	if !ok1 || !ok2 {
		return ok1 == ok2
	}
	as := f.addrOf(la.X)
	if len(as) != 1 {
		return false
	}
	if !as[0].exact || len(f.defs[as[0].root]) == 0 {
		return true
	}
	ra, rb := f.reachingDefs(as[0], la), f.reachingDefs(as[0], lb)
	if len(ra) != len(rb) {
		return false
	}
	for _, x := range ra {
		found := false
		for _, y := range rb {
			found = found || x.instr == y.instr
		}
		if !found {
			return false
		}
	}
	return true
}

// shapeKey writes a value as an expression over values that are surely one and the same; "" if it is none.
func (f *function) shapeKey(v ssa.Value, depth int) string {
	if depth > 8 {
		return fmt.Sprintf("%p", v)
	}
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return f.shapeKey(v.X, depth+1) + fmt.Sprintf(".%d", v.Field)
	case *ssa.Field:
		return f.shapeKey(v.X, depth+1) + fmt.Sprintf(".%d", v.Field)
	case *ssa.IndexAddr:
		return f.shapeKey(v.X, depth+1) + "[" + f.shapeKey(v.Index, depth+1) + "]"
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return "*" + f.shapeKey(v.X, depth+1)
		}
	case *ssa.Const:
		return v.String()
	case *ssa.Call:
		// fmt.Stringer-like reads without arguments: b.String() measured and b.String() used.
		if name, recv, args := calleeName(&v.Call); recv != nil && len(args) == 0 && (name == "String" || name == "Bytes") {
			return f.shapeKey(recv, depth+1) + "." + name + "()"
		}
	}
	return fmt.Sprintf("%p", v)
}

// boundedInt reports whether a number cannot grow with the output: constants, parameters, configuration, and what is
// computed from them.
func (f *function) boundedInt(v ssa.Value) (bounding, bool) {
	none := bounding{noLimit, -1}
	if f.intBusy[v] {
		return none, false
	}
	f.intBusy[v] = true
	defer delete(f.intBusy, v)
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value != nil && v.Value.Kind() == constant.Int {
			if n, ok := constant.Int64Val(v.Value); ok {
				return bounding{n, -1}, true
			}
		}
		return none, true
	case *ssa.Parameter:
		return bounding{noLimit, int16(f.paramIndex(v))}, isInt(v.Type())
	case *ssa.Convert:
		return f.boundedInt(v.X)
	case *ssa.ChangeType:
		return f.boundedInt(v.X)
	case *ssa.BinOp:
		x, xok := f.boundedInt(v.X)
		y, yok := f.boundedInt(v.Y)
		switch v.Op {
		case token.SUB, token.QUO, token.SHR:
			if !xok {
				// A cycle that only counts down stays below where it began.
				if phi, ok := v.X.(*ssa.Phi); ok && f.intBusy[phi] {
					return none, true
				}
			}
			if xok && x.by < 0 && yok && y.by < 0 {
				return bounding{fold(v.Op, x.limit, y.limit), -1}, true
			}
			return bounding{x.limit, x.by}, xok
		case token.ADD, token.MUL, token.SHL:
			if !xok || !yok {
				return none, false
			}
			b := bounding{fold(v.Op, x.limit, y.limit), -1}
			if x.by >= 0 {
				b.by = x.by
			} else {
				b.by = y.by
			}
			return b, true
		case token.REM, token.AND:
			return none, yok || v.Op == token.AND && xok
		}
		return none, false
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return none, false
		}
		as := f.addrOf(v.X)
		if len(as) != 1 {
			return none, false
		}
		switch as[0].root.(type) {
		case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap:
			return f.boundedPlace(as[0])
		}
		return none, true // configuration: a field or a package variable
	case *ssa.Field:
		return none, true
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return f.boundedResult(call, v.Index)
		}
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok {
			return f.boundedBuiltin(b.Name(), v.Call.Args)
		}
		return f.boundedResult(v, 0)
	case *ssa.Phi:
		out := bounding{0, -1}
		for i, e := range v.Edges {
			b, ok := f.boundedInt(e)
			if !ok {
				if b, ok = f.intGuard(e, v.Block().Preds[i], v.Block()); !ok {
					if bin, isBin := e.(*ssa.BinOp); isBin && bin.Op == token.SUB && bin.X == v {
						continue
					}
					return none, false
				}
			}
			out.limit = joinLimit(out.limit, b.limit)
			if b.by >= 0 {
				out.by = b.by
			}
		}
		return out, true
	}
	return none, false
}

func fold(op token.Token, x, y int64) int64 {
	if x == noLimit || y == noLimit {
		return noLimit
	}
	switch op {
	case token.ADD:
		return x + y
	case token.SUB:
		return x - y
	case token.MUL:
		return x * y
	case token.QUO:
		if y != 0 {
			return x / y
		}
	case token.SHL:
		if y >= 0 && y < 40 && x < 1<<22 {
			return x << y
		}
	case token.SHR:
		if y >= 0 && y < 63 {
			return x >> y
		}
	}
	return noLimit
}

// boundedIntAt is boundedInt with the guards that hold at an instruction.
func (f *function) boundedIntAt(v ssa.Value, b *ssa.BasicBlock) (bounding, bool) {
	if r, ok := f.boundedInt(v); ok {
		return r, true
	}
	return f.intGuardIn(v, f.guardsAt(b))
}

func (f *function) intGuard(v ssa.Value, pred, b *ssa.BasicBlock) (bounding, bool) {
	if r, ok := f.intGuardIn(v, f.edgeGuards(pred, b)); ok {
		return r, true
	}
	return f.intGuardIn(v, f.guardsAt(pred))
}

func (f *function) intGuardIn(v ssa.Value, gs []guard) (bounding, bool) {
	for _, g := range gs {
		for _, n := range g.ints {
			if strip(n) == strip(v) || f.sameLen(n, v) {
				return bounding{g.limit, g.by}, true
			}
		}
	}
	return bounding{noLimit, -1}, false
}

// sameLen reports whether two numbers are the lengths of one value.
func (f *function) sameLen(a, b ssa.Value) bool {
	ca, ok1 := strip(a).(*ssa.Call)
	cb, ok2 := strip(b).(*ssa.Call)
	if !ok1 || !ok2 {
		return false
	}
	va, _, ok1 := f.measured(ca)
	vb, _, ok2 := f.measured(cb)
	return ok1 && ok2 && va != nil && vb != nil && f.same(va, vb)
}

// boundedPlace asks whether every number stored in a local variable is bounded.
func (f *function) boundedPlace(a addr) (bounding, bool) {
	out := bounding{0, -1}
	found := false
	for _, d := range f.defs[a.root] {
		if d.path != a.path {
			if d.path == "" {
				return bounding{noLimit, -1}, true // a struct from elsewhere: configuration
			}
			continue
		}
		st, ok := d.instr.(*ssa.Store)
		if !ok {
			return bounding{noLimit, -1}, false
		}
		b, ok := f.boundedIntAt(st.Val, st.Block())
		if !ok {
			return b, false
		}
		found = true
		out.limit = joinLimit(out.limit, b.limit)
		if b.by >= 0 {
			out.by = b.by
		}
	}
	if !found {
		return bounding{noLimit, -1}, true
	}
	return out, true
}

func (f *function) boundedBuiltin(name string, args []ssa.Value) (bounding, bool) {
	out := bounding{noLimit, -1}
	switch name {
	case "min":
		found := false
		for _, a := range args {
			if b, ok := f.boundedInt(a); ok {
				if !found || out.limit == noLimit || b.limit != noLimit && b.limit < out.limit {
					out = b
				}
				found = true
			}
		}
		return out, found
	case "max":
		out.limit = 0
		for _, a := range args {
			b, ok := f.boundedInt(a)
			if !ok {
				return b, false
			}
			out.limit = joinLimit(out.limit, b.limit)
			if b.by >= 0 {
				out.by = b.by
			}
		}
		return out, true
	case "len", "cap":
		return out, f.shortText(args[0])
	}
	return out, false
}

// shortText reports whether a text is short by how it is made.
func (f *function) shortText(v ssa.Value) bool {
	switch v := strip(v).(type) {
	case *ssa.Const:
		return true
	case *ssa.Slice:
		if v.High != nil && !f.intBusy[v] {
			f.intBusy[v] = true
			defer delete(f.intBusy, v)
			_, ok := f.boundedIntAt(v.High, v.Block())
			return ok
		}
	case *ssa.Alloc:
		_, isArray := deref(v.Type()).Underlying().(*types.Array)
		return isArray
	}
	return false
}

// boundedResult asks whether a call gives a bounded number: an index into a short text, or a function of this package
// all of whose returns are bounded.
func (f *function) boundedResult(call *ssa.Call, i int) (bounding, bool) {
	none := bounding{noLimit, -1}
	callee := origin0(call.Call.StaticCallee())
	if callee == nil {
		return none, false
	}
	if g := f.p.funcs[callee]; g != nil {
		if g == f || g.defs == nil {
			return none, false
		}
		out := bounding{0, -1}
		for _, b := range callee.Blocks {
			ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
			if !ok || i >= len(ret.Results) {
				continue
			}
			r, ok := g.boundedIntAt(ret.Results[i], b)
			if !ok {
				return none, false
			}
			if r.by >= 0 && int(r.by) < len(call.Call.Args) {
				if r, ok = f.boundedInt(call.Call.Args[r.by]); !ok {
					return none, false
				}
				out.by = r.by
			}
			out.limit = joinLimit(out.limit, r.limit)
		}
		return out, true
	}
	if callee.Pkg == nil {
		return none, false
	}
	switch p := callee.Pkg.Pkg.Path(); {
	case (p == "strings" || p == "bytes") && (strings.HasPrefix(callee.Name(), "Index") || strings.HasPrefix(callee.Name(), "LastIndex")):
		return none, f.shortText(call.Call.Args[0])
	case p == "unicode/utf8":
		return none, true
	}
	return none, false
}

func isInt(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}
