package scenario

import "github.com/boundcheck/boundcheck/bounding"

// turn decodes one or more steps. It is for reading only: what it makes is written step by step.
type turn func(c *coder) []Step

// turns are what may come next, by their share: a byte chooses one.
var turns = []turn{
	single(Call), single(Call), single(Call), single(Call), single(Call), single(Call), single(Call),
	single(Batch), single(Batch), single(Batch), single(Commit), single(Commit),
	single(Checkpoint), single(Checkpoint), single(Checkpoint), single(User), single(Tighten), single(Tighten),
	single(Save), single(Page), single(Read), single(Reference), single(Replay), single(Diagnose),
	single(Fault), single(Cancel), single(Crash), single(Advance), single(Sweep), single(SetLimits), single(Plant),
	(*coder).parallel, (*coder).parallel, (*coder).parallel, (*coder).parallel,
	(*coder).sequence, (*coder).sequence, (*coder).sequence, (*coder).sequence,
	(*coder).brink, (*coder).brink, (*coder).brink,
	(*coder).kept,
	func(c *coder) []Step { return []Step{c.bare(Batch)} }, // of no calls, perhaps
}

// steps decodes what comes next, and no more than so many steps.
func (c *coder) steps(most int) []Step {
	if c.in[0] >= explicit {
		var s Step
		c.step(&s)
		return []Step{s}
	}
	var b byte
	c.byte(&b)
	steps := turns[int(b)%len(turns)](c)
	return steps[:min(len(steps), most)]
}

// Next decodes what may come after the steps of a scenario, with the same choices as [FromBytes]: one step or more, and at
// least one if there are any bytes.
func (s Scenario) Next(data []byte) []Step {
	if len(data) == 0 {
		return nil
	}
	c := &coder{in: data, reading: true, room: MaxPayload, session: session{limits: s.Limits}}
	for _, step := range s.Steps {
		c.after(step)
	}
	return c.steps(MaxSteps)
}

// single is one step. A step that would have nothing to work on is another one, which makes something.
func single(op Op) turn {
	return func(c *coder) []Step {
		s := Step{Op: op}
		switch {
		case (op == Batch || op == Tighten) && c.open == 0:
			s.Op = Call
		case (op == Checkpoint || op == Diagnose) && !c.history, op == Commit && !c.pending:
			if s.Op = Call; c.open > 0 {
				s.Op = Batch
			}
		case (op == Read || op == Page) && len(c.texts) == 0:
			s.Op = Save
		case op == Replay && !c.shown:
			s.Op = Reference
		}
		c.rest(&s)
		return []Step{s}
	}
}

// plain is a call of which only the size is chosen.
func (c *coder) plain(tool string) Step {
	s := Step{Op: Call, ID: c.ids()[0], Tool: tool}
	c.payload(&s.Payload, tool)
	c.after(s)
	return s
}

func (c *coder) bare(op Op) Step {
	s := Step{Op: op}
	c.after(s)
	return s
}

// parallel is a message of many calls.
func (c *coder) parallel() []Step {
	var tool string
	c.text(&tool, toolNames...)
	n := c.count(0, 12, []int64{3, 2, 4, 5, 6, 8, 12})
	var steps []Step
	for range n {
		steps = append(steps, c.plain(tool))
	}
	batch := Step{Op: Batch}
	c.rest(&batch)
	return append(steps, batch)
}

// sequence is what an agent does most of the time: a call, a checkpoint while its result is pending, and the next request.
func (c *coder) sequence() []Step {
	var tool string
	c.text(&tool, toolNames...)
	var checked bool
	c.flag(&checked)
	n := c.count(0, 12, []int64{3, 2, 4, 5, 6, 8})
	var steps []Step
	for i := range n {
		steps = append(steps, c.plain(tool), c.bare(Batch))
		if !checked || i == n-1 {
			steps = append(steps, c.bare(Checkpoint))
		}
		steps = append(steps, c.bare(Commit))
	}
	last := Step{Op: Checkpoint}
	c.rest(&last)
	return append(steps, last)
}

// brink is a session that goes just above the high watermark, or not quite, and where clearing its oldest results ends just at
// the low one, or not quite. All results are below their limit, so that they stay as they are.
func (c *coder) brink() []Step {
	const tool = "look_up"
	mark := len(bounding.ClearedText)
	w := c.limits.Watermark
	high, low := w.High-c.total-c.batch, w.Low()-c.total-c.batch
	most := c.limits.Budget(c.limits.Tool(tool))
	if high <= 0 || low <= 0 || most <= mark {
		return c.sequence()
	}
	var above, rest int
	integer(c, &above, 1, 0, 2, 10, 100)
	integer(c, &rest, 0, 1, -1, 2)
	n := c.count(0, 8, []int64{1, 2, 3, 4})
	old := (high - low + above + most - mark - 1) / (most - mark)
	if old > 12 {
		return c.sequence()
	}
	var sizes []int
	size := high - low + above + old*mark
	for i := range old {
		sizes = append(sizes, size/(old-i))
		size -= sizes[i]
	}
	left := low - old*mark + rest
	for range n {
		var small int
		integer(c, &small, int64(mark)+1, int64(low/8), int64(mark)+2, int64(low/4), int64(mark), 1, 0)
		small = max(0, min(small, left))
		sizes = append(sizes, small)
		left -= small
	}
	sizes = append(sizes, left)
	var steps []Step
	for _, size := range sizes {
		s := Step{Op: Call, ID: c.ids()[0], Tool: tool}
		if size = min(size, c.room); size > 0 {
			s.Payload = Of(size, "x")
			c.room -= size
		}
		c.after(s)
		steps = append(steps, s, c.bare(Batch), c.bare(Commit))
	}
	return append(steps, c.bare(Checkpoint))
}

// kept is a text that goes to the store for its size, and is read back.
func (c *coder) kept() []Step {
	call := Step{Op: Call}
	c.rest(&call)
	page := Step{Op: Page, Of: len(c.texts) - 1}
	integer(c, &page.Limit, 0, 50, 600, 4)
	page.Limit = c.pageOf(page.Of, page.Limit)
	c.after(page)
	return []Step{call, page}
}
