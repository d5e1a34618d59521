package flow

import (
	"cmp"
	"go/types"
	"slices"
)

// A Level says how large a value may get. The order is the lattice's.
type Level uint8

const (
	Clean     Level = iota // carries no tool output
	Bounded                // carries tool output below a limit
	Loose                  // carries tool output below a limit that is larger than Config.Loose
	Unbounded              // carries tool output of any size
)

func (l Level) String() string {
	return [...]string{"clean", "bounded", "loose", "unbounded"}[l]
}

// An originID names where a mark comes from: a kind of source, by its number; a parameter, by its number and the field
// of it; or what a function value in a parameter returns. Parameters sort by number, the whole before its fields.
type originID int32

type originKind uint8

const (
	fromSource originKind = iota // a source, src is its kind
	fromParam                    // parameter param (receiver first, free variables last), field of it or all of it
	fromResult                   // what the function value in parameter param returns
	fromHeap                     // a struct of which only what its fields hold anywhere is known
)

type origin struct {
	kind  originKind
	param int16
	field fieldID
	src   string
}

const (
	fieldBits            = 20
	resultFlag  originID = 1 << 30
	maxFieldID           = 1<<fieldBits - 1
	paramFields          = 6 // fields of one parameter that a mark tells apart
)

func (p *Package) intern(o origin) originID {
	switch o.kind {
	case fromParam:
		return originID(o.param+1)<<fieldBits | originID(min(o.field, maxFieldID))
	case fromHeap:
		return heapID
	case fromResult:
		return resultFlag | originID(o.param+1)<<fieldBits
	}
	return p.kinds.intern(o.src)
}

// heapID is the number of the heap, which sorts before all kinds.
const heapID originID = 0

var heapMark = mark{{id: heapID, lvl: Unbounded, by: -1, limit: noLimit, weak: true, toldT: true, toldH: true}}

func (p *Package) origin(id originID) origin {
	if id == heapID {
		return origin{kind: fromHeap}
	}
	if param := id &^ resultFlag >> fieldBits; param > 0 {
		if id&resultFlag != 0 {
			return origin{kind: fromResult, param: int16(param - 1)}
		}
		return origin{kind: fromParam, param: int16(param - 1), field: fieldID(id & maxFieldID)}
	}
	return origin{kind: fromSource, src: p.kinds.list[id]}
}

// whole is the origin that stands for the parameter that id is a field of; ok is false for anything else.
func (id originID) whole() (originID, bool) {
	if id >= resultFlag || id>>fieldBits == 0 || id&maxFieldID == 0 {
		return id, false
	}
	return id &^ maxFieldID, true
}

// noLimit is the limit of an entry whose bound has no number that the analysis could find.
const noLimit int64 = -1

// An entry says that one origin reaches a value, how large it may be there, and by which way it came.
type entry struct {
	id     originID
	lvl    Level
	by     int16 // parameter that holds the limit, or -1: the caller knows the number
	piece  bool  // the bound is that of one token, line or name: a loop that collects them has none
	loops  bool  // collected in a loop: pieces become a whole of any size
	whole  bool  // collected while there were few: pieces are pieces no more
	err    bool  // was written into the text of an error
	stored bool  // was in a field of a struct that some other function filled in
	weak   bool  // a step went through a function nobody has modelled, or the source is known by its shape only
	toldT  bool  // already reported as a tool's return
	toldH  bool  // already reported as a history entry
	limit  int64
	tr     *trace
}

// A trace is the way a value came, newest hop first. Traces are not part of a value's identity.
type trace struct {
	pos  place
	what string
	prev *trace
}

// A mark is a set of entries, sorted by origin, at most one per origin. A field of a parameter is left out if the whole
// parameter is there with the same level. Marks are immutable.
type mark []entry

func (m mark) find(id originID) (entry, bool) {
	i, ok := slices.BinarySearchFunc(m, id, func(e entry, id originID) int { return cmp.Compare(e.id, id) })
	if !ok {
		return entry{}, false
	}
	return m[i], true
}

// merge joins two entries of one origin: the larger level wins, with its limit and trace. At one level what proves less
// wins, so that merging again changes nothing.
func (e entry) merge(o entry) entry {
	if o.lvl > e.lvl {
		return o
	}
	if o.lvl < e.lvl {
		return e
	}
	e.limit = joinLimit(e.limit, o.limit)
	if e.by != o.by {
		e.by = -1
	}
	e.piece = e.piece || o.piece
	e.loops = e.loops || o.loops
	e.whole = e.whole && o.whole
	e.err = e.err || o.err
	e.stored = e.stored && o.stored
	e.weak = e.weak && o.weak
	e.toldT, e.toldH = e.toldT && o.toldT, e.toldH && o.toldH
	return e
}

// collected is the entry for many of what e is one of.
func (e entry) collected() entry {
	if e.piece && e.lvl == Bounded {
		e.lvl, e.piece, e.limit = Unbounded, false, noLimit
	}
	if e.id>>fieldBits > 0 {
		if e.whole {
			return e
		}
		e.loops = true // what a caller passes may be a piece
	}
	return e
}

