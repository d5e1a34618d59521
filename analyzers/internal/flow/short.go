package flow

import (
	"go/types"
)

// shortField matches the names of fields that hold identifiers and the like, which are short by what they are for, in
// whatever they came.
var shortField = lazy(`^(id|uuid|guid|sha|sha1|sha256|.*(ID|Id|UUID|SHA|Sha|Hash)|(?i:([a-z]+_?)?version|tag|tag_?name|hash|digest|etag|checksum|mime_?type|content_?type|lang|language|locale|currency|time_?stamp|created_?at|updated_?at|date|token|(access|refresh)_?token))$`)

// short reports whether a field is such a field.
func (p *Package) short(id fieldID, t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0 && shortField.MatchString(p.fieldName(id))
}

// identifier is what a value carries in a short field: one is short, any number of them are not.
func identifier(x val) val {
	return x.mapped(func(e entry) entry {
		if e.lvl > Bounded && e.id != heapID {
			e.lvl, e.limit, e.by, e.piece = Bounded, noLimit, -1, true
		}
		return e
	})
}

// hookNoun matches the names of functions that watch over tools and are none.
var hookNoun = lazy(`^(Before|After|On|Pre|Post|before|after|on|pre|post)[A-Z]|(?i:hook|listener|observer|approv|permission|policy|confirm)`)
