package text

import "strings"

// Options say how much of a text [Select] and [Retainer] keep. A number below 0 means 0. The zero value keeps nothing;
// [Keep.Options] makes the usual ones from one budget.
type Options struct {
	Unit Unit

	// Head and Tail are the most units that are kept from the beginning and from the end. A text of at most Head+Tail
	// units is not cut on their account.
	Head, Tail int

	// HeadLines and TailLines are the most lines of which anything is kept at the beginning and at the end. A text of
	// at most HeadLines+TailLines lines is not cut on their account; if both are 0, no text is.
	HeadLines, TailLines int

	// Exact cuts as close to the budget as is safe. Without it a side is cut at a line end if it still holds more
	// than half of its units then. spec: OFF-4
	Exact bool
}

func (o Options) clamp() Options {
	o.Head, o.Tail = max(o.Head, 0), max(o.Tail, 0)
	o.HeadLines, o.TailLines = max(o.HeadLines, 0), max(o.TailLines, 0)
	return o
}

// fits reports whether a text of this size is kept whole.
func (o Options) fits(total Size) bool {
	return total.In(o.Unit) <= add(o.Head, o.Tail) && !o.tooLong(total)
}

func (o Options) tooLong(total Size) bool {
	lines := add(o.HeadLines, o.TailLines)
	return lines > 0 && total.Lines > lines
}

// A Selection is what is kept of a text. Head and Tail are valid UTF-8, as [Clean] shows them.
type Selection struct {
	Head string // the whole text if nothing was omitted
	Tail string

	Total   Size // of the text selected from
	Omitted Size // of what lies between Head and Tail
}

// Cut reports whether anything was omitted.
func (s Selection) Cut() bool { return s.Omitted.Raw > 0 }

// Kept is the size of what was kept: Total without Omitted. A line belongs to the side that has its end, so a line cut
// in the middle is counted with the tail if its end is there, and else as omitted. spec: UNI-4
func (s Selection) Kept() Size { return s.Total.minus(s.Omitted) }

// Join returns the kept text with mark where something was omitted, and the whole text, without it and without copying,
// if nothing was.
func (s Selection) Join(mark string) string {
	if !s.Cut() {
		return s.Head
	}
	return s.Head + mark + s.Tail
}

// Select keeps the two ends of s within the budgets of o. It reads s once and copies only what is invalid UTF-8: else
// Head and Tail are parts of s, and as long as they are in use, all of s stays in memory. [Selection.Join] copies.
//
// If s fits, it is kept whole. Else each side keeps as much of its budget as safe cuts allow, or a little less to end
// at a line end; what one side leaves over does not go to the other. A text that is one single line is cut inside the
// line and keeps both ends. spec: OFF-4, UNI-3, UNI-4, UNI-5
func Select(s string, o Options) Selection { return o.Select(s, Measure(s)) }

// Select is the function Select for a text whose size was measured before: total must be Measure(s). It reads only what
// it keeps, and a line beyond.
func (o Options) Select(s string, total Size) Selection {
	o = o.clamp()
	if o.fits(total) {
		return Selection{Head: show(s, total), Total: total}
	}
	return o.pair(s, s, total)
}

// pair cuts the head from a text's beginning and the tail from its end.
func (o Options) pair(begin, end string, total Size) Selection {
	long := o.tooLong(total)
	head := begin[:o.head(begin, long)]
	tail := end[o.tail(end, long):]

	h, t := Measure(head), Measure(tail)
	h.Lines = strings.Count(head, "\n")
	return Selection{
		Head:    show(head, h),
		Tail:    show(tail, t),
		Total:   total,
		Omitted: total.minus(h).minus(t),
	}
}

// head returns where the head ends. Line ends are safe cuts: no unit that must stay whole has an LF before its end.
func (o Options) head(s string, long bool) int {
	i := o.Unit.headEnd(s, o.Head)
	if long {
		if j := lineEnd(s[:i], o.HeadLines); j >= 0 {
			return j
		}
	}
	if o.Exact {
		return i
	}
	if j := strings.LastIndexByte(s[:i], '\n') + 1; o.enough(s[:j], o.Head) {
		return j
	}
	return i
}

// tail returns where the tail begins.
func (o Options) tail(s string, long bool) int {
	i := o.Unit.tailStart(s, o.Tail)
	if long {
		if j := lineStart(s[i:], o.TailLines); j > 0 {
			return i + j
		}
	}
	if o.Exact || i == 0 || s[i-1] == '\n' {
		return i
	}
	if j := i + strings.IndexByte(s[i:], '\n') + 1; o.enough(s[j:], o.Tail) {
		return j
	}
	return i
}

// enough reports whether a side that ends up with s loses less than half of its budget.
func (o Options) enough(s string, budget int) bool {
	return 2*o.Unit.Count(s) > budget
}

// show is Clean for a text whose size is known.
func show(s string, z Size) string {
	if z.Bytes == z.Raw {
		return s
	}
	return Clean(s)
}
