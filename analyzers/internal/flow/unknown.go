package flow

import (
	"go/constant"
	"go/types"
	"strings"

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
		if !isContext(a.Type()) {
			in = f.p.joinVal(in, f.eval(a, at))
		}
	}
	if pkg == "fmt" && strings.HasSuffix(name, "rintf") || name == "Errorf" || name == "Appendf" || name == "Sprintf" {
		if x, ok := f.format(args, at); ok {
			in = x
		}
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
	for i := range sig.Results().Len() {
		t := sig.Results().At(i).Type()
		if isError(t) && sig.Results().Len() > 1 {
			continue
		}
		if !f.p.shapes.carries(t) || flat.empty() {
			continue
		}
		if f.p.shapes.class(t).reply {
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
			f.addWeak(a, val{self: f.collected(in, at).all()})
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
				if j != i && !isContext(b.Type()) {
					rest = f.p.joinVal(rest, f.eval(b, at))
				}
			}
			if recv != nil && !isWriter(recv.Type()) {
				rest = f.p.joinVal(rest, f.eval(recv, at))
			}
			if pkg == "fmt" && name == "Fprintf" {
				if x, ok := f.format(args[1:], at); ok {
					rest = x
				}
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
