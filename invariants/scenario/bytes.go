package scenario

import (
	"encoding/binary"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/text"
)

// What FromBytes makes stays within these.
const (
	MaxSteps   = 64
	MaxPayload = 1 << 20 // bytes of all payloads together
)

// FromBytes makes a scenario of any bytes. A byte is a choice where a choice matters: of sizes it prefers those just below,
// at and just above a limit, or those that bring a total there. Every byte string is a scenario, so that fuzzers and
// generators of bytes need to know nothing.
func FromBytes(data []byte) Scenario {
	c := &coder{in: data, reading: true, room: MaxPayload}
	var s Scenario
	c.scenario(&s)
	return s
}

// Bytes returns what FromBytes makes this scenario of, if it is one that FromBytes can make: it has no more than [MaxSteps]
// steps and [MaxPayload] bytes, and its slices are nil where they are empty.
func (s Scenario) Bytes() []byte {
	c := &coder{room: MaxPayload}
	c.scenario(&s)
	return c.out
}

// coder reads or writes, with the same code for both, so that they cannot disagree. A choice is a byte below explicit;
// explicit announces a value in full.
type coder struct {
	reading bool
	in, out []byte

	limits bounding.Limits
	room   int // bytes of payload that are left
	calls  int
	total  int // of the sizes of the payloads
	batch  int // of those of the open message
}

const explicit = 200

func (c *coder) byte(b *byte) {
	if !c.reading {
		c.out = append(c.out, *b)
		return
	}
	if *b = 0; len(c.in) > 0 {
		*b, c.in = c.in[0], c.in[1:]
	}
}

func (c *coder) full(n *int64) {
	if !c.reading {
		c.out = binary.AppendVarint(c.out, *n)
		return
	}
	value, size := binary.Varint(c.in)
	if size <= 0 {
		value, size = 0, len(c.in)
	}
	*n, c.in = value, c.in[size:]
}

// number codes a number as one of some choices, or in full.
func (c *coder) number(n *int64, choices ...int64) {
	b := byte(explicit)
	if !c.reading {
		if i := slices.Index(choices, *n); i >= 0 && i < explicit {
			b = byte(i)
		}
	}
	if c.byte(&b); b >= explicit || len(choices) == 0 {
		c.full(n)
	} else if c.reading {
		*n = choices[int(b)%len(choices)]
	}
}

func integer[T ~int | ~int64 | ~uint8](c *coder, n *T, choices ...int64) {
	wide := int64(*n)
	c.number(&wide, choices...)
	*n = T(wide)
}

// count codes how many there are, and returns no more than most. The choices are 0 to usual.
func (c *coder) count(n, usual, most int) int {
	choices := make([]int64, usual+1)
	for i := range choices {
		choices[i] = int64(i)
	}
	integer(c, &n, choices...)
	return max(0, min(n, most))
}

// several codes a list.
func several[T any](c *coder, list *[]T, usual, most int, each func(*T)) {
	n := c.count(len(*list), usual, most)
	if c.reading {
		*list = nil
	}
	for i := range n {
		if c.reading {
			*list = append(*list, *new(T))
		}
		each(&(*list)[i])
	}
}

const maxText = 1 << 16

// text codes a text as one of some choices, or in full.
func (c *coder) text(s *string, choices ...string) {
	b := byte(explicit)
	if !c.reading {
		if i := slices.Index(choices, *s); i >= 0 && i < explicit {
			b = byte(i)
		}
	}
	c.byte(&b)
	switch {
	case b < explicit && len(choices) > 0:
		if c.reading {
			*s = choices[int(b)%len(choices)]
		}
	case c.reading:
		n := min(c.count(0, 16, maxText), len(c.in))
		*s, c.in = string(c.in[:n]), c.in[n:]
	default:
		c.count(len(*s), 16, maxText)
		c.out = append(c.out, *s...)
	}
}

func (c *coder) flag(on *bool) {
	var b byte
	if *on {
		b = 1
	}
	c.byte(&b)
	if c.reading {
		*on = b%8 == 1 // seldom by chance
	}
}

// sizes are the sizes that matter here: below, at and above each limit, and what brings a total there.
func (c *coder) sizes(tool string) []int64 {
	l := &c.limits
	t := l.Tool(tool)
	sizes := []int64{1, 0, 2, 3, 10, 33, 34, 35, 50, 100}
	around := func(n int) {
		if n >= 0 {
			sizes = append(sizes, int64(n), int64(n)+1, int64(n)-1)
		}
	}
	around(l.Budget(t))
	around(l.Threshold)
	around(l.Threshold + max(0, l.Headroom))
	around(l.Preview)
	around(l.Watermark.High - c.total)
	around(l.Watermark.Low() - c.total)
	around(l.Watermark.High)
	around(l.Watermark.Low())
	around(l.Batch - c.batch)
	around(l.Batch)
	around(2 * l.Budget(t))
	around(l.Lines)
	return sizes
}

