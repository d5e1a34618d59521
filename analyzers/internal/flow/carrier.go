package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/boundcheck/boundcheck/analyzers/internal/model"
)

// storeSink tells whether a store fills in the payload of a tool result or of a tool's message.
func (p *Package) storeSink(st *ssa.Store) (sink, bool) {
	fa, ok := st.Addr.(*ssa.FieldAddr)
	if !ok {
		return sink{}, false
	}
	if c, ok := st.Val.(*ssa.Const); ok && c != nil || extends(st) {
		return sink{}, false
	}
	id := p.fieldOf(fa.X.Type(), fa.Field)
	for _, r := range p.fieldRules[id] {
		if r.Op == model.Sink {
			return sink{code: p.errorCode(r.Kind, fa), what: "the field " + typeName(fa.X.Type()) + "." + p.fieldName(id)}, true
		}
		if r.Op == model.History && isText(st.Val.Type()) {
			return sink{code: codeHistory, what: "the history " + typeName(fa.X.Type()) + "." + p.fieldName(id)}, true
		}
	}
	if outer, ok := fa.X.(*ssa.FieldAddr); ok {
		// A part of the payload, such as the text of a union.
		out := p.fieldOf(outer.X.Type(), outer.Field)
		for _, r := range p.fieldRules[out] {
			if r.Op == model.Sink && p.shapes.carries(st.Val.Type()) {
				return sink{code: p.errorCode(r.Kind, outer), what: "the field " + typeName(outer.X.Type()) + "." + p.fieldName(out)}, true
			}
		}
	}
	c := p.shapes.class(fa.X.Type())
	if !c.payload[fa.Field] || isFunc(st.Val.Type()) {
		return sink{}, false
	}
	if eventName.MatchString(typeName(fa.X.Type())) {
		return sink{}, false // it tells a screen or a log what happened
	}
	what := "the field " + typeName(fa.X.Type()) + "." + p.fieldName(id)
	if f := p.funcs[st.Parent()]; !token.IsExported(p.fieldName(id)) && (f == nil || f.isTool == nil) && p.role(fa.X, c.roleField) == "" {
		return sink{}, false // a private struct that carries a result on its way
	}
	switch {
	case c.toolResult:
		code := codeHistory
		if !c.namedTool && c.idField < 0 && !returnsType(st.Parent(), c.named) {
			return sink{}, false // the result of something, on its way
		}
		home := typePkg(fa.X.Type())
		if returnsType(st.Parent(), c.named) {
			code = codeReturn
		} else if strings.Contains(strings.ToLower(home[strings.LastIndexByte(home, '/')+1:]), "mcp") {
			code = codeServer
		}
		return sink{p.errorCode(code, fa), what, code == codeReturn && dropped(fa)}, true
	case c.roleField >= 0:
		switch p.role(fa.X, c.roleField) {
		case "tool", "function":
			return sink{code: p.errorCode(codeHistory, fa), what: what + " of a tool message"}, true
		case "user":
			return sink{code: codePrompt, what: what + " of a user message"}, true
		case "":
			if c.idField >= 0 && p.stores(fa.X, c.idField) && fa.Field != c.idField {
				return sink{code: p.errorCode(codeHistory, fa), what: what + " of a tool message"}, true
			}
		}
	case c.idField >= 0 && fa.Field != c.idField && !requestName.MatchString(typeName(fa.X.Type())) && !ofEvent(st.Val) && (p.stores(fa.X, c.idField) || !fresh(fa.X)):
		return sink{code: p.errorCode(codeHistory, fa), what: what + ", beside " + c.fieldName(c.idField)}, true
	}
	if p.toolResultKind(fa.X, c) {
		return sink{code: p.errorCode(codeHistory, fa), what: what + " of a tool result"}, true
	}
	if strings.Contains(strings.ToLower(p.fieldName(id)), "prompt") && isText(st.Val.Type()) {
		return sink{code: codePrompt, what: what}, true
	}
	return sink{}, false
}

