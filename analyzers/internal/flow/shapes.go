package flow

import (
	"go/types"
	"strings"
)

// shapes answers questions about types, each once.
type shapes struct {
	carry    map[types.Type]int8
	classes  map[types.Type]*class
	reach    map[types.Type]map[string]bool
	services map[types.Type]bool
}

func newShapes() *shapes {
	return &shapes{carry: map[types.Type]int8{}, classes: map[types.Type]*class{}, reach: map[types.Type]map[string]bool{}, services: map[types.Type]bool{}}
}

// carries reports whether values of a type can hold tool output: text, anything that contains text, and readers and
// writers of it.
func (s *shapes) carries(t types.Type) bool {
	switch s.carry[t] {
	case 1:
		return true
	case 2:
		return false
	}
	s.carry[t] = 2 // a type that contains itself carries only what else it contains
	r := s.carries1(t)
	if r {
		s.carry[t] = 1
	}
	return r
}

func (s *shapes) carries1(t types.Type) bool {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		switch n.Obj().Pkg().Path() {
		case "context", "time", "sync", "sync/atomic", "reflect", "log", "log/slog", "testing", "math/rand", "regexp", "go/token":
			switch n.Obj().Pkg().Name() + "." + n.Obj().Name() {
			case "reflect.Value", "sync.Map", "sync.Pool", "atomic.Value":
				return true
			}
			return false
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0 || u.Kind() == types.UnsafePointer || u.Kind() == types.Int32 || u.Kind() == types.Uint8
	case *types.Slice:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok && (b.Kind() == types.Byte || b.Kind() == types.Rune) {
			return true
		}
		return s.carries(u.Elem())
	case *types.Array:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Byte {
			return true
		}
		return s.carries(u.Elem())
	case *types.Pointer:
		return s.carries(u.Elem())
	case *types.Map:
		return s.carries(u.Elem()) || s.carries(u.Key())
	case *types.Chan:
		return s.carries(u.Elem())
	case *types.Struct:
		if n, ok := types.Unalias(t).(*types.Named); ok && u.NumFields() == 0 {
			return n.NumMethods() > 0 // what its methods give is not in its fields
		}
		for i := range u.NumFields() {
			if s.carries(u.Field(i).Type()) {
				return true
			}
		}
		return false
	case *types.Interface:
		return true
	case *types.Tuple:
		for i := range u.Len() {
			if s.carries(u.At(i).Type()) {
				return true
			}
		}
		return false
	case *types.Signature:
		return isSeq(u)
	}
	return true // type parameters
}

// isSeq reports whether a function type is that of an iterator: it hands its elements to a yield function.
func isSeq(t types.Type) bool {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || sig.Params().Len() != 1 || sig.Results().Len() != 0 {
		return false
	}
	yield, ok := sig.Params().At(0).Type().Underlying().(*types.Signature)
	return ok && yield.Results().Len() == 1 && types.Identical(yield.Results().At(0).Type(), types.Typ[types.Bool])
}

// A class is what the structure and the name of a type say about its part in an agent.
type class struct {
	named      *types.Named
	st         *types.Struct
	toolResult bool // holds the result of one tool call
	namedTool  bool // its name says tool, and not only result
	message    bool // an entry of a conversation, of any role
	reply      bool // what a model answered
	request    bool // a call that a model asks for: its arguments are the model's own text
	roleField  int  // -1: none
	idField    int  // ToolCallID and the like; -1: none
	payload    map[int]bool
}

var (
	toolResultName = lazy(`(?i)((tool|function|mcp)(call|use|run|exec)?(result|response|output|out|observation)|(skill|command|exec|execution|plugin|action|call|invocation)(result|output|observation))s?(part|block|content|message|param|item|data)?(union|param)*$`)
	toolCallName   = lazy(`(?i)(tool_?(call|use)|function_?call|tool_?request)(block|part|content|param|request|input)?s?(union|param)*$`)
	toolWord       = lazy(`(?i)tool|function|mcp`)
	toolIDName     = lazy(`(?i)^tool_?(call|use)?_?id$|^call_?id$`)
	payloadName    = lazy(`(?i)^(of)?(content|text|result|results|resulttext|output|outputs|response|observation|stdout|stderr|body|data|llmcontent|structuredcontent|multicontent|value|toolresult|toolresults|parts|message|error|err)(s|text|string|array)?$`)
	messageName    = lazy(`(?i)(message|messageparam|messageunion|turn|chatentry|conversationitem|inputitem)(s|param|params|union|unionparam)*$`)
	toolNoun       = lazy(`(?i)tool|action|skill|plugin|function|builtin|capability|mcp|operation`)
	execNoun       = lazy(`(?i)exec|shell|command|sandbox|runner|terminal|bash|process|container|workspace`)
	modelNoun      = lazy(`(?i)llm|model|chain|provider|chat|agent|complet|embed|convers|convo|assistant|prompt|generat|tokeniz|summar|spawn_?(agent|task|sub)|delegat|sub_?(agent|turn|task)|advis(e|o)rs?$`)
	storeNoun      = lazy(`(?i)session|store|guardrail|moderat|repo$|repository|memory|history|queue|message|user|auth|config|permission|tracer|logger|telemetry|registry|event|hook|schema|lock|metric`)
	toolVerb       = lazy(`^(?i)(call|run|exec|execute|invoke|handle|dispatch|perform|do|use|apply|invokablerun|streamablerun|on_?invoke_?tool)(tool|func|function|action|skill|command|builtin|raw|sync|context|ctx|one|all|stream|json|withcontext)*(calls?|use)?$`)
	funcFieldName  = lazy(`(?i)^(function|func|fn|run|exec|execute|executor|handler|handle|call|callback|invoke|impl|caller|endpoint)$|tool|builtin|handler|endpoint$`)
)