var limitChoices = []int64{0, 1, 2, -1, 3, 5, 10, 33, 60, 100, 250, 600, 1_000, 2_000}

func (c *coder) scenario(s *Scenario) {
	c.setLimits(&s.Limits)
	c.limits = s.Limits
	for i := 0; ; i++ {
		if c.reading {
			if len(c.in) == 0 || i == MaxSteps {
				return
			}
			s.Steps = append(s.Steps, Step{})
		} else if i == min(len(s.Steps), MaxSteps) {
			return
		}
		c.step(&s.Steps[i])
	}
}

// bases are the limits that changes are made to; a byte chooses one, most often the first.
var bases = sync.OnceValue(func() []bounding.Limits {
	scaled := Scaled()
	return []bounding.Limits{scaled, scaled, scaled, scaled, scaled, bounding.Strict(), bounding.Qwen(), bare()}
})

func bare() bounding.Limits {
	l := bounding.Strict()
	l.Tools, l.Aliases = nil, nil
	return l
}

func (c *coder) setLimits(l *bounding.Limits) {
	var base byte
	if !c.reading {
		base = nearest(*l)
	}
	c.byte(&base)
	from := bases()[int(base)%len(bases())]
	changed := changedFields(&from, l)
	if c.reading {
		*l, changed = from, nil
	}
	several(c, &changed, 3, len(limitFields), func(i *int) {
		integer(c, i)
		if c.reading {
			*i = ((*i % len(limitFields)) + len(limitFields)) % len(limitFields)
		}
		c.field(limitFields[*i].of(l))
	})
	tools := slices.Sorted(maps.Keys(l.Tools))
	own := nearestTools(from, *l)
	if !c.reading && !own {
		tools = nil
	}
	c.flag(&own)
	if !own {
		return
	}
	if c.reading {
		l.Tools, l.Aliases, tools = nil, nil, nil
	}
	several(c, &tools, 2, 32, func(name *string) {
		c.text(name, toolNames...)
		t := l.Tools[*name]
		integer(c, &t.Budget, 0, 100, 720, bounding.Unlimited, 1)
		integer(c, &t.Keep, int64(text.Both), int64(text.Head), int64(text.Tail))
		t.Keep %= 3
		c.flag(&t.Exempt)
		c.flag(&t.Fixed)
		integer(c, &t.File, 0, 1, 2, 3)
		t.File %= 4
		if c.reading {
			l.Tools = put(l.Tools, *name, t)
		}
	})
	aliases := slices.Sorted(maps.Keys(l.Aliases))
	several(c, &aliases, 1, 8, func(name *string) {
		tool := l.Aliases[*name]
		c.text(name, toolNames...)
		c.text(&tool, toolNames...)
		if c.reading {
			l.Aliases = put(l.Aliases, *name, tool)
		}
	})
}

// nearest is the base with the fewest changes.
func nearest(l bounding.Limits) byte {
	best, least := byte(0), 1<<30
	for i, from := range bases() {
		n := len(changedFields(&from, &l))
		if nearestTools(from, l) {
			n += len(l.Tools) + len(l.Aliases)
		}
		if n < least {
			best, least = byte(i), n
		}
	}
	return best
}

// nearestTools reports whether the tools are not those of the base.
func nearestTools(from, l bounding.Limits) bool {
	return !maps.Equal(from.Tools, l.Tools) || !maps.Equal(from.Aliases, l.Aliases)
}

func changedFields(from, l *bounding.Limits) []int {
	var changed []int
	for i, f := range limitFields {
		if get(f.of(from)) != get(f.of(l)) {
			changed = append(changed, i)
		}
	}
	return changed
}

func (c *coder) field(pointer any) {
	switch p := pointer.(type) {
	case *int:
		integer(c, p, limitChoices...)
	case *int64:
		integer(c, p, 0, 1, 100, 1_000, 40_000, -1)
	case *bool:
		var b byte
		if *p {
			b = 1
		}
		c.byte(&b)
		*p = b%2 == 1
	case *time.Duration:
		integer(c, p, int64(time.Hour), int64(bounding.Never), 0, 1)
	case *text.Unit:
		integer(c, p, 0, 1, 2)
		*p %= 3
	case *text.Keep:
		integer(c, p, 0, 1, 2)
		*p %= 3
	case *bounding.Sharing:
		integer(c, p, 0, 1)
		*p %= 2
	}
}