// extends reports whether a store adds a constant text to what is in the field already.
func extends(st *ssa.Store) bool {
	sum, ok := st.Val.(*ssa.BinOp)
	if !ok || sum.Op != token.ADD {
		return false
	}
	for _, pair := range [2][2]ssa.Value{{sum.X, sum.Y}, {sum.Y, sum.X}} {
		ld, ok := pair[0].(*ssa.UnOp)
		if !ok || ld.Op != token.MUL {
			continue
		}
		from, ok := ld.X.(*ssa.FieldAddr)
		to := st.Addr.(*ssa.FieldAddr)
		if _, constant := pair[1].(*ssa.Const); ok && constant && from.X == to.X && from.Field == to.Field {
			return true
		}
	}
	return false
}

// requestName matches the types of what a store is asked to keep.
var requestName = lazy(`(?i)^(put|save|store|write|insert|upsert|persist|archive|offload|spill)[a-z]*(request|req|input|args|options)$`)

// ofEvent reports whether a value is part of an event: who is told what happened shows or logs it.
func ofEvent(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		if from, ok := v.X.(*ssa.FieldAddr); ok {
			return tells(from.X.Type())
		}
	case *ssa.Field:
		return tells(v.X.Type())
	}
	return false
}

// tells reports whether a type is that of events, but not of a tool's own.
func tells(t types.Type) bool {
	name := typeName(t)
	return strings.HasSuffix(name, "Event") && !toolWord.MatchString(name)
}

var eventName = lazy(`(?i)(event|update|notification|progress|trace|span|log|record|metric)(s|data|payload)?$`)

// toolResultKind reports whether the type of a content block, in a field such as Type, says that it is a tool's result.
func (p *Package) toolResultKind(x ssa.Value, c *class) bool {
	for i := range c.st.NumFields() {
		switch c.st.Field(i).Name() {
		case "Type", "Kind":
			if t := p.role(x, i); t == "tool_result" || t == "tool-result" || t == "toolresult" || t == "function_call_output" || t == "function_response" {
				return true
			}
		}
	}
	return false
}

// fresh reports whether an address is that of a literal being filled in.
func fresh(v ssa.Value) bool {
	_, ok := v.(*ssa.Alloc)
	return ok
}

// errorCode is the code for a carrier that is marked as an error, or that holds an error.
func (p *Package) errorCode(code string, fa *ssa.FieldAddr) string {
	st, ok := deref(fa.X.Type()).Underlying().(*types.Struct)
	if !ok {
		return code
	}
	if n := st.Field(fa.Field).Name(); n == "Error" || n == "Err" {
		return codeError
	}
	for i := range st.NumFields() {
		if n := st.Field(i).Name(); n == "IsError" || n == "ToolError" {
			for _, v := range p.storedIn(fa.X, i) {
				if c, ok := v.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.Bool && constant.BoolVal(c.Value) && p.storedNear(fa, i) {
					return codeError
				}
			}
		}
	}
	return code
}

// storedNear reports whether another field is stored in the block in which fa is: both belong to one literal.
func (p *Package) storedNear(fa *ssa.FieldAddr, field int) bool {
	refs := fa.X.Referrers()
	if refs == nil {
		return false
	}
	for _, ref := range *refs {
		if other, ok := ref.(*ssa.FieldAddr); ok && other.Field == field && other.Block() == fa.Block() {
			return true
		}
	}
	return false
}

