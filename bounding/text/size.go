package text

import (
	"strings"
	"unicode/utf8"
)

// A Size is a text measured in every unit at once. If a text is cut between two runes, the sizes of the parts add up to
// the size of the whole, but for a line that is cut: Measure counts it in both parts.
type Size struct {
	UTF16 int // UTF-16 code units
	Bytes int // bytes of UTF-8, as shown: an invalid byte counts 3
	Runes int // code points
	Lines int // line ends (LF, or CRLF), and one more for text after the last one
	Raw   int // bytes as they came, which is what an artifact stores
}

// Measure returns the size of s. It reads s once and does not allocate.
func Measure(s string) Size {
	var m meter
	m.write(s)
	return m.size()
}

// In returns the size in one unit. A unit without a name is UTF16.
func (z Size) In(u Unit) int {
	switch u {
	case Bytes:
		return z.Bytes
	case Runes:
		return z.Runes
	}
	return z.UTF16
}

func (z Size) minus(y Size) Size {
	return Size{z.UTF16 - y.UTF16, z.Bytes - y.Bytes, z.Runes - y.Runes, z.Lines - y.Lines, z.Raw - y.Raw}
}

// A meter measures a text that comes in chunks. A rune may be split between chunks.
type meter struct {
	counts
	ends int // LFs
	last byte

	carry [utf8.UTFMax]byte // the beginning of a rune whose rest has not come yet
	held  int               // bytes in carry
}

// blockLen is how much is read at a time: small enough to be in the cache when it is read again for the line ends.
const blockLen = 32 << 10

func (m *meter) write(s string) {
	if s == "" {
		return
	}
	m.last = s[len(s)-1]
	s = m.finish(s)
	for len(s) > 0 {
		block := s[:min(len(s), blockLen)]
		cut := len(block) - partial(block)
		if cut == 0 {
			m.held = copy(m.carry[:], block)
			return
		}
		block, s = s[:cut], s[cut:]
		m.ends += strings.Count(block, "\n")
		m.counts.add(scan(block))
	}
}

// finish completes the carried rune with the beginning of s and returns the rest of s.
func (m *meter) finish(s string) string {
	if m.held == 0 {
		return s
	}
	var buf [2 * utf8.UTFMax]byte
	n := copy(buf[:], m.carry[:m.held])
	n += copy(buf[n:], s[:min(len(s), utf8.UTFMax)])
	done := 0
	for done < m.held {
		if !utf8.FullRune(buf[done:n]) {
			m.held = copy(m.carry[:], buf[done:n])
			return ""
		}
		r, size := utf8.DecodeRune(buf[done:n])
		m.counts.rune(r, size)
		done += size
	}
	s = s[done-m.held:]
	m.held = 0
	return s
}

// size is the size of what was written, if nothing comes after it.
func (m *meter) size() Size {
	c := m.counts
	c.runes += m.held
	c.invalid += m.held
	c.raw += m.held
	z := Size{UTF16: c.in(UTF16), Bytes: c.in(Bytes), Runes: c.in(Runes), Lines: m.ends, Raw: c.raw}
	if z.Raw > 0 && m.last != '\n' {
		z.Lines++
	}
	return z
}

// partial returns how many bytes at the end of s, 0 to 3, begin a rune and do not end it.
func partial(s string) int {
	for n := 1; n < utf8.UTFMax && n <= len(s); n++ {
		if utf8.RuneStart(s[len(s)-n]) {
			if utf8.FullRuneInString(s[len(s)-n:]) {
				return 0
			}
			return n
		}
	}
	return 0
}
