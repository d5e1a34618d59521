package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

var (
	writingName = lazy(`^(Write|ReadFrom|Encode|Append|Push|Add|Set|Put|Print|Log|Insert|Store|Enqueue|Send|Send[A-Z].*|Append.*|Add.*|Write.*|Fprint.*)$`)
	readingName = lazy(`(?i)unmarshal|decode|scan|bind|parse|read|load|into|fill|evaluate|query|get|select|call|find|from|convert|transform`)
	cutName     = lazy(`(?i)trunc|limit|clip|shorten|ellip|abbrev|snip`)
	modelPkg    = lazy(`(?i)openai|anthropic|genai|generative|ollama|bedrock|llm|cohere|mistral|deepseek|gemini|groq|langchaingo|/eino|fantasy|genkit|tiktoken|tokenizer|instructor`)
	cheapPkg    = lazy(`(?i)(^|/)(log|slog|zap|zerolog|klog|logr|logrus|otel|opentelemetry|trace|tracing|metric|metrics|prometheus|uuid|xid|color|lipgloss|bubbletea|cobra|viper|pflag|errgroup|semver|testify)(/|$)`)
)

// unknown is a call of which nothing is known but its type: what text goes in may come out again.
func (f *function) unknown(common *ssa.CallCommon, obj *types.Func, sig *types.Signature, at ssa.CallInstruction, value ssa.Value) {
	pkg := ""
	if obj != nil && obj.Pkg() != nil {
		pkg = obj.Pkg().Path()
	}
	std := f.p.isStd(pkg)
	name := ""
	if obj != nil {
		name = obj.Name()
	}
	if cheapPkg.MatchString(pkg) {
		return
	}
	recv, args := receiver(common)
	var in val
	var callbacks []ssa.Value
	for _, a := range args {
		if _, ok := a.Type().Underlying().(*types.Signature); ok {
			callbacks = append(callbacks, a)
			continue
		}
		if !isContext(a.Type()) && !onlyWritten(a.Type()) {
			in = f.p.joinVal(in, f.eval(a, at))
		}
	}
	if name == "Errorf" || name == "Sprintf" {
		if x, ok := f.format(args, at); ok {
			in = x
		}
	}
	if makesError(sig) {
		in = f.errorText(in, args, at)
	}
	if !std {
		in = in.mapped(func(e entry) entry { e.weak = true; return e })
		if cutName.MatchString(name) && recv == nil {
			in = in.lowered(Bounded, noLimit, -1)
		}
	}
	for _, cb := range callbacks {
		in = f.p.joinVal(in, f.callback(cb, in, at))
	}
	out := in
	if recv != nil {
		out = f.p.joinVal(out, f.eval(recv, at))
	}
	flat := val{self: out.all()}
	if labelCall(name, recv, args) {
		flat = f.label(flat)
	}
	for i := range sig.Results().Len() {
		t := sig.Results().At(i).Type()
		if isError(t) && sig.Results().Len() > 1 {
			continue
		}
		if !f.p.shapes.carries(t) || flat.empty() {
			continue
		}
		if f.p.shapes.class(t).reply || elsewhere(common, name, sig) {
			continue
		}
		if makesError(sig) && !makesErrors(common, name) {
			f.setResult(value, sig, i, f.wrapped(flat, args, at))
			continue
		}
		f.setResult(value, sig, i, flat)
	}
	if in.empty() && (recv == nil || out.empty()) {
		return
	}
	switch {
	case recv != nil && writingName.MatchString(name):
		for _, a := range f.addrOf(recv) {
			f.addWeakAt(a, val{self: f.collected(in, at).all()}, at)
		}
	case recv != nil && readingName.MatchString(name):
		f.fillPointers(args, flat, at)
	case recv == nil && readingName.MatchString(name):
		f.fillPointers(args, val{self: in.all()}, at)
	}
	// A function that is given a writer writes to it what else it is given.
	for i, a := range args {
		if isWriter(a.Type()) {
			var rest val
			for j, b := range args {
				if j != i && !isContext(b.Type()) && !onlyWritten(b.Type()) {
					rest = f.p.joinVal(rest, f.eval(b, at))
				}
			}
			if recv != nil && !isWriter(recv.Type()) {
				rest = f.p.joinVal(rest, f.eval(recv, at))
			}
			f.write(a, val{self: rest.all()}, at)
			break
		}
	}
}

// fillPointers lets x flow into what the pointer arguments of a decoder point to.
func (f *function) fillPointers(args []ssa.Value, x val, at ssa.Instruction) {
	if x.empty() {
		return
	}
	for _, a := range args {
		if isText(a.Type()) {
			continue
		}
		switch strip(a).Type().Underlying().(type) {
		case *types.Pointer, *types.Map:
			if !isReaderOrWriter(strip(a).Type()) {
				f.fill(a, x, at)
			}
		case *types.Slice:
			f.fill(a, x, at)
		}
	}
}

func isReaderOrWriter(t types.Type) bool {
	return isWriter(t) || hasMethod(t, "Read")
}

// onlyWritten reports whether a type shows nothing of a value but that it can be written to: who is given it cannot
// see what it holds.
func onlyWritten(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	if !ok || !isWriter(t) {
		return false
	}
	for m := range i.Methods() {
		switch m.Name() {
		case "Write", "Close", "Flush", "WriteString", "WriteByte":
		default:
			return false
		}
	}
	return true
}

func isWriter(t types.Type) bool { return hasMethod(t, "Write") }

// hasMethod reports whether a type has a method of that name with the signature of io.Reader and io.Writer.
func hasMethod(t types.Type, name string) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	fn, ok := obj.(*types.Func)
	if !ok {
		return false
	}
	sig := fn.Signature()
	return sig.Params().Len() == 1 && sig.Results().Len() == 2 && isText(sig.Params().At(0).Type()) && isError(sig.Results().At(1).Type())
}

// elements are the parts of a variadic argument, or the argument itself.
func elements(v ssa.Value) []ssa.Value {
	if vs := variadic(v); vs != nil {
		return vs
	}
	return []ssa.Value{v}
}