// storedIn lists what is stored in one field through the same address, or through an address written the same way.
func (p *Package) storedIn(x ssa.Value, field int) []ssa.Value {
	var out []ssa.Value
	add := func(fa *ssa.FieldAddr) {
		for _, r := range *fa.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == fa {
				out = append(out, st.Val)
			}
		}
	}
	if al, ok := x.(*ssa.Alloc); ok {
		// A variable that a literal is assigned to.
		for _, ref := range *al.Referrers() {
			if st, ok := ref.(*ssa.Store); ok && st.Addr == al {
				if ld, ok := st.Val.(*ssa.UnOp); ok && ld.X != al {
					if lit, ok := ld.X.(*ssa.Alloc); ok && lit.Comment == "complit" {
						out = append(out, p.storedIn(lit, field)...)
					}
				}
			}
		}
	}
	if ia, ok := x.(*ssa.IndexAddr); ok {
		f := p.funcs[ia.Parent()]
		key := f.shapeKey(x, 0)
		for _, b := range ia.Parent().Blocks {
			for _, instr := range b.Instrs {
				if fa, ok := instr.(*ssa.FieldAddr); ok && fa.Field == field && f.shapeKey(fa.X, 0) == key {
					add(fa)
				}
			}
		}
		return out
	}
	refs := x.Referrers()
	if refs == nil {
		return nil
	}
	for _, ref := range *refs {
		if fa, ok := ref.(*ssa.FieldAddr); ok && fa.Field == field {
			add(fa)
		}
	}
	return out
}

func (p *Package) stores(x ssa.Value, field int) bool { return len(p.storedIn(x, field)) > 0 }

// role is the constant stored in a role field: "tool", "user" and so on, lower case; "" if there is none.
func (p *Package) role(x ssa.Value, field int) string {
	for _, v := range p.storedIn(x, field) {
		if s := constText(v, 0); s != "" {
			return s
		}
	}
	return ""
}

// constText looks for a constant text in a value, through conversions and wrappers such as openai.F(x).
func constText(v ssa.Value, depth int) string {
	if depth > 3 {
		return ""
	}
	switch v := strip(v).(type) {
	case *ssa.Const:
		if v.Value != nil && v.Value.Kind() == constant.String {
			return strings.ToLower(constant.StringVal(v.Value))
		}
	case *ssa.Call:
		if len(v.Call.Args) == 1 {
			return constText(v.Call.Args[0], depth+1)
		}
	case *ssa.UnOp:
		if g, ok := v.X.(*ssa.Global); ok {
			// A role kept in a package variable: its name says which.
			n := strings.ToLower(g.Name())
			for _, r := range [...]string{"tool", "function", "user", "assistant", "system"} {
				if strings.HasSuffix(n, r) {
					return r
				}
			}
		}
	}
	return ""
}

// returnsType reports whether a function returns the type.
func returnsType(fn *ssa.Function, n *types.Named) bool {
	if n == nil {
		return false
	}
	for i := range fn.Signature.Results().Len() {
		if t, ok := types.Unalias(element(fn.Signature.Results().At(i).Type())).(*types.Named); ok && t.Obj() == n.Obj() {
			return true
		}
	}
	return false
}

var contentKeys = map[string]bool{"content": true, "output": true, "result": true, "response": true, "text": true}

// mapSink is storeSink for messages that are maps.
func (p *Package) mapSink(mu *ssa.MapUpdate) (sink, bool) {
	if !contentKeys[constText(mu.Key, 0)] {
		return sink{}, false
	}
	if _, ok := mu.Value.(*ssa.Const); ok {
		return sink{}, false
	}
	refs := mu.Map.Referrers()
	if refs == nil {
		return sink{}, false
	}
	for _, ref := range *refs {
		other, ok := ref.(*ssa.MapUpdate)
		if !ok {
			continue
		}
		k, v := constText(other.Key, 0), constText(other.Value, 0)
		switch {
		case k == "role" && (v == "tool" || v == "function"),
			k == "type" && (v == "tool_result" || v == "function_call_output"),
			k == "tool_call_id", k == "tool_use_id":
			return sink{code: codeHistory, what: "the key " + constText(mu.Key, 0) + " of a tool message"}, true
		}
	}
	return sink{}, false
}
