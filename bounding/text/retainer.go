package text

import (
	"unicode/utf8"
	"unsafe"
)

// A Retainer keeps the two ends of a text that is written to it in chunks, and counts all of it. However the text is
// chunked, [Retainer.Selection] is what [Select] returns for the whole of it. spec: UNI-6
//
// Its memory is at most twice the bytes that ends of these sizes can take, and 24 KB more: a unit is at most 3 bytes of
// UTF-8 in UTF16 and 4 in Runes. It is twice the bytes that the ends do take while the text is of one kind; where the text
// becomes narrower, the tail's share follows once as much again was written.
// Writes never fail. A Retainer is not safe for concurrent use.
type Retainer struct {
	o     Options
	meter meter

	head  []byte // the beginning: Head units and what is in reach behind them
	read  int    // bytes of head whose units are counted
	left  int    // units that head may still take
	limit int    // length at which head has enough; 0 until it is known

	tail    []byte // the end of what came after head
	keep    int    // length of tail when it was last trimmed
	dropped bool   // whether bytes between head and tail are gone
}

// NewRetainer returns an empty retainer. Numbers below 0 in o mean 0.
func NewRetainer(o Options) *Retainer {
	o = o.clamp()
	return &Retainer{o: o, left: o.Head}
}

// Write adds a chunk. It always takes all of p, which it does not keep.
func (r *Retainer) Write(p []byte) (int, error) {
	return r.WriteString(view(p))
}

// WriteString adds a chunk. It always takes all of s.
func (r *Retainer) WriteString(s string) (int, error) {
	n := len(s)
	r.meter.write(s)
	r.addTail(s[r.addHead(s):])
	return n, nil
}

// Selection returns what is kept of the text so far. Writing may go on afterwards.
func (r *Retainer) Selection() Selection {
	if !r.dropped {
		return Select(string(r.head)+string(r.tail), r.o)
	}
	return r.o.pair(string(r.head), string(r.tail), r.meter.size())
}

// addHead appends what the head still needs and returns how many bytes that were.
func (r *Retainer) addHead(s string) int {
	done := 0
	for r.limit == 0 && done < len(s) {
		n := min(len(s)-done, add(r.left, utf8.UTFMax))
		r.head = append(r.head, s[done:done+n]...)
		done += n
		r.countHead()
	}
	if n := min(len(s)-done, r.limit-len(r.head)); n > 0 {
		r.head = append(r.head, s[done:done+n]...)
		done += n
	}
	return done
}

// countHead counts the units that head takes, and sets limit once no more fit.
func (r *Retainer) countHead() {
	rest := view(r.head[r.read:])
	rest = rest[:len(rest)-partial(rest)]
	n := r.o.Unit.forward(rest, r.left)
	r.read += n
	r.left -= r.o.Unit.Count(rest[:n])
	if n < len(rest) {
		r.limit = r.read + reach
	}
}

// addTail appends to the tail. When the tail has become twice as long as it was after the last trim, it is trimmed, so
// that trimming costs a constant amount for each byte written.
func (r *Retainer) addTail(s string) {
	if len(s) > 2*r.keep+reach {
		if from := r.tailFrom(s); from > 0 { // s alone is more than enough
			r.dropped = true
			r.tail = r.tail[:0]
			s = s[from:]
		}
	}
	for len(s) > 0 {
		full := 2*r.keep + reach
		n := min(len(s), full-len(r.tail))
		if len(r.tail)+n > cap(r.tail) {
			r.tail = append(make([]byte, 0, full), r.tail...)
		}
		r.tail = append(r.tail, s[:n]...)
		s = s[n:]
		if len(r.tail) == full {
			r.trim()
		}
	}
}

func (r *Retainer) trim() {
	if from := r.tailFrom(view(r.tail)); from > 0 {
		r.dropped = true
		r.tail = append(r.tail[:0], r.tail[from:]...)
	}
	r.keep = len(r.tail)
	if full := 2*r.keep + reach; cap(r.tail) > full+full/4 { // the text has become narrower, or was not cut before
		r.tail = append(make([]byte, 0, full), r.tail...)
	}
}

// tailFrom returns where the part of s begins that the tail needs if nothing comes after s: its units and what is in
// reach before them. A rune that is not complete yet is not counted, because its bytes count more apart than together.
func (r *Retainer) tailFrom(s string) int {
	return max(0, r.o.Unit.backward(s[:len(s)-partial(s)], r.o.Tail)-reach)
}

// view is p as a string, for as long as p does not change.
func view(p []byte) string {
	return unsafe.String(unsafe.SliceData(p), len(p))
}
