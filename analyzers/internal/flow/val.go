package flow

import (
	"cmp"
	"go/types"
	"slices"
)

// A fieldID names a struct field across packages: "pkg.Type.Field", interned. 0 means the whole value.
type fieldID int32

// A val is the abstract value of an SSA value: what it carries as a whole, and, for the fields named in fields, what
// they carry instead. Pointers, slices, maps, channels and interfaces are looked through: the val of a []Result tells
// about the fields of Result. Vals are immutable.
type val struct {
	self   mark
	fields []fieldMark // sorted by id; an entry replaces self for that field
	whole  bool        // had too many fields: they are told apart no more
}

type fieldMark struct {
	id fieldID
	m  mark
}

func (v val) empty() bool {
	if len(v.self) > 0 {
		return false
	}
	for _, f := range v.fields {
		if len(f.m) > 0 {
			return false
		}
	}
	return true
}

func (v val) override(id fieldID) (mark, bool) {
	for _, f := range v.fields {
		if f.id == id {
			return f.m, true
		}
	}
	return nil, false
}

func (v val) with(id fieldID, m mark) val {
	i, ok := slices.BinarySearchFunc(v.fields, id, func(f fieldMark, id fieldID) int { return cmp.Compare(f.id, id) })
	fs := slices.Clone(v.fields)
	if ok {
		fs[i].m = m
	} else {
		fs = slices.Insert(fs, i, fieldMark{id, m})
	}
	return val{self: v.self, fields: fs}.settled()
}

// fieldsApart is how many fields of a value are told apart.
const fieldsApart = 20

// all is everything the value carries, whatever the field.
func (v val) all() mark {
	m := v.self
	for _, f := range v.fields {
		m = join(m, f.m)
	}
	return m
}

// joinVal joins two values. A field that only one of them overrides is read from the other's self.
func (p *Package) joinVal(a, b val) val {
	if len(a.self) == 0 && len(a.fields) == 0 && !a.whole {
		return b
	}
	if len(b.self) == 0 && len(b.fields) == 0 && !b.whole {
		return a
	}
	if a.whole || b.whole {
		return val{self: join(a.all(), b.all()), whole: true}
	}
	out := val{self: join(a.self, b.self)}
	if len(a.fields) == 0 && len(b.fields) == 0 {
		return out
	}
	i, j := 0, 0
	for i < len(a.fields) || j < len(b.fields) {
		switch {
		case j == len(b.fields) || i < len(a.fields) && a.fields[i].id < b.fields[j].id:
			f := a.fields[i]
			out.fields = append(out.fields, fieldMark{f.id, join(f.m, p.narrow(b.self, f.id))})
			i++
		case i == len(a.fields) || b.fields[j].id < a.fields[i].id:
			f := b.fields[j]
			out.fields = append(out.fields, fieldMark{f.id, join(f.m, p.narrow(a.self, f.id))})
			j++
		default:
			out.fields = append(out.fields, fieldMark{a.fields[i].id, join(a.fields[i].m, b.fields[j].m)})
			i, j = i+1, j+1
		}
	}
	return out.settled()
}

// narrow is the part of a whole value's mark that its field id has: a parameter becomes that field of the parameter, if
// its type has such a field.
func (p *Package) narrow(m mark, id fieldID) mark {
	if id == 0 || len(m) == 0 || p.cur != nil && p.cur.coarse {
		return m
	}
	var out mark
	changed := false
	for i, e := range m {
		o := p.origin(e.id)
		part := o.kind == fromParam && o.field != id && p.mayHold(o, id)
		if !part && !changed {
			continue
		}
		if !changed {
			changed = true
			out = append(out, m[:i]...)
		}
		if part {
			if p.object(p.originType(o)) {
				continue // what its fields hold is known by the field, wherever it was stored
			}
			o.field = id
			e.id = p.intern(o)
		}
		out = join(out, mark{e})
	}
	if !changed {
		return m
	}
	return out
}

// originType is the type of what an origin names, nil if it is not known.
func (p *Package) originType(o origin) types.Type {
	if o.field != 0 {
		return p.fieldTypes[o.field]
	}
	if p.cur != nil {
		return p.cur.paramType(int(o.param))
	}
	return nil
}

// mayHold reports whether what an origin names can be a struct that has the field id, directly or further inside.
func (p *Package) mayHold(o origin, id fieldID) bool {
	if p.fieldHolds[id] {
		return false // its own fields will be read, and narrow it further
	}
	t := p.originType(o)
	if t == nil {
		return false
	}
	return p.shapes.reaches(t, p.fieldOwner(id))
}

// field reads one field of a value.
func (p *Package) field(v val, id fieldID) val {
	if id == 0 {
		return v
	}
	if m, ok := v.override(id); ok {
		return val{self: m}
	}
	out := val{self: p.narrow(v.self, id)}
	if open(v.self) {
		if !p.fieldHolds[id] || p.storedHistory(id) {
			out.self = out.self[1:]
		}
		out.self = join(out.self, p.fieldNode(id))
	}
	// A struct held in the field is flattened into its holder, so its own fields come along.
	if p.fieldHolds[id] {
		out.fields, out.whole = v.fields, v.whole
	}
	return out
}

// open reports whether a mark stands for a struct of which it is not known who filled it in.
func open(m mark) bool { return len(m) > 0 && m[0].id == heapID }

// closed is the value of a text, which has no fields that others could fill in.
func (v val) closed() val {
	if open(v.self) {
		v.self = v.self[1:]
	}
	return v
}

func sameVal(a, b val) bool {
	if a.whole != b.whole || len(a.fields) != len(b.fields) || !slices.EqualFunc(a.self, b.self, sameEntry) {
		return false
	}
	for i := range a.fields {
		if a.fields[i].id != b.fields[i].id || !slices.EqualFunc(a.fields[i].m, b.fields[i].m, sameEntry) {
			return false
		}
	}
	return true
}
