package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// mapKeys evaluates maps.Keys of a map that is filled here and goes nowhere else: its keys are known apart from its
// values.
func (f *function) mapKeys(common *ssa.CallCommon, obj *types.Func, at ssa.CallInstruction, value ssa.Value) bool {
	if obj == nil || obj.Name() != "Keys" || pkgPath(obj) != "maps" || len(common.Args) != 1 {
		return false
	}
	x, ok := f.keysOf(common.Args[0])
	if ok {
		f.setResult(value, common.Signature(), 0, x)
	}
	return ok
}

func (f *function) keysOf(m ssa.Value) (x val, ok bool) {
	made, ok := m.(*ssa.MakeMap)
	if !ok {
		return val{}, false
	}
	for _, ref := range *made.Referrers() {
		switch ref := ref.(type) {
		case *ssa.MapUpdate:
			if f.p.shapes.carries(ref.Key.Type()) {
				x = f.p.joinVal(x, f.eval(ref.Key, ref))
			}
		case *ssa.Lookup, *ssa.Range, *ssa.DebugRef:
		case *ssa.Call:
			callee := ref.Call.StaticCallee()
			if _, builtin := ref.Call.Value.(*ssa.Builtin); !builtin && (callee == nil || callee.Object() == nil || callee.Object().Pkg() == nil || callee.Object().Pkg().Path() != "maps") {
				return val{}, false
			}
		default:
			return val{}, false
		}
	}
	return x, true
}
