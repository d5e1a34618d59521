package flow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/boundcheck/boundcheck/analyzers/internal/model"
)

// modelled applies the rules about a callee and reports whether they say all that there is to say.
func (f *function) modelled(rules []model.Rule, common *ssa.CallCommon, obj *types.Func, at ssa.CallInstruction, value ssa.Value) bool {
	if len(rules) == 0 {
		return false
	}
	sig := obj.Signature()
	handled := false
	what := shortName(obj)
	results := func(pl model.Place) []int {
		var is []int
		for i := range sig.Results().Len() {
			switch {
			case pl.Name != "" && strings.EqualFold(sig.Results().At(i).Name(), pl.Name),
				pl.Name == "" && (pl.Index == i || pl.Index < 0):
				is = append(is, i)
			}
		}
		return is
	}
	put := func(out []model.Place, make func(t types.Type) val) {
		if len(out) == 0 {
			out = []model.Place{{Result: true, Index: -1}}
		}
		for _, pl := range out {
			if pl.Result {
				for _, i := range results(pl) {
					t := sig.Results().At(i).Type()
					if pl.Index < 0 && pl.Name == "" && isError(t) {
						continue
					}
					x := make(t)
					if pl.Field != "" {
						x = f.inField(t, pl.Field, x)
					}
					f.setResult(value, common.Signature(), i, x)
				}
				continue
			}
			for _, arg := range argAt(common, sig, pl) {
				f.fill(arg, make(arg.Type()), at)
			}
		}
	}
	var bounded bool
	for _, r := range rules {
		if r.Op == model.Clean {
			if len(r.Out) == 0 {
				return true
			}
			handled = true
		}
		bounded = bounded || r.Op == model.Bound
	}
	for _, r := range rules {
		switch r.Op {
		case model.Source:
			handled = true
			if builtIn(common.Args) || f.smallOutput(r, common) {
				continue
			}
			put(r.Out, func(types.Type) val {
				x := f.source(r.Kind, at, what, false)
				if bounded {
					for _, b := range rules {
						if b.Op == model.Bound {
							x = f.cut(x, b, common, sig, at)
						}
					}
				}
				return x
			})
		case model.Flow:
			if len(r.In) == 1 && r.In[0].Result {
				continue // what is written to the result: see handsOn
			}
			handled = true
			x := f.gated(f.ins(r.In, common, sig, at), common.Args, at)
			if x.empty() {
				continue
			}
			recv, args := receiver(common)
			if labelCall(obj.Name(), recv, args) {
				x = f.label(x)
			}
			put(r.Out, func(t types.Type) val {
				if isError(t) {
					return f.errorText(x, args, at)
				}
				return f.collected(x, at)
			})
		case model.Bound:
			handled = true
			hasSource := false
			for _, s := range rules {
				hasSource = hasSource || s.Op == model.Source
			}
			if hasSource {
				continue
			}
			in := r.In
			if len(in) == 0 {
				in = []model.Place{{Recv: true}, {Index: -1}}
			}
			x := f.ins(in, common, sig, at)
			if x.empty() {
				continue
			}
			put(r.Out, func(types.Type) val { return f.cut(x, r, common, sig, at) })
		case model.Attach:
			for _, pl := range r.In {
				for _, arg := range argAt(common, sig, pl) {
					f.attach(arg, r.Kind, at)
				}
			}
		case model.Sink:
			handled = true
			x := f.ins(r.In, common, sig, at)
			rest := f.ins([]model.Place{{Index: -1}}, common, sig, at)
			x = told(f.p.joinVal(x, rest), r.Kind)
			for i := range sig.Results().Len() {
				if !isError(sig.Results().At(i).Type()) {
					f.setResult(value, common.Signature(), i, val{self: x.all()})
				}
			}
		}
	}
	return handled
}

// inField is x in the field called name of type t.
func (f *function) inField(t types.Type, name string, x val) val {
	t = deref(t)
	if st, ok := t.Underlying().(*types.Struct); ok {
		for i := range st.NumFields() {
			if strings.EqualFold(st.Field(i).Name(), name) {
				return f.under(f.p.fieldOf(t, i), x)
			}
		}
	}
	return x
}

// ins is what the named places of a call carry.
func (f *function) ins(places []model.Place, common *ssa.CallCommon, sig *types.Signature, at ssa.Instruction) val {
	var x val
	for _, pl := range places {
		for _, arg := range argAt(common, sig, pl) {
			if isContext(arg.Type()) {
				continue
			}
			x = f.p.joinVal(x, f.eval(arg, at))
		}
	}
	return x
}

// cut applies a bound rule to a value.
func (f *function) cut(x val, r model.Rule, common *ssa.CallCommon, sig *types.Signature, at ssa.Instruction) val {
	limit, by := noLimit, int16(-1)
	piece := r.Limit > 0
	if r.Limit > 0 {
		limit = r.Limit
	}
	for _, pl := range r.By {
		for _, arg := range argAt(common, sig, pl) {
			if !isInt(arg.Type()) {
				piece = true // a buffer: one read is short, a loop of reads is not
				continue
			}
			b, ok := f.boundedIntAt(arg, at.Block())
			if !ok {
				return x
			}
			limit, by = b.limit, b.by
		}
	}
	return x.mapped(func(e entry) entry {
		if e.lvl > f.level(limit) {
			e.lvl, e.limit, e.by, e.piece = f.level(limit), limit, by, piece
		}
		return e
	})
}

// fill puts x into what an argument points to; a function that is passed gets x as its parameters.
func (f *function) fill(arg ssa.Value, x val, at ssa.Instruction) {
	if _, ok := arg.Type().Underlying().(*types.Signature); ok {
		f.callback(arg, x, at)
		return
	}
	for _, a := range f.addrOf(arg) {
		f.addWeakAt(a, val{self: x.all()}, at)
	}
	// Several out-parameters may come in a slice: rows.Scan(&a, &b).
	for _, v := range variadic(arg) {
		for _, a := range f.addrOf(v) {
			f.addWeakAt(a, val{self: x.all()}, at)
		}
	}
}
