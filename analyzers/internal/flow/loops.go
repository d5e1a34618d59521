package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// counts reports whether a number that a guard compared counts the rounds of a loop that b belongs to. A count kept in
// a variable that closures share counts for them all.
func (f *function) counts(g guard, b *ssa.BasicBlock) bool {
	if !g.count {
		return false
	}
	for _, n := range g.ints {
		v := strip(n)
		if bin, ok := v.(*ssa.BinOp); ok {
			if _, isPhi := strip(bin.X).(*ssa.Phi); isPhi {
				v = strip(bin.X)
			}
		}
		phi, ok := v.(*ssa.Phi)
		if !ok || slices.Contains(f.loop(phi.Block()), b) {
			return true
		}
	}
	return false
}

// loop lists the blocks of the natural loop with the given header: those from which control comes back to it without
// leaving through it.
func (f *function) loop(header *ssa.BasicBlock) []*ssa.BasicBlock {
	if l, ok := f.loops[header]; ok {
		return l
	}
	l := []*ssa.BasicBlock{header}
	var work []*ssa.BasicBlock
	for _, pred := range header.Preds {
		if header.Dominates(pred) {
			work = append(work, pred)
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if slices.Contains(l, b) {
			continue
		}
		l = append(l, b)
		work = append(work, b.Preds...)
	}
	f.loops[header] = l
	return l
}
