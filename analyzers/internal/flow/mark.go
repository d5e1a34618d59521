package flow

import (
	"cmp"
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

// pieced is the entry for something that is short by itself, of which many are not.
func (e entry) pieced(lvl Level, limit int64) entry {
	if e.lvl > lvl && e.id != heapID {
		e.lvl, e.limit, e.by, e.piece = lvl, limit, -1, true
	}
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

// settled makes a value with too many fields of its own a whole.
func (v val) settled() val {
	if len(v.fields) > fieldsApart || v.whole && len(v.fields) > 0 {
		return val{self: v.all(), whole: true}
	}
	return v
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
