package bounding

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/text"
)

// piece is one text of an entry on its way through the passes: the body of a result, or its metadata. What is known about
// the original is measured once and stays, so that a later, tighter pass renders the same notice with the same counts
// around less of the same text, and nothing ever nests.
//
// spec: OFF-5, UNI-4
type piece struct {
	shown string    // what the entry shows, valid UTF-8
	units int       // of shown
	total text.Size // of the original
	raw   string    // the original, while all of it is shown and it is not valid UTF-8

	cut        bool   // shown is a notice with what is kept around a mark
	head, tail string // what is kept, parts of shown

	outcome Outcome // of saving the original; NotNeeded before that was tried
	ref     spill.Ref
}

// fresh is the piece that shows all of a text, which is not valid UTF-8 before it was cleaned.
func fresh(u text.Unit, original string) piece {
	total := text.Measure(original)
	return piece{shown: original, total: total, units: total.In(u)}
}

// clean makes what is shown valid UTF-8. It comes after all bounds, so that a text that is cut is spared the copy.
//
// spec: UNI-2, UNI-6
func (p *piece) clean() {
	if !p.cut && p.raw == "" && p.total.Raw != p.total.Bytes {
		p.raw, p.shown = p.shown, text.Clean(p.shown)
	}
}

// original returns the whole text. Once it is cut, there is none.
func (p *piece) original() string {
	if p.raw != "" {
		return p.raw
	}
	return p.shown
}

// cut says how to shorten a piece.
type cut struct {
	what    string // outputText or contextText, in the notice
	keep    text.Keep
	max     int // units of the result, 0 or more
	preview int // units of what is kept
	lines   int // lines of the result, or Unlimited
}

// noticeLines is what notice and mark add to the lines of a preview.
const noticeLines = 3

// shorten returns the piece within c.max units: the notice, and as much of both ends as fits beside it. Where not even the
// notice fits, the pointer is what stays longest. The piece must have been saved, or must have a reason why not, and must
// be larger than c.max.
//
// spec: UNI-4, UNI-5, OFF-4, OFF-9
func (p piece) shorten(u text.Unit, c cut) piece {
	notice := p.notice(u, c.what)
	full := notice.String()
	room := c.max - u.Count(full) - len("\n") - u.Count(mark(u, p.total.In(u)))
	head, tail := p.narrow(u, c, min(room, c.preview))
	p.cut, p.raw = true, ""
	if head == "" && tail == "" {
		p.shown, p.head, p.tail = notice.Fit(u, c.max), "", ""
	} else {
		gap := mark(u, p.total.In(u)-u.Count(head)-u.Count(tail))
		p.shown = full + "\n" + head + gap + tail // one copy: what is kept must not keep the original in memory
		begin := len(full) + len("\n")
		p.head = p.shown[begin : begin+len(head)]
		p.tail = p.shown[begin+len(head)+len(gap):]
	}
	p.units = u.Count(p.shown)
	return p
}

// narrow returns what is kept in room units, nothing if room is below 0, and in the lines of c. The whole text is not read
// again: its size is known.
func (p *piece) narrow(u text.Unit, c cut, room int) (head, tail string) {
	o := c.keep.Options(u, room, max(c.lines-noticeLines, 0))
	if c.lines >= 0 && c.lines <= noticeLines {
		return "", ""
	}
	if !p.cut {
		sel := o.Select(p.original(), p.total)
		return sel.Head, sel.Tail
	}
	if c.lines < 0 || o.HeadLines > 0 {
		head = text.Select(p.head, text.Options{Unit: u, Head: o.Head, HeadLines: o.HeadLines}).Head
	}
	if c.lines >= 0 && o.TailLines == 0 {
		return head, ""
	}
	end := text.Select(p.tail, text.Options{Unit: u, Tail: o.Tail, TailLines: o.TailLines})
	if end.Cut() {
		return head, end.Tail
	}
	return head, end.Head
}

const markLead = "\n[... "

// mark stands where n units were left out.
func mark(u text.Unit, n int) string {
	return markLead + strconv.Itoa(n) + " " + unitLabel(u) + " omitted ...]\n"
}

func unitLabel(u text.Unit) string {
	switch u {
	case text.Bytes:
		return "bytes"
	case text.Runes:
		return "code points"
	}
	return "UTF-16 units"
}

// What the notices call the two texts of a result.
const (
	outputText  = "output"
	contextText = "context"
)

const (
	leadSaved = "[Shortened. The whole %s is in "
	leadLost  = "[Shortened. The rest of the %s is lost: "
)

// notice says where the original is, or why it is nowhere, and how large it was.
func (p *piece) notice(u text.Unit, what string) text.Notice {
	n := text.Notice{Lead: leadLost, Pointer: reasons[p.outcome]}
	if p.outcome == Saved {
		n.Lead, n.Pointer = leadSaved, p.ref.Locator
	}
	n.Lead = strings.Replace(n.Lead, "%s", what, 1)
	var b strings.Builder
	b.WriteString(": " + strconv.Itoa(p.total.In(u)) + " " + unitLabel(u))
	b.WriteString(" in " + strconv.Itoa(p.total.Lines) + " lines, " + strconv.Itoa(p.total.Raw) + " bytes")
	if p.outcome == Saved {
		b.WriteString(", sha256 " + p.ref.SHA256 + ".")
	}
	if p.outcome == Saved && p.ref.RetrievalHint != "" {
		b.WriteString(" " + p.ref.RetrievalHint)
	}
	n.Rest = b.String() + "]"
	return n
}

// placeholder shortens what stands for a cleared body to limit units; the locator, if it shows one, stays longest.
//
// spec: UNI-5, WMK-3
func (p piece) placeholder(u text.Unit, limit int) piece {
	const word = "cleared"
	before, after, _ := strings.Cut(ClearedText, word)
	notice := text.Notice{Lead: before, Pointer: word, Rest: after}
	if l := p.ref.Locator; l != "" && strings.Contains(p.shown, l) {
		notice = text.Notice{Lead: clearedInto, Pointer: l}
	}
	p.shown = notice.Fit(u, limit)
	p.units = u.Count(p.shown)
	return p
}