// deref is the type that a pointer points to, or the type itself.
func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// element looks through pointers, slices, maps, arrays and channels.
func element(t types.Type) types.Type {
	for range 8 {
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			t = u.Elem()
		case *types.Slice:
			t = u.Elem()
		case *types.Array:
			t = u.Elem()
		case *types.Map:
			t = u.Elem()
		case *types.Chan:
			t = u.Elem()
		default:
			return t
		}
	}
	return t
}

func isText(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Slice:
		b, ok := u.Elem().Underlying().(*types.Basic)
		return ok && (b.Kind() == types.Byte || b.Kind() == types.Rune)
	}
	return false
}

func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

func isContext(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "context" && n.Obj().Name() == "Context"
}

func typeName(t types.Type) string {
	if n, ok := types.Unalias(element(t)).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

func typePkg(t types.Type) string {
	if n, ok := types.Unalias(element(t)).(*types.Named); ok && n.Obj().Pkg() != nil {
		return n.Obj().Pkg().Path()
	}
	return ""
}

// service reports whether a type is one of those that do something when asked, and hold nothing that is read from them:
// clients, servers, tools, models. What comes out of their methods is found where they are called.
func (s *shapes) service(t types.Type) bool {
	t = types.Unalias(element(t))
	if r, ok := s.services[t]; ok {
		return r
	}
	s.services[t] = false
	r := false
	switch u := t.Underlying().(type) {
	case *types.Interface:
		if u.NumMethods() > 0 && !isError(t) && !hasMethod(t, "Read") && !hasMethod(t, "Write") {
			for i := range u.NumMethods() {
				sig := u.Method(i).Signature()
				r = r || sig.Params().Len() > 0 && isContext(sig.Params().At(0).Type())
			}
			r = r || serviceName.MatchString(typeName(t))
		}
	case *types.Struct:
		r = serviceName.MatchString(typeName(t)) && !s.class(t).toolResult && !s.class(t).message
	}
	s.services[t] = r
	return r
}

var serviceName = lazy(`(Client|Server|Service|Agent|Manager|Provider|Registry|Factory|Config|Options|Logger|LLM|Model|Transport)$`)

// holdsStruct reports whether a value of the type leads to a struct, or to something of unknown type.
func (s *shapes) holdsStruct(t types.Type) bool {
	switch element(t).Underlying().(type) {
	case *types.Struct, *types.Interface:
		return !isError(t)
	}
	return false
}

// class classifies the type that t is, points to or is a list of.
func (s *shapes) class(t types.Type) *class {
	t = types.Unalias(element(t))
	if c, ok := s.classes[t]; ok {
		return c
	}
	c := &class{roleField: -1, idField: -1}
	s.classes[t] = c
	n, _ := t.(*types.Named)
	c.named = n
	st, ok := t.Underlying().(*types.Struct)
	name := ""
	if n != nil {
		name = n.Obj().Name()
	}
	c.namedTool = toolWord.MatchString(name)
	c.toolResult = toolResultName.MatchString(name) && !strings.Contains(strings.ToLower(name), "request")
	if !ok {
		return c
	}
	c.request = toolCallName.MatchString(name) && !c.toolResult
	c.st = st
	c.payload = map[int]bool{}
	var usage, stop, choices, text bool
	for i := range st.NumFields() {
		f := st.Field(i)
		switch fn := f.Name(); {
		case fn == "Role":
			c.roleField = i
		case toolIDName.MatchString(fn):
			c.idField = i
		case fn == "Usage" || fn == "TokenUsage" || fn == "UsageMetadata":
			usage = true
		case fn == "StopReason" || fn == "FinishReason":
			stop = true
		case fn == "Choices" || fn == "Candidates":
			choices = true
		case fn == "Observation":
			c.toolResult = true
		}
		if payloadName.MatchString(f.Name()) && s.carries(f.Type()) {
			c.payload[i] = true
			text = true
		}
	}
	c.message = text && (c.roleField >= 0 || messageName.MatchString(name) && !c.toolResult)
	c.reply = choices && (usage || text || s.answers(st)) || usage && stop
	if c.reply {
		c.toolResult = false
	}
	return c
}

// answers reports whether a struct has choices of which each is a message.
func (s *shapes) answers(st *types.Struct) bool {
	for f := range st.Fields() {
		if n := f.Name(); n != "Choices" && n != "Candidates" {
			continue
		}
		if choice, ok := element(f.Type()).Underlying().(*types.Struct); ok {
			for g := range choice.Fields() {
				if n := g.Name(); n == "Message" || n == "Delta" || n == "Content" {
					return true
				}
			}
		}
	}
	return false
}

func (c *class) fieldName(i int) string {
	if c.st == nil || i < 0 || i >= c.st.NumFields() {
		return ""
	}
	return c.st.Field(i).Name()
}

// fieldOf interns the field number i of the struct type that t is or points to.
func (p *Package) fieldOf(t types.Type, i int) fieldID {
	t = types.Unalias(deref(t))
	st, ok := t.Underlying().(*types.Struct)
	if !ok || i >= st.NumFields() {
		return 0
	}
	v := st.Field(i).Origin()
	if id, ok := p.fieldByVar[v]; ok {
		return id
	}
	owner, pkg := "$", ""
	if n, ok := t.(*types.Named); ok {
		owner = n.Origin().Obj().Name()
		if n.Obj().Pkg() != nil {
			pkg = n.Obj().Pkg().Path()
		}
	} else if v.Pkg() != nil {
		pkg = v.Pkg().Path()
	}
	id := p.fieldIDs.intern(pkg + "." + owner + "." + v.Name())
	p.fieldByVar[v] = id
	p.fieldTypes[id] = v.Type()
	if _, isStruct := element(v.Type()).Underlying().(*types.Struct); isStruct {
		p.fieldHolds[id] = true
	} else if _, isIface := element(v.Type()).Underlying().(*types.Interface); isIface {
		p.fieldHolds[id] = true
	}
	if rules := p.rulesForField(pkg, owner, v.Name()); len(rules) > 0 {
		p.fieldRules[id] = rules
	}
	return id
}

func (p *Package) fieldName(id fieldID) string {
	s := p.fieldIDs.list[id]
	return s[strings.LastIndexByte(s, '.')+1:]
}

// fieldOwner is the struct type that a field belongs to: "pkg.Type".
func (p *Package) fieldOwner(id fieldID) string {
	s := p.fieldIDs.list[id]
	return s[:max(0, strings.LastIndexByte(s, '.'))]
}

// reaches reports whether a value of type t holds a struct of the type called owner, as far as the types say: what an
// interface holds is not known.
func (s *shapes) reaches(t types.Type, owner string) bool {
	set, ok := s.reach[t]
	if !ok {
		set = map[string]bool{}
		s.reach[t] = set
		collectOwners(t, set, map[types.Type]bool{})
	}
	return set[owner]
}

func collectOwners(t types.Type, set map[string]bool, seen map[types.Type]bool) {
	t = types.Unalias(element(t))
	if seen[t] {
		return
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Struct:
		name := "$"
		pkg := ""
		if n, ok := t.(*types.Named); ok {
			name = n.Origin().Obj().Name()
			if n.Obj().Pkg() != nil {
				pkg = n.Obj().Pkg().Path()
			}
		} else if u.NumFields() > 0 && u.Field(0).Pkg() != nil {
			pkg = u.Field(0).Pkg().Path()
		}
		set[pkg+"."+name] = true
		for i := range u.NumFields() {
			collectOwners(u.Field(i).Type(), set, seen)
		}
	}
}

// object reports whether a type is one of the module's own large structs behind a pointer: an agent, a session, a
// server. Telling all their fields apart for every function that is handed one costs more than it shows.
func (p *Package) object(t types.Type) bool {
	if t == nil {
		return false
	}
	if r, ok := p.objects[t]; ok {
		return r
	}
	r := p.object1(t)
	p.objects[t] = r
	return r
}

// own reports whether a type is, or points to, a struct that the module declares.
func (p *Package) own(t types.Type) bool {
	n, ok := types.Unalias(deref(t)).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg() != p.Pkg && p.facts(n.Obj().Pkg().Path()) == nil {
		return false
	}
	_, ok = n.Underlying().(*types.Struct)
	return ok
}

const objectFields = 12

func (p *Package) object1(t types.Type) bool {
	ptr, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	if !p.own(ptr) {
		return false
	}
	n := types.Unalias(ptr.Elem()).(*types.Named)
	if c := p.shapes.class(n); c.toolResult || c.message || c.st == nil {
		return false
	}
	if p.shapes.service(n) {
		return true
	}
	leaves := 0
	countLeaves(p.shapes, n, map[types.Type]bool{}, &leaves)
	return leaves > objectFields
}

// countLeaves counts the fields that hold text, readers or interfaces, however deep.
func countLeaves(s *shapes, t types.Type, seen map[types.Type]bool, n *int) {
	t = types.Unalias(element(t))
	if seen[t] || *n > objectFields {
		return
	}
	seen[t] = true
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		if s.carries(t) {
			*n++
		}
		return
	}
	for i := range st.NumFields() {
		ft := st.Field(i).Type()
		if isText(ft) {
			*n++
			continue
		}
		countLeaves(s, ft, seen, n)
	}
}
