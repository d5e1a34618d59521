package scenario

import (
	"fmt"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/bounding"
)

// chances are the steps by their share: a byte chooses one.
var chances = []Op{
	Call, Call, Call, Call, Call, Call, Call, Call, Batch, Batch, Batch, Batch, Commit, Commit, Checkpoint, Checkpoint, Checkpoint,
	User, Tighten, Tighten, SetLimits, Save, Save, Read, Page, Reference, Replay, Diagnose, Fault, Cancel, Crash, Advance, Sweep, Plant,
}

var toolNames = []string{"shell", "look_up", "read_file", "write_file", "edit_file", "agent", "mcp__x", "plan", ""}

// hostile are ids that have led somewhere else than where they should.
var hostile = []string{"a", "..", "../../etc/passwd", "a/b", `a\b`, "a\x00b", "a\nb", "CON", "C:\\x", "~", ".", "", strings.Repeat("n", 300), "\xff", "a"}

var files = []string{"main.go", "go.mod", "../x"}

// faultPrograms are examples of what disks do.
var faultPrograms = []string{
	"", "(fail EIO)", "(fail ENOSPC (op write))", "(fail EIO (op sync))", "(fail EIO (op syncdir))", "(fail EXDEV (op rename))",
	"(fail EACCES (op create))", "(fail EROFS (op mkdir create))", "(short 3 ENOSPC (and (op write) (nth 2)))",
	"(fail ENOSPC (beyond 500))", "(fail EIO (nth 7))", "(fail EMFILE (op open opendir))",
}

var sessions = []string{"", "other", "third"}

var kindNames = []string{"user", "assistant", "checkpoint", "other"}

// spans are the times that matter: around the idle gap and around the usual ages.
var spans = []int64{
	int64(bounding.NoGap), 0, int64(time.Hour), int64(time.Hour - time.Millisecond), int64(time.Hour + time.Millisecond),
	int64(24 * time.Hour), int64(24*time.Hour - time.Millisecond), int64(25 * time.Hour), int64(31 * 24 * time.Hour), int64(time.Millisecond),
}

func (c *coder) step(s *Step) {
	c.op(&s.Op)
	switch s.Op {
	case Call:
		c.text(&s.ID, append([]string{fmt.Sprint("c", c.calls)}, hostile...)...)
		c.text(&s.Tool, toolNames...)
		integer(c, &s.Status, 0, 0, 0, 0, 1, 2, 3, 4)
		s.Status %= 5
		c.payload(&s.Payload, s.Tool)
		several(c, &s.More, 0, 8, func(p *Payload) { c.payload(p, s.Tool) })
		s.Media = c.media(s.Media)
		c.flag(&s.Nested)
		several(c, &s.Metadata, 0, 8, func(p *Payload) { c.payload(p, s.Tool) })
		c.flag(&s.Bounded)
		c.flag(&s.Protected)
		several(c, &s.Files, 1, 8, func(f *string) { c.text(f, files...) })
		c.calls++
	case Batch:
		several(c, &s.Order, 0, 64, func(n *int) { integer(c, n, 0, 1, 2, 3, 4, 5) })
		c.batch = 0
	case User:
		c.payload(&s.Payload, "")
		s.Media = c.media(s.Media)
	case Checkpoint:
		integer(c, &s.Trigger, 0, 1, 2, 3)
		s.Trigger %= 4
		integer(c, &s.Gap, spans...)
	case Tighten:
		c.of(&s.Of)
	case SetLimits:
		if c.reading {
			s.Limits = new(bounding.Limits)
		}
		c.setLimits(s.Limits)
		c.limits = *s.Limits
	case Save:
		c.text(&s.ID, append([]string{fmt.Sprint("c", c.calls)}, hostile...)...)
		c.text(&s.Tool, toolNames...)
		c.payload(&s.Payload, s.Tool)
		c.text(&s.Session, sessions...)
		c.calls++
	case Read:
		c.of(&s.Of)
		integer(c, &s.Offset, 0, 1, 2, 3, 100, -1)
		integer(c, &s.Limit, 0, 1, 4, 10, 100, -1)
		c.text(&s.Session, sessions...)
	case Page:
		c.of(&s.Of)
		integer(c, &s.Limit, 0, 50, 600, 5_000)
		c.text(&s.Session, sessions...)
	case Reference:
		integer(c, &s.Budget, 140, 0, 200, 400, 1_000)
		c.text(&s.Session, sessions...)
		several(c, &s.Sources, 2, 5, c.source)
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
}

func (c *coder) op(op *Op) {
	var b byte
	if !c.reading {
		for i, o := range chances {
			if o == *op {
				b = byte(i)
			}
		}
	}
	if c.byte(&b); c.reading {
		*op = chances[int(b)%len(chances)]
	}
}

func (c *coder) media(n int) int { return c.few(n, []int64{0, 0, 0, 1, 2}) }

func (c *coder) few(n int, choices []int64) int {
	integer(c, &n, choices...)
	return max(0, min(n, 16))
}

// of codes which text a step is about.
func (c *coder) of(n *int) {
	choices := make([]int64, min(c.calls, 64))
	for i := range choices {
		choices[i] = int64(c.calls - 1 - i)
	}
	integer(c, n, choices...)
}

func (c *coder) payload(p *Payload, tool string) {
	pieces := []Piece(*p)
	several(c, &pieces, 3, 1_000, func(piece *Piece) {
		units := make([]string, len(Units))
		for i, u := range Units {
			units[i] = u.Text
		}
		c.text(&piece.Unit, units...)
		integer(c, &piece.Count, c.sizes(tool)...)
		if size := len(piece.Unit); c.reading && size > 0 {
			piece.Count = min(piece.Count, c.room/size)
		}
		size := max(0, piece.Count) * len(piece.Unit)
		c.room -= size
		c.total += size
		c.batch += size
	})
	*p = pieces
}

func (c *coder) source(s *Source) {
	c.text(&s.Session, "cited", "other", "cited2", "session", "")
	c.text(&s.Label, "a session", "", "<b>")
	several(c, &s.Events, 3, 200, func(e *Event) {
		c.text(&e.Kind, kindNames...)
		c.payload(&e.Text, "")
	})
}
