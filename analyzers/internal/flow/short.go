package flow

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// shortField matches the names of fields that hold identifiers and the like, which are short by what they are for, in
// whatever they came.
var shortField = lazy(`^(id|uuid|guid|sha|sha1|sha256|.*(ID|Id|UUID|SHA|Sha|Hash)|(?i:([a-z]+_?)?version|tag|tag_?name|hash|digest|etag|checksum|mime_?type|content_?type|lang|language|locale|currency|time_?stamp|created_?at|updated_?at|date|token|(access|refresh)_?token))$`)

// short reports whether a field is such a field.
func (p *Package) short(id fieldID, t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0 && shortField.MatchString(p.fieldName(id))
}

// identifier is what a value carries in a short field.
func identifier(x val) val {
	return x.mapped(func(e entry) entry { return e.pieced(Bounded, noLimit) })
}

// keepingName matches the names of functions that put something away and return where it is; askingName those of
// functions that have a model write something.
var (
	keepingName = lazy(`(?i)^(store|put|save|persist|spill|offload|archive|upload|stash|dump)`)
	askingName  = lazy(`(?i)^(summari[sz]e|complete|generate|chat|ask)`)
	askingType  = lazy(`(?i)summari|complet|generat|chat|llm`)
)

// answerName matches the names of functions that look up what a model has said.
var answerName = lazy(`(?i)(assistant|model)_?(message|text|content|reply|response|answer|output)`)

// looksUpAnswer reports whether a function finds what a model has said: it is told nothing that it could repeat.
func looksUpAnswer(name string, sig *types.Signature) bool {
	if !answerName.MatchString(name) || sig.Results().Len() == 0 || !isText(sig.Results().At(0).Type()) {
		return false
	}
	for v := range sig.Params().Variables() {
		if !isContext(v.Type()) && !isInt(v.Type()) {
			return false
		}
	}
	return true
}

// elsewhere reports whether a call that cannot be followed keeps what it is given and returns something of its own:
// the handle of a store, or the words of a model.
func elsewhere(common *ssa.CallCommon, name string, sig *types.Signature) bool {
	if !common.IsInvoke() && common.StaticCallee() != nil {
		return false
	}
	if name == "" {
		if ld, ok := common.Value.(*ssa.UnOp); ok {
			if fa, ok := ld.X.(*ssa.FieldAddr); ok {
				if st, ok := deref(fa.X.Type()).Underlying().(*types.Struct); ok {
					name = st.Field(fa.Field).Name()
				}
			}
		}
	}
	return keepingName.MatchString(name) ||
		askingName.MatchString(name) && sig.Params().Len() > 0 && isContext(sig.Params().At(0).Type())
}

// hookNoun matches the names of functions that watch over tools and are none.
var hookNoun = lazy(`^(Before|After|On|Pre|Post|before|after|on|pre|post)[A-Z]|(?i:hook|listener|observer|approv|permission|policy|confirm|elicit)`)

var (
	labelName  = lazy(`(?i)^(.*id|.*name|state|status|type|kind|phase|role|level|.*url|uri|sha|hash|login|email|title|subject|label|version|owner|namespace|path|ref|branch|language|locale|country|timezone|created_?at|updated_?at|time|date|mime_?type|content_?type|reason|priority|color|currency|link|href)$`)
	structured = map[string]bool{"remote": true, "kubernetes": true, "database": true, "http": true, "mcp": true}
)

// A hit of a search: services give them out by the page, and what is shown of each is short.
var snippetName = lazy(`(?i)^(snippets?|author)$`)

// searchHit reports whether a field belongs to one hit of a search, and is what is shown of it.
func (c *class) searchHit(field int) bool {
	if c.st == nil || !labelName.MatchString(c.fieldName(field)) && !snippetName.MatchString(c.fieldName(field)) {
		return false
	}
	title, link, hit := false, false, hitName.MatchString(typeNameOf(c.named))
	for f := range c.st.Fields() {
		switch strings.ToLower(f.Name()) {
		case "title":
			title = true
		case "url", "link", "href":
			link = true
		case "snippet", "snippets":
			hit = true
		case "body", "content", "text":
			return false
		}
	}
	return title && link && hit
}

var hitName = lazy(`(?i)(hit|result)s?$`)

func typeNameOf(n *types.Named) string {
	if n == nil {
		return ""
	}
	return n.Obj().Name()
}

// label is what a label-like part of a thing carries: what services say there is short.
func (f *function) label(x val) val {
	return x.mapped(func(e entry) entry {
		if o := f.p.origin(e.id); o.kind == fromParam || o.kind == fromSource && structured[o.src] {
			return e.pieced(Bounded, noLimit)
		}
		return e
	})
}

// imageName is what a field called Image carries: the name of one in Kubernetes, a picture elsewhere.
func (f *function) imageName(x val) val {
	return x.mapped(func(e entry) entry {
		if o := f.p.origin(e.id); o.kind == fromSource && o.src == "kubernetes" {
			return e.pieced(Bounded, noLimit)
		}
		return e
	})
}

// labelled reports whether a pointer to text was read from a label-like field.
func (f *function) labelled(ptr ssa.Value) bool {
	switch v := ptr.(type) {
	case *ssa.UnOp:
		if fa, ok := v.X.(*ssa.FieldAddr); ok && v.Op == token.MUL {
			return labelName.MatchString(f.p.fieldName(f.p.fieldOf(fa.X.Type(), fa.Field)))
		}
	case *ssa.Field:
		return labelName.MatchString(f.p.fieldName(f.p.fieldOf(v.X.Type(), v.Field)))
	}
	return false
}

// labelCall reports whether a call reads a label-like part of a thing: a getter named after it, or an accessor whose
// last constant argument names it.
func labelCall(name string, recv ssa.Value, args []ssa.Value) bool {
	if recv != nil && len(args) == 0 {
		return labelName.MatchString(strings.TrimPrefix(name, "Get"))
	}
	if !strings.HasPrefix(name, "Nested") {
		return false
	}
	last := ""
	for _, a := range args {
		for _, v := range elements(a) {
			if t := constText(v, 0); t != "" {
				last = t
			}
		}
	}
	return last != "" && labelName.MatchString(last)
}
