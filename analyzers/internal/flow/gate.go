package flow

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// gated lowers what comes from a file whose size was compared with a limit before: what a read at this place gives.
func (f *function) gated(x val, args []ssa.Value, at ssa.Instruction) val {
	for _, g := range f.guardsAt(at.Block()) {
		if !g.size || g.subject != nil && !f.reads(args, g.subject) {
			continue
		}
		x = x.mapped(func(e entry) entry {
			src := f.p.origin(e.id)
			if e.lvl > f.level(g.limit) && src.kind == fromSource && (src.src == "file" || src.src == "http") {
				e.lvl, e.limit, e.by = f.level(g.limit), g.limit, g.by
			}
			return e
		})
	}
	return x
}

// reads reports whether one of the arguments of a read is the file that was measured, or its name, or what was opened
// under that name.
func (f *function) reads(args []ssa.Value, subject ssa.Value) bool {
	for _, a := range args {
		a = strip(a)
		if a == subject || f.same(a, subject) {
			return true
		}
		if ex, ok := a.(*ssa.Extract); ok {
			if call, ok := ex.Tuple.(*ssa.Call); ok && strings.HasPrefix(opening(call), "Open") && f.reads(call.Call.Args, subject) {
				return true
			}
		}
	}
	return false
}

func opening(call *ssa.Call) string {
	name, _, _ := calleeName(&call.Call)
	return name
}

// measuredFile is the file, or the name of it, of which info tells the size; nil if that cannot be seen.
func measuredFile(info ssa.Value) ssa.Value {
	ex, ok := strip(info).(*ssa.Extract)
	if !ok {
		return nil
	}
	call, ok := ex.Tuple.(*ssa.Call)
	if !ok {
		return nil
	}
	name, recv, args := calleeName(&call.Call)
	if name != "Stat" && name != "Lstat" {
		return nil
	}
	switch {
	case recv != nil && len(args) == 0:
		return strip(recv)
	case len(args) > 0:
		return strip(args[len(args)-1])
	}
	return nil
}
