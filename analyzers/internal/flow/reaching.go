package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

type reachKey struct {
	at   ssa.Instruction
	root ssa.Value
	path path
}

// What the walk back from an instruction found.
type reached struct {
	defs []reaching
	ends map[blockEnd]bounding // block ends from which a place is not replaced any more, with the limit where it is guarded
}

type blockEnd struct {
	b       *ssa.BasicBlock
	guarded bool
}

// A reaching definition is one that may still be in place; instr is nil for what was there on entry.
type reaching struct {
	def
	guarded bool // on every way from it the place was found to be short
	bounding
}

func (f *function) collectDefs(a addr, at ssa.Instruction, base val) val {
	var out val
	for _, r := range f.reachingDefs(a, at) {
		var x val
		if r.instr == nil {
			x = f.p.field(base, a.key)
		} else {
			x = f.defVal(r.def, a.key)
		}
		if r.guarded {
			x = f.found(a, x, r.bounding)
		}
		out = f.p.joinVal(out, x)
	}
	return out
}

// reachingDefs walks back from instr to the definitions of a place that may still hold there.
func (f *function) reachingDefs(a addr, at ssa.Instruction) []reaching {
	key := reachKey{at, a.root, a.path}
	if r, ok := f.reach[key]; ok {
		return r.defs
	}
	// In the order of blocks and instructions, as index finds them.
	var defs []def
	for _, d := range f.defs[a.root] {
		if d.path == a.path || d.path == "" {
			defs = append(defs, d)
		}
	}
	inBlock := func(b *ssa.BasicBlock) []def {
		i, ok := slices.BinarySearchFunc(defs, b.Index, func(d def, n int) int { return d.instr.Block().Index - n })
		if !ok {
			return nil
		}
		j := i + 1
		for j < len(defs) && defs[j].instr.Block() == b {
			j++
		}
		return defs[i:j]
	}
	found := map[ssa.Instruction]int{}
	var out []reaching
	note := func(d def, guarded bool, limit bounding) {
		if i, ok := found[d.instr]; ok {
			if !guarded {
				out[i].guarded = false
			}
			out[i].bounding = out[i].join(limit)
			return
		}
		found[d.instr] = len(out)
		out = append(out, reaching{d, guarded, limit})
	}
	// scan looks for the last definition in b before the instruction stop (nil: the whole block).
	scan := func(b *ssa.BasicBlock, stop ssa.Instruction, guarded bool, limit bounding) bool {
		ds := inBlock(b)
		n := len(ds)
		if stop != nil && n > 0 {
			at := f.ordinal(stop)
			n, _ = slices.BinarySearchFunc(ds, at, func(d def, at int) int { return d.n - at })
		}
		if n == 0 {
			return false
		}
		note(ds[n-1], guarded, limit)
		return true
	}
	entry := f.fn.Blocks[0]
	type item struct {
		blockEnd
		limit bounding
	}
	seen := map[blockEnd]bounding{}
	var work []item
	back := func(b *ssa.BasicBlock, guarded bool, limit bounding) {
		if b == entry || (len(b.Preds) == 0) {
			note(def{}, guarded, limit)
		}
		for _, pred := range b.Preds {
			g, l := guarded, limit
			if !g {
				if lim, ok := f.edgeBounds(a, pred, b); ok {
					g, l = true, lim
				}
			}
			s := blockEnd{pred, g}
			if old, ok := seen[s]; ok {
				seen[s] = old.join(l)
			} else {
				seen[s] = l
				work = append(work, item{s, l})
			}
		}
	}
	if !scan(at.Block(), at, false, noBound) {
		back(at.Block(), false, noBound)
	}
	for len(work) > 0 {
		it := work[len(work)-1]
		work = work[:len(work)-1]
		if !scan(it.b, nil, it.guarded, it.limit) {
			back(it.b, it.guarded, it.limit)
		}
	}
	f.reach[key] = reached{out, seen}
	return out
}

// ordinal is the number of an instruction in its block. Long blocks, as initialisers have them, are numbered once.
func (f *function) ordinal(instr ssa.Instruction) int {
	b := instr.Block()
	if len(b.Instrs) < 50 {
		return slices.Index(b.Instrs, instr)
	}
	numbers := f.ordinals[b]
	if numbers == nil {
		numbers = make(map[ssa.Instruction]int, len(b.Instrs))
		for i, instr := range b.Instrs {
			numbers[instr] = i
		}
		f.ordinals[b] = numbers
	}
	return numbers[instr]
}

// reachable reports whether block to can run after block from.
func (f *function) reachable(from, to *ssa.BasicBlock) bool {
	r := f.after[from]
	if r == nil {
		r = make([]bool, len(f.fn.Blocks))
		work := append([]*ssa.BasicBlock(nil), from.Succs...)
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if b.Index < len(r) && !r[b.Index] {
				r[b.Index] = true
				work = append(work, b.Succs...)
			}
		}
		f.after[from] = r
	}
	return to.Index < len(r) && r[to.Index]
}
