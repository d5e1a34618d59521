package text

import (
	"strings"
	"unicode/utf8"
)

// counts are the numbers that give the size in every unit.
type counts struct {
	runes   int // invalid bytes count as runes
	astral  int // runes beyond U+FFFF
	invalid int // bytes that are no part of a rune
	raw     int
}

func (c *counts) add(d counts) {
	c.runes += d.runes
	c.astral += d.astral
	c.invalid += d.invalid
	c.raw += d.raw
}

func (c *counts) rune(r rune, size int) {
	c.runes++
	c.raw += size
	switch {
	case size == utf8.UTFMax:
		c.astral++
	case r == replacement && size == 1:
		c.invalid++
	}
}

func (c counts) in(u Unit) int {
	switch u {
	case Bytes:
		return c.raw + (len(string(replacement))-1)*c.invalid
	case Runes:
		return c.runes
	}
	return c.runes + c.astral
}

// mixedLen is how much is decoded rune by rune after a byte that is not ASCII, before long runs of ASCII are looked for
// again.
const mixedLen = 256

// scan counts s. Invalid UTF-8 is split as Go's range does: each byte that is no part of a rune stands alone.
func scan(s string) counts {
	c := counts{raw: len(s)}
	for {
		n := ascii(s)
		c.runes += n
		if s = s[n:]; s == "" {
			return c
		}
		mixed := s
		if len(s) > mixedLen {
			mixed = s[:mixedLen-partial(s[:mixedLen])]
		}
		for i, r := range mixed {
			c.runes++
			if r >= 1<<16 {
				c.astral++
			} else if r == replacement && !strings.HasPrefix(mixed[i:], string(replacement)) {
				c.invalid++
			}
		}
		s = s[len(mixed):]
	}
}

// ascii returns how many bytes at the beginning of s are ASCII. It tests 32 bytes at a time, which is what makes
// counting ASCII run at the speed of memory: see BenchmarkCount.
func ascii(s string) int {
	i := 0
	for len(s)-i >= 32 {
		if (word(s[i:])|word(s[i+8:])|word(s[i+16:])|word(s[i+24:]))&highBits != 0 {
			break
		}
		i += 32
	}
	for i < len(s) && s[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// asciiEnd is ascii for the end of s.
func asciiEnd(s string) int {
	i := len(s)
	for i >= 32 {
		if (word(s[i-8:])|word(s[i-16:])|word(s[i-24:])|word(s[i-32:]))&highBits != 0 {
			break
		}
		i -= 32
	}
	for i > 0 && s[i-1] < utf8.RuneSelf {
		i--
	}
	return len(s) - i
}

const highBits = 0x8080808080808080

// word is written so that the compiler makes one load of it.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
