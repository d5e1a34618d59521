package scenario

import (
	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/text"
)

// session is what a decoder knows of the session so far, to choose what matters next. It is an estimate: what a subject
// makes of a text is its own affair.
type session struct {
	limits  bounding.Limits
	texts   []int // bytes of the calls and the saves
	open    int   // calls of the open message
	batch   int   // units of them
	total   int   // units in the history
	sent    int   // of the sizes, those of results that were sent
	sizes   []int // of the results that can be cleared still, those of the open message at the end
	pending bool
	history bool
	shown   bool // references
}

// after notes what a step does.
func (s *session) after(step Step) {
	switch step.Op {
	case Call:
		s.texts = append(s.texts, step.Payload.Len())
		s.open++
		n := s.retained(step)
		s.batch += n
		s.sizes = append(s.sizes, n)
	case Save:
		s.texts = append(s.texts, step.Payload.Len())
	case Batch:
		s.total += s.batch
		s.history = s.history || s.open > 0
		s.pending = s.pending || s.open > 0
		s.batch, s.open = 0, 0
	case User:
		s.history, s.pending = true, true
	case Commit:
		s.pending = false
		s.sent = len(s.sizes) - s.open
	case Checkpoint:
		if high := s.limits.Watermark.High; high >= 0 && s.total > high {
			s.clear()
		}
	case Reference:
		s.shown = true
	case SetLimits:
		s.limits = *step.Limits
	}
}

// clear does what a checkpoint does above the watermark.
func (s *session) clear() {
	for s.sent > max(1, s.limits.Watermark.Keep) && s.total > s.limits.Watermark.Low() {
		s.total -= max(0, s.sizes[0]-len(bounding.ClearedText))
		s.sizes = s.sizes[1:]
		s.sent--
	}
}

// retained is about how many units a call brings into the history.
func (s *session) retained(step Step) int {
	n := units(s.limits.Unit, step.Payload)
	for _, p := range step.More {
		n += units(s.limits.Unit, p)
	}
	t := s.limits.Tool(step.Tool)
	budget := s.limits.Budget(t)
	switch {
	case budget < 0 || n <= budget:
		return n
	case n <= s.limits.Threshold+s.limits.Headroom || t.Exempt:
		return budget
	}
	return min(budget, s.limits.Preview+stubNotice)
}

// maxPages bounds how many pages an artifact is read in, because each one takes a subject as long as any other step.
const maxPages = 50

// pageOf returns a size of pages that is no smaller than the text allows.
func (s *session) pageOf(text int, limit int64) int64 {
	if limit <= 0 || text < 0 || text >= len(s.texts) {
		return limit
	}
	return max(limit, int64(s.texts[text]/maxPages))
}

// stubNotice is about how long the notice of a stub is.
const stubNotice = 200

// units is the size of a payload, as if cuts between its units made no difference.
func units(unit text.Unit, p Payload) int {
	n := 0
	for _, piece := range p {
		n += max(0, piece.Count) * unit.Count(piece.Unit)
	}
	return n
}

// choices are the sizes that matter for what follows: below, at and above each limit, and what brings a total there, where so
// much is there already of the same text.
func (s *session) choices(tool string, already int) []int64 {
	list := make([]int64, 0, explicit)
	add := func(n int) {
		if n >= 0 {
			list = append(list, int64(n))
		}
	}
	around := func(times, n int) {
		if n < 0 {
			return
		}
		for range times {
			add(n - already)
			add(n - already + 1)
			add(n - already - 1)
		}
	}
	for n := range 4 {
		add((n + 1) % 4)
	}
	l := &s.limits
	budget := l.Budget(l.Tool(tool))
	w := l.Watermark
	around(2, l.Threshold)
	around(2, l.Threshold+l.Headroom)
	around(3, budget)
	around(1, 2*budget)
	around(1, l.Preview)
	around(1, l.Lines)
	around(1, len(bounding.ClearedText))
	if w.High >= 0 {
		around(5, w.High-s.total-s.batch)
		around(2, w.Low()-s.total-s.batch)
		// What brings the total to the low watermark when the oldest results are cleared.
		left := w.Low() - s.total - s.batch
		for _, size := range s.sizes[:min(4, len(s.sizes))] {
			left += size - len(bounding.ClearedText)
			around(2, left)
		}
		around(1, w.High)
		around(1, w.Low())
		for _, part := range []int{2, 3, 4, 4, 6, 8} {
			add(w.High / part)
		}
	}
	if l.Batch >= 0 {
		around(3, l.Batch-s.batch)
		around(1, l.Batch)
	}
	for _, bytes := range []int64{l.ArtifactBytes, l.SessionBytes} {
		if bytes >= 0 && bytes <= 20_000 { // what stores more takes too long
			around(1, int(bytes))
		}
	}
	return list
}
