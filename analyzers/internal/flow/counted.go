package flow

import (
	"go/constant"

	"golang.org/x/tools/go/ssa"
)

// counted reports whether a block runs only while a count, or the length of what is being collected, is below a limit.
func (f *function) counted(b *ssa.BasicBlock) bool {
	for _, g := range f.guardsAt(b) {
		if f.countGuard(g, b) {
			return true
		}
	}
	return f.checkedAfter(b)
}

// countGuard reports whether a guard in the way of block b speaks of how much has been collected.
func (f *function) countGuard(g guard, b *ssa.BasicBlock) bool {
	if f.counts(g, b) || len(g.values) > 1 {
		return true
	}
	for _, v := range g.values {
		if _, ok := strip(v).(*ssa.Call); !ok || !isText(v.Type()) {
			return true // what is collected, not a piece of it
		}
	}
	return false
}

// checkedAfter reports whether what is collected in block b is measured before b can run again, and too much of it
// ends the loop, or the walk that the function is called back from.
func (f *function) checkedAfter(b *ssa.BasicBlock) bool {
	if ok, known := f.checked[b]; known {
		return ok
	}
	f.checked[b] = false
	for _, c := range f.fn.Blocks {
		br, ok := lastIf(c)
		if !ok || c != b && !f.reachable(b, c) {
			continue
		}
		for i, within := range c.Succs {
			over := c.Succs[1-i]
			if within == over || !f.enough(br, i == 0, c) || !f.ends(over, b) || !f.passesBy(b, c) {
				continue
			}
			f.checked[b] = true
			return true
		}
	}
	return false
}

// enough reports whether a branch compares what was collected with a limit, and is taken only below it.
func (f *function) enough(br *ssa.If, outcome bool, c *ssa.BasicBlock) bool {
	for _, g := range f.condition(br.Cond, outcome) {
		if g.by < 0 && g.limit == noLimit && len(g.values) == 0 && !g.count {
			continue
		}
		if f.countGuard(g, c) {
			return true
		}
	}
	return false
}

// ends reports whether control that goes to block over does not come back to b, in this call or by being called again.
func (f *function) ends(over, b *ssa.BasicBlock) bool {
	if over == b || f.reachable(over, b) {
		return false
	}
	if f.fn.Parent() == nil || f.reachable(b, b) {
		return true
	}
	for _, c := range f.fn.Blocks {
		if c != over && !f.reachable(over, c) {
			continue
		}
		ret, ok := c.Instrs[len(c.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if len(ret.Results) == 0 {
			return false
		}
		// Going on is told by nil or true.
		if k, ok := ret.Results[len(ret.Results)-1].(*ssa.Const); ok && (k.IsNil() || k.Value != nil && k.Value.Kind() == constant.Bool && constant.BoolVal(k.Value)) {
			return false
		}
	}
	return true
}

// passesBy reports whether control that has been in block b passes c before it is in b again, or leaves the function.
func (f *function) passesBy(b, c *ssa.BasicBlock) bool {
	if b == c {
		return true
	}
	callback := f.fn.Parent() != nil && !f.reachable(b, b)
	seen := map[*ssa.BasicBlock]bool{}
	work := append([]*ssa.BasicBlock(nil), b.Succs...)
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if x == c || seen[x] {
			continue
		}
		if x == b || callback && len(x.Succs) == 0 {
			return false
		}
		seen[x] = true
		work = append(work, x.Succs...)
	}
	return true
}

// whole is what pieces add up to that were collected while there were few of them.
func whole(x val) val {
	return x.mapped(entry.summed)
}

func (e entry) summed() entry {
	if e.lvl <= Bounded {
		e.piece = false
	}
	if e.id>>fieldBits > 0 {
		e.whole = !e.loops // what a caller passes may be a piece
	}
	return e
}
