package scenario

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/bounding"
)

var toolNames = []string{"shell", "look_up", "read_file", "write_file", "edit_file", "agent", "mcp__x", "plan", "look_up", "shell", ""}

// hostile are ids that have led somewhere else than where they should.
var hostile = []string{"a", "..", "../../etc/passwd", "a/b", `a\b`, "a\x00b", "a\nb", "CON", "C:\\x", "~", ".", "", strings.Repeat("n", 300), "\xff"}

var files = []string{"main.go", "go.mod", "../x"}

// faultPrograms are examples of what disks do.
var faultPrograms = []string{
	"", "(fail EIO)", "(fail ENOSPC (op write))", "(fail EIO (op sync))", "(fail EIO (op syncdir))", "(fail EXDEV (op rename))",
	"(fail EACCES (op create))", "(fail EROFS (op mkdir create))", "(short 3 ENOSPC (and (op write) (nth 2)))",
	"(fail ENOSPC (beyond 500))", "(fail EIO (nth 7))", "(fail EMFILE (op open opendir))",
}

var kindNames = []string{"user", "assistant", "checkpoint", "other"}

// spans are the times that matter: around the idle gap and around the usual ages.
var spans = []int64{
	int64(bounding.NoGap), 0, int64(time.Hour), int64(time.Hour - time.Millisecond), int64(time.Hour + time.Millisecond),
	int64(24 * time.Hour), int64(24*time.Hour - time.Millisecond), int64(25 * time.Hour), int64(31 * 24 * time.Hour), int64(time.Millisecond),
}

// ids are the ids of a call: most often a new one, sometimes that of the call before, or a hostile one.
func (c *coder) ids() []string {
	own := slices.Repeat([]string{fmt.Sprint("c", len(c.texts))}, 24)
	last := fmt.Sprint("c", max(0, len(c.texts)-1))
	return slices.Concat(own, []string{last, last}, hostile)
}

// unitTexts are the units by their share: every other is plain, because totals that are to be reached exactly are reached
// with plain texts only.
var unitTexts = sync.OnceValue(func() []string {
	texts := slices.Repeat([]string{"x"}, len(Units))
	for _, u := range Units {
		texts = append(texts, u.Text)
	}
	return texts
})

// step codes one step of which everything is given.
func (c *coder) step(s *Step) {
	b := byte(explicit + s.Op)
	c.byte(&b)
	s.Op = Op(b-explicit) % (Plant + 1)
	c.rest(s)
}

// rest codes what belongs to the step's operation.
func (c *coder) rest(s *Step) {
	switch s.Op {
	case Call:
		c.text(&s.ID, c.ids()...)
		c.text(&s.Tool, toolNames...)
		integer(c, &s.Status, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4)
		s.Status %= 5
		c.payload(&s.Payload, s.Tool)
		several(c, &s.More, 8, seldom, func(p *Payload) { c.payload(p, s.Tool) })
		c.media(&s.Media)
		c.flag(&s.Nested)
		several(c, &s.Metadata, 8, seldom, func(p *Payload) { c.payload(p, s.Tool) })
		c.flag(&s.Bounded)
		c.flag(&s.Protected)
		several(c, &s.Files, 8, seldom, func(f *string) { c.text(f, files...) })
	case Batch:
		c.order(&s.Order)
	case User:
		c.payload(&s.Payload, "")
		c.media(&s.Media)
	case Checkpoint:
		integer(c, &s.Trigger, 0, 0, 0, 0, 1, 1, 1, 2, 3)
		s.Trigger %= 4
		integer(c, &s.Gap, spans...)
	case Tighten, Read, Page:
		c.of(&s.Of)
		if s.Op == Read {
			integer(c, &s.Offset, 0, 0, 1, 2, 3, 100, -1)
		}
		if s.Op != Tighten {
			integer(c, &s.Limit, 0, 50, 600, 4, 1, 10, 5_000, -1)
			c.text(&s.Session, "", "", "", "", "other", "third")
		}
		if s.Op == Page && c.reading {
			s.Limit = c.pageOf(s.Of, s.Limit)
		}
	case SetLimits:
		if c.reading {
			s.Limits = new(bounding.Limits)
		}
		c.setLimits(s.Limits)
	case Save:
		c.text(&s.ID, c.ids()...)
		c.text(&s.Tool, toolNames...)
		c.payload(&s.Payload, s.Tool)
		c.text(&s.Session, "", "", "", "", "other", "third")
	case Reference:
		integer(c, &s.Budget, 140, 0, 200, 400, 1_000)
		c.text(&s.Session, "", "", "", "other", "third")
		several(c, &s.Sources, 5, one, c.source)
	case Fault:
		c.text(&s.Program, faultPrograms...)
	case Crash:
		integer(c, &s.Survive, 100, 0, 50)
		s.Survive = max(0, min(s.Survive, 100))
		seed := int64(s.Seed)
		c.number(&seed, 0, 1, 2, 3)
		s.Seed = uint64(seed)
	case Advance, Sweep:
		integer(c, &s.Gap, spans[1:]...)
	case Plant:
		c.text(&s.ID, "session", "artifact")
	}
	c.after(*s)
}

func (c *coder) media(n *int) {
	integer(c, n, 0, 0, 0, 0, 1, 2)
	*n = max(0, min(*n, 16))
}

// order codes an order of the calls of the open message: none, backwards, turned by one, or in full.
func (c *coder) order(order *[]int) {
	backwards, turned := make([]int, c.open), make([]int, c.open)
	for i := range c.open {
		backwards[i], turned[i] = c.open-1-i, (i+1)%c.open
	}
	known := [][]int{nil, nil, nil, nil, nil}
	if c.open > 1 {
		known = append(known, backwards, turned)
	}
	b := byte(explicit)
	if i := slices.IndexFunc(known, func(k []int) bool { return slices.Equal(k, *order) }); !c.reading && i >= 0 {
		b = byte(i)
	}
	if c.byte(&b); b >= explicit {
		several(c, order, MaxSteps, few, func(n *int) { integer(c, n, 0, 1, 2, 3, 4, 5) })
	} else if c.reading {
		*order = known[int(b)%len(known)]
	}
}

// of codes which text a step is about: the last one, most often.
func (c *coder) of(n *int) {
	choices := make([]int64, min(len(c.texts), MaxSteps))
	for i := range choices {
		choices[i] = int64(len(c.texts) - 1 - i)
	}
	integer(c, n, choices...)
}

// payload codes a text. That of a call belongs to a tool.
func (c *coder) payload(p *Payload, tool string) {
	pieces := []Piece(*p)
	already := 0
	several(c, &pieces, 64, one, func(piece *Piece) {
		c.text(&piece.Unit, unitTexts()...)
		length := c.limits.Unit.Count(piece.Unit)
		choices := c.session.choices(tool, already)
		for i := range choices {
			choices[i] /= int64(max(1, length))
		}
		integer(c, &piece.Count, choices...)
		if c.reading {
			piece.Count = min(piece.Count, c.room/max(1, len(piece.Unit)))
		}
		c.room -= max(0, piece.Count) * len(piece.Unit)
		already += max(0, piece.Count) * length
	})
	*p = pieces
}

func (c *coder) source(s *Source) {
	c.text(&s.Session, "cited", "other", "cited2", "session", "")
	c.text(&s.Label, "a session", "", "<b>")
	several(c, &s.Events, 200, few, func(e *Event) {
		c.text(&e.Kind, kindNames...)
		c.payload(&e.Text, "")
	})
}
