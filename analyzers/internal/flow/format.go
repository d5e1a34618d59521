package flow

import (
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// formatted evaluates the functions of fmt that take a layout, if the layout is known and says what is cut.
func (f *function) formatted(common *ssa.CallCommon, obj *types.Func, at ssa.CallInstruction, value ssa.Value) bool {
	if obj.Pkg() == nil || obj.Pkg().Path() != "fmt" {
		return false
	}
	args := common.Args
	switch obj.Name() {
	case "Sprintf", "Errorf":
	case "Fprintf", "Appendf":
		args = args[1:]
	default:
		return false
	}
	x, ok := f.format(args, at)
	if !ok {
		return false
	}
	switch obj.Name() {
	case "Fprintf":
		f.write(common.Args[0], val{self: x.all()}, at)
		return true
	case "Errorf":
		x = f.errorText(x, args, at)
	case "Appendf":
		x = f.p.joinVal(f.eval(common.Args[0], at), f.collected(x, at))
	}
	f.setResult(value, common.Signature(), 0, val{self: x.all()})
	return true
}

// format is what a formatted text carries: a verb for numbers carries nothing, a precision cuts.
func (f *function) format(args []ssa.Value, at ssa.Instruction) (val, bool) {
	if len(args) == 0 {
		return val{}, false
	}
	layout, rest := args[0], args[1:]
	for len(rest) > 0 && !isText(layout.Type()) {
		layout, rest = rest[0], rest[1:]
	}
	c, ok := layout.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.String {
		return val{}, false
	}
	if len(rest) == 1 {
		if elems := variadicOrdered(rest[0]); elems != nil {
			rest = elems
		} else if _, isConst := rest[0].(*ssa.Const); !isConst {
			return val{}, false
		}
	}
	var out val
	i := 0
	s := constant.StringVal(c.Value)
	for k := 0; k < len(s); k++ {
		if s[k] != '%' {
			continue
		}
		k++
		prec := int64(-1)
		star := false
		for k < len(s) && strings.IndexByte("+-# 0123456789.*[]", s[k]) >= 0 {
			switch {
			case s[k] == '[':
				return val{}, false // explicit indexes
			case s[k] == '.':
				prec = 0
				for k+1 < len(s) && s[k+1] >= '0' && s[k+1] <= '9' {
					k++
					prec = prec*10 + int64(s[k]-'0')
				}
				if k+1 < len(s) && s[k+1] == '*' {
					k++
					star = true
					i++
				}
			case s[k] == '*':
				i++
			}
			k++
		}
		if k >= len(s) || s[k] == '%' {
			continue
		}
		if i >= len(rest) {
			break
		}
		arg := rest[i]
		i++
		if strings.IndexByte("dtbcoxXUeEfFgGpT", s[k]) >= 0 && !(s[k] == 'x' || s[k] == 'X') {
			continue
		}
		x := f.eval(arg, at)
		if star {
			x = x.lowered(Bounded, noLimit, -1)
		} else if prec >= 0 {
			x = x.lowered(f.level(prec), prec, -1)
		}
		out = f.p.joinVal(out, x)
	}
	return out, true
}

// variadicOrdered returns the elements of a variadic slice by index.
func variadicOrdered(v ssa.Value) []ssa.Value {
	sl, ok := v.(*ssa.Slice)
	if !ok {
		return nil
	}
	alloc, ok := sl.X.(*ssa.Alloc)
	if !ok || alloc.Comment != "varargs" {
		return nil
	}
	arr, ok := deref(alloc.Type()).Underlying().(*types.Array)
	if !ok {
		return nil
	}
	out := make([]ssa.Value, arr.Len())
	for _, ref := range *alloc.Referrers() {
		ia, ok := ref.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		c, ok := ia.Index.(*ssa.Const)
		if !ok {
			return nil
		}
		for _, r := range *ia.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == ia {
				out[c.Int64()] = st.Val
			}
		}
	}
	for _, o := range out {
		if o == nil {
			return nil
		}
	}
	return out
}