func joinLimit(a, b int64) int64 {
	if a == noLimit || b == noLimit {
		return noLimit
	}
	return max(a, b)
}

// sameEntry compares what the fixpoint looks at: everything but the trace.
func sameEntry(a, b entry) bool {
	a.tr, b.tr = nil, nil
	return a == b
}

func join(a, b mark) mark {
	if len(b) == 0 {
		return a
	}
	if len(a) == 0 {
		return b
	}
	if subset(b, a) {
		return a
	}
	out := make(mark, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].id < b[0].id:
			out, a = append(out, a[0]), a[1:]
		case len(a) == 0 || b[0].id < a[0].id:
			out, b = append(out, b[0]), b[1:]
		default:
			out = append(out, a[0].merge(b[0]))
			a, b = a[1:], b[1:]
		}
	}
	return out.settled()
}

// settled puts a mark into its normal form: fields that the whole parameter covers are dropped, and a parameter of
// which too many fields are told apart becomes the whole. Without it, recursion over large structs would multiply
// every field with every other; what is given up is precision, nothing is lost.
func (m mark) settled() mark {
	for i := 0; i < len(m); {
		w, isField := m[i].id.whole()
		if !isField && m[i].id>>fieldBits == 0 {
			i++
			continue
		}
		// The group of one parameter is m[i:j].
		j := i + 1
		for j < len(m) {
			if v, ok := m[j].id.whole(); !ok || v != w {
				break
			}
			j++
		}
		hasWhole := !isField
		n := j - i
		if hasWhole {
			n--
		}
		switch {
		case n > paramFields:
			e := m[i]
			for _, o := range m[i+1 : j] {
				e = e.merge(o)
			}
			e.id = w
			m[i] = e
			m = append(m[:i+1], m[j:]...)
			i++
		case hasWhole:
			k := i + 1
			for _, o := range m[i+1 : j] {
				if !sameEntry(rename(m[i], o.id), rename(m[i], o.id).merge(o)) {
					m[k] = o
					k++
				}
			}
			m = append(m[:k], m[j:]...)
			i = k
		default:
			i = j
		}
	}
	return m
}

func rename(e entry, id originID) entry {
	e.id = id
	return e
}

// subset reports whether joining b into a changes nothing.
func subset(b, a mark) bool {
	for _, e := range b {
		o, ok := a.find(e.id)
		if ok && sameEntry(o, o.merge(e)) {
			continue
		}
		w, isField := e.id.whole()
		if !isField {
			return false
		}
		if o, ok = a.find(w); !ok || !sameEntry(o, o.merge(rename(e, w))) {
			return false
		}
	}
	return true
}

// mapped applies f to every entry; f keeps the origin.
func (m mark) mapped(f func(entry) entry) mark {
	if len(m) == 0 {
		return nil
	}
	out := make(mark, len(m))
	for i, e := range m {
		out[i] = f(e)
	}
	return out
}

func (m mark) lowered(lvl Level, limit int64, by int16) mark {
	return m.mapped(func(e entry) entry {
		if e.lvl > lvl && e.id != heapID {
			e.lvl, e.limit, e.by, e.piece = lvl, limit, by, false
		}
		return e
	})
}

func (m mark) level() Level {
	l := Clean
	for _, e := range m {
		if e.id == heapID {
			continue
		}
		l = max(l, e.lvl)
	}
	return l
}

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

// settled makes a value with too many fields of its own a whole.
func (v val) settled() val {
	if len(v.fields) > fieldsApart || v.whole && len(v.fields) > 0 {
		return val{self: v.all(), whole: true}
	}
	return v
}

// all is everything the value carries, whatever the field.
func (v val) all() mark {
	m := v.self
	for _, f := range v.fields {
		m = join(m, f.m)
	}
	return m
}

func (v val) mapped(f func(entry) entry) val {
	out := val{self: v.self.mapped(f), whole: v.whole}
	for _, fm := range v.fields {
		out.fields = append(out.fields, fieldMark{fm.id, fm.m.mapped(f)})
	}
	return out
}

func (v val) lowered(lvl Level, limit int64, by int16) val {
	if v.empty() {
		return v
	}
	out := val{self: v.self.lowered(lvl, limit, by), whole: v.whole}
	for _, fm := range v.fields {
		out.fields = append(out.fields, fieldMark{fm.id, fm.m.lowered(lvl, limit, by)})
	}
	return out
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

// interner gives small numbers to comparable things, in order of first use.
type interner[K comparable, ID ~int32] struct {
	ids  map[K]ID
	list []K
}

func (t *interner[K, ID]) intern(k K) ID {
	if id, ok := t.ids[k]; ok {
		return id
	}
	if t.ids == nil {
		t.ids = map[K]ID{}
	}
	id := ID(len(t.list))
	t.ids[k] = id
	t.list = append(t.list, k)
	return id
}
