package flow

import (
	"cmp"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A passing says that a function calls what it is given as a parameter, and what it passes there.
type passing struct {
	param int16 // the function value
	arg   int16 // which of its parameters
	v     val
}

func addPassing(ps []passing, f *function, n passing) ([]passing, bool) {
	if n.v.empty() {
		return ps, false
	}
	i, ok := slices.BinarySearchFunc(ps, n, func(a, b passing) int {
		return cmp.Or(cmp.Compare(a.param, b.param), cmp.Compare(a.arg, b.arg))
	})
	if !ok {
		return slices.Insert(slices.Clone(ps), i, n), true
	}
	grown := f.p.joinVal(ps[i].v, n.v)
	if sameVal(grown, ps[i].v) {
		return ps, false
	}
	ps = slices.Clone(ps)
	ps[i].v = grown
	return ps, true
}

// pass notes what the body passes to a function that it was given.
func (f *function) pass(prm *ssa.Parameter, args []val) {
	for i, x := range args {
		var grew bool
		if f.passes, grew = addPassing(f.passes, f, passing{int16(f.paramIndex(prm)), int16(i), x}); grew {
			f.changed = true
		}
	}
}

// passOn takes over what a callee passes to the functions that it is given here.
func (f *function) passOn(c *site, s *Summary) {
	for i, p := range s.passes {
		if i > 0 && s.passes[i-1].param == p.param || int(p.param) >= len(c.args) || c.args[p.param] == nil {
			continue
		}
		args := c.passedTo(p.param, s)
		if prm, ok := c.args[p.param].(*ssa.Parameter); ok {
			f.pass(prm, args)
			continue
		}
		f.callbackWith(c.args[p.param], args, c.at)
	}
}

// passedTo is what a callee passes to the function that it is given as a parameter, in terms of the caller.
func (c *site) passedTo(param int16, s *Summary) []val {
	var args []val
	for _, p := range s.passes {
		if p.param != param {
			continue
		}
		for len(args) <= int(p.arg) {
			args = append(args, val{})
		}
		args[p.arg] = c.subst(p.v, s)
	}
	return args
}
