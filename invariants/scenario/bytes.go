package scenario

import (
	"encoding/binary"
	"slices"
)

// What FromBytes makes stays within these.
const (
	MaxSteps   = 64
	MaxPayload = 1 << 20 // bytes of all payloads together
)

// FromBytes makes a scenario of any bytes. A byte is a choice where a choice matters: of sizes it prefers those just below,
// at and just above a limit, or those that bring a total there; of steps those that have something to work on. Some choices
// are of many steps at once, such as a dozen parallel calls. Every byte string is a scenario, so that fuzzers and generators
// of bytes need to know nothing.
func FromBytes(data []byte) Scenario {
	c := &coder{in: data, reading: true, room: MaxPayload}
	var s Scenario
	c.scenario(&s)
	return s
}

// Bytes returns bytes that FromBytes makes this scenario of, if there are any: it has no more than [MaxSteps] steps and
// [MaxPayload] bytes, its slices and maps are nil where they are empty, and fields that its steps do not use are zero.
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
	room    int // bytes of payload that are left
	session
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

// count codes how many there are, and returns no more than most.
func (c *coder) count(n, most int, choices []int64) int {
	integer(c, &n, choices...)
	return max(0, min(n, most))
}

// How many there are of something, by their share.
var (
	one     = []int64{1, 1, 1, 1, 2, 2, 3, 0}
	few     = []int64{0, 1, 2, 3}
	seldom  = []int64{0, 0, 0, 0, 0, 0, 1, 2}
	lengths = []int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
)

// several codes a list.
func several[T any](c *coder, list *[]T, most int, choices []int64, each func(*T)) {
	n := c.count(len(*list), most, choices)
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
		n := min(c.count(0, maxText, lengths), len(c.in))
		*s, c.in = string(c.in[:n]), c.in[n:]
	default:
		c.count(len(*s), maxText, lengths)
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

// among codes one of n values that are counted from 0.
func among[T ~uint8](c *coder, value *T, n T) {
	choices := make([]int64, n)
	for i := range choices {
		choices[i] = int64(i)
	}
	integer(c, value, choices...)
	*value %= n
}

func (c *coder) scenario(s *Scenario) {
	c.setLimits(&s.Limits)
	c.limits = s.Limits
	if !c.reading {
		for i := range s.Steps[:min(len(s.Steps), MaxSteps)] {
			c.step(&s.Steps[i])
		}
		return
	}
	for len(c.in) > 0 && len(s.Steps) < MaxSteps {
		s.Steps = append(s.Steps, c.steps(MaxSteps-len(s.Steps))...)
	}
}
