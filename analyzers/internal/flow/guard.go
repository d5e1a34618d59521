package flow

import (
	"fmt"
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// A guard is what a branch tells about the values that its condition measured: they are at most limit long.
type guard struct {
	values  []ssa.Value // texts and lists whose length was compared
	ints    []ssa.Value // numbers that were compared
	size    bool        // the size of a file was compared
	subject ssa.Value   // which file, if that can be seen
	count   bool        // a loop counter was compared
	bounding
}

// A bounding number, as far as the analysis knows it.
type bounding struct {
	limit int64
	by    int16   // parameter that holds it, or -1
	field fieldID // of some struct that holds it, or 0
}

// noBound is the bounding number of which nothing is known.
var noBound = bounding{limit: noLimit, by: -1}

// join is the larger of two limits, as far as they are known.
func (b bounding) join(o bounding) bounding {
	b.limit = joinLimit(b.limit, o.limit)
	if b.by != o.by {
		b.by = -1
	}
	if b.field != o.field {
		b.field = 0
	}
	return b
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
			out = append(f.condition(br.Cond, from.Succs[0] == to), f.ranDry(br, from.Succs[0] == to)...)
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
	} else {
		out = append(out, f.meet(b)...)
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
		case token.NEQ:
			return f.notYet(c)
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
		if ld, ok := strip(x).(*ssa.UnOp); ok {
			if fa, ok := ld.X.(*ssa.FieldAddr); ok {
				if id := f.limitField(x); f.p.alwaysSet(id, fa) {
					g := f.comparedWith(func(limit ssa.Value) bool { return f.limitField(limit) == id })
					return []guard{{bounding: bounding{limit: noLimit, by: -1, field: id}, values: g.values}}
				}
			}
		}
	}
	b, ok := f.boundedInt(y)
	if !ok {
		return nil
	}
	g := guard{bounding: b, ints: []ssa.Value{x}}
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
	g := f.comparedWith(func(limit ssa.Value) bool { return f.paramOf(limit) == prm })
	if len(g.values) == 0 {
		return nil
	}
	g.bounding = bounding{limit: noLimit, by: int16(f.paramIndex(prm))}
	return []guard{g}
}

// comparedWith is what the function compares with a limit anywhere.
func (f *function) comparedWith(limit func(ssa.Value) bool) guard {
	var g guard
	for _, b := range f.fn.Blocks {
		br, ok := lastIf(b)
		if !ok {
			continue
		}
		if c, ok := br.Cond.(*ssa.BinOp); ok {
			if limit(c.Y) {
				f.measure(c.X, &g)
			}
			if limit(c.X) {
				f.measure(c.Y, &g)
			}
		}
	}
	return g
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
			if size {
				g.size = true
				if _, recv, _ := calleeName(&n.Call); recv != nil {
					g.subject = measuredFile(recv)
				}
			}
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
func (f *function) edgeBounds(a addr, from, to *ssa.BasicBlock) (bounding, bool) {
	for _, g := range f.edgeGuards(from, to) {
		for _, n := range g.ints {
			ld, ok := strip(n).(*ssa.UnOp)
			if !ok || ld.Op != token.MUL {
				continue
			}
			if as := f.addrOf(ld.X); len(as) == 1 && as[0].root == a.root && as[0].path == a.path {
				return g.bounding, true
			}
		}
		for _, m := range g.values {
			place := strip(m) // a buffer, or the text in a variable
			if ld, ok := place.(*ssa.UnOp); ok && ld.Op == token.MUL && !isWriter(ld.Type()) {
				place = ld.X
			} else if !isWriter(place.Type()) {
				continue
			}
			if as := f.addrOf(place); len(as) == 1 && as[0].root == a.root && as[0].path == a.path {
				return g.bounding, true
			}
		}
	}
	return noBound, false
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
