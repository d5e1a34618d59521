package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// errorText is the step of a path at which output becomes part of an error.
const errorText = "written into an error"

// makesError reports whether a function's only result is an error.
func makesError(sig *types.Signature) bool {
	return sig.Results().Len() == 1 && isError(sig.Results().At(0).Type())
}

// errorText is what a new error carries: the output in the texts that it is made of, and what errors that it wraps
// carry already.
func (f *function) errorText(in val, args []ssa.Value, at ssa.CallInstruction) val {
	var wrapped mark
	for _, a := range args {
		for _, v := range elements(a) {
			if isError(strip(v).Type()) {
				wrapped = join(wrapped, f.eval(v, at).all())
			}
		}
	}
	var out mark
	for _, e := range f.messages(in.all(), args, at) {
		if w, ok := wrapped.find(e.id); ok && !f.textual(e.id, args, at) {
			if w.err {
				out = join(out, mark{w})
			}
			continue
		}
		if f.p.origin(e.id).kind == fromSource && (e.tr == nil || e.tr.pos.pos != at.Pos()) {
			e.tr = &trace{pos: place{pos: at.Pos()}, what: errorText, prev: e.tr}
		}
		e.err = true
		out = join(out, mark{e})
	}
	return val{self: out}
}

// messages is what a mark has left where all that is written into an error is the message that a service gave for its
// own error: that is short.
func (f *function) messages(m mark, args []ssa.Value, at ssa.CallInstruction) mark {
	var short, rest mark
	for _, a := range args {
		for _, v := range elements(a) {
			x := f.eval(v, at).all()
			name := ""
			switch ld := strip(v).(type) {
			case *ssa.UnOp:
				if fa, ok := ld.X.(*ssa.FieldAddr); ok {
					name = f.p.fieldName(f.p.fieldOf(fa.X.Type(), fa.Field))
				}
			case *ssa.Field:
				name = f.p.fieldName(f.p.fieldOf(ld.X.Type(), ld.Field))
			}
			if messageField.MatchString(name) {
				short = join(short, x)
			} else {
				rest = join(rest, x)
			}
		}
	}
	return m.mapped(func(e entry) entry {
		o := f.p.origin(e.id)
		if _, ok := short.find(e.id); !ok || o.kind != fromSource || !structured[o.src] {
			return e
		}
		if r, ok := rest.find(e.id); ok && r.lvl >= e.lvl {
			return e
		}
		return e.pieced(Bounded, noLimit)
	})
}

var messageField = lazy(`(?i)^(error)?(msg|message|code|type|detail|description)$|^err(or)?$`)

// textual reports whether an origin reaches one of the arguments that are no errors.
func (f *function) textual(id originID, args []ssa.Value, at ssa.CallInstruction) bool {
	for _, a := range args {
		for _, v := range elements(a) {
			if isError(strip(v).Type()) {
				continue
			}
			if _, ok := f.eval(v, at).all().find(id); ok {
				return true
			}
		}
	}
	return false
}

// makesErrors reports whether a function puts an error together, by its name. What others return that give nothing but
// an error says how it went to do something with what they were given.
func makesErrors(c *ssa.CallCommon, name string) bool {
	if c.StaticCallee() == nil {
		return erring.MatchString(name)
	}
	return errorMaking.MatchString(name)
}

var (
	errorMaking = lazy(`(?i)err|new|wrap|fail|fault|status|problem|cause|annotate|abort|sprint|with|msg|message`)
	erring      = lazy(`(?i)err|wrap|fail|fault`)
)

// wrapped is the part of an error that was in errors before.
func (f *function) wrapped(x val, args []ssa.Value, at ssa.CallInstruction) val {
	var out mark
	for _, a := range args {
		for _, v := range elements(a) {
			if !isError(strip(v).Type()) {
				continue
			}
			for _, e := range f.eval(v, at).all() {
				if w, ok := x.self.find(e.id); ok {
					out = join(out, mark{w})
				}
			}
		}
	}
	return val{self: out}
}
