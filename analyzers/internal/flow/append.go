package flow

import "golang.org/x/tools/go/ssa"

// appendHits looks at what is appended to a history, if it was not made here: a message that was made here has been
// looked at already.
func (f *function) appendHits(call ssa.CallInstruction) []hit {
	common := call.Common()
	dst, src := common.Args[0], common.Args[1]
	elem := element(dst.Type())
	if !f.p.shapes.carries(elem) || isText(dst.Type()) {
		return nil
	}
	cls := f.p.shapes.class(elem)
	name := f.variableName(dst, 0)
	if name == "" && call.Value() != nil {
		name = f.assignedTo(call.Value())
	}
	declared := f.p.declaredHistory(dst)
	if !declared && isText(elem) && !chatName.MatchString(name) {
		return nil
	}
	if !declared && streamName.MatchString(name) {
		return nil
	}
	if !declared && !cls.message && !historyName.MatchString(name) {
		return nil
	}
	elems := variadicOrdered(src)
	if elems == nil {
		elems = []ssa.Value{src}
	}
	var out []hit
	for _, v := range elems {
		if !declared && !madeElsewhere(v) {
			continue
		}
		m := f.eval(v, call).all()
		out = append(out, hit{sink: sink{code: codeHistory, what: "appended to " + name}, m: m, at: call, arg: 1, value: v, appended: !declared})
	}
	return out
}

// streamName matches lists of parts on their way, which are no history.
var streamName = lazy(`(?i)chunk|frame|stream|buf|part|batch`)

// madeElsewhere reports whether a value comes out of a call, and was not put together here.
func madeElsewhere(v ssa.Value) bool {
	switch v := strip(v).(type) {
	case *ssa.Call:
		_, builtin := v.Call.Value.(*ssa.Builtin)
		return !builtin && !otherRole(&v.Call)
	case *ssa.Extract:
		c, ok := v.Tuple.(*ssa.Call)
		return ok && !otherRole(&c.Call)
	}
	return false
}

// otherRole reports whether a call makes a message of a role that is not the tool's: by an argument, or by its name.
func otherRole(c *ssa.CallCommon) bool {
	for _, a := range c.Args {
		switch constText(a, 0) {
		case "user", "assistant", "system", "developer", "model":
			return true
		}
	}
	name, _, _ := calleeName(c)
	return otherRoleName.MatchString(name)
}

var otherRoleName = lazy(`(?i)user|assistant|system|human|messages?$|history|conversation|prompt`)

// assignedTo is the name of the variable that a value is assigned to, "" if there is none.
func (f *function) assignedTo(v ssa.Value) string {
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Phi:
			return ref.Comment
		case *ssa.Store:
			if ref.Val == v {
				return f.variableName(ref.Addr, 0)
			}
		}
	}
	return ""
}

// variableName is the name that the source gives to a variable or field, "" if the value has none.
func (f *function) variableName(v ssa.Value, depth int) string {
	if depth > 4 {
		return ""
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		return f.variableName(v.X, depth+1)
	case *ssa.FieldAddr:
		return f.p.fieldName(f.p.fieldOf(v.X.Type(), v.Field))
	case *ssa.Field:
		return f.p.fieldName(f.p.fieldOf(v.X.Type(), v.Field))
	case *ssa.Alloc:
		return v.Comment
	case *ssa.Phi:
		return v.Comment
	case *ssa.Parameter:
		return v.Name()
	case *ssa.FreeVar:
		return v.Name()
	case *ssa.Global:
		return v.Name()
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
			return f.variableName(v.Call.Args[0], depth+1)
		}
	}
	return ""
}
