package text_test

import (
	"math"
	"strings"

	"github.com/boundcheck/boundcheck/bounding/text"
)

// pieces are what texts are put together from: each is something that a cut can go wrong in, before, or after.
var pieces = []string{
	"a", "word ", "\n", "\r\n", "\r", "\x00", "é", "€", "😀", "\u2028", "\ufeff", "\ufffd", "<&>",
	"e\u0301", "👩‍👩‍👧", "👍🏽", "🇩🇪", "🇫", "\u200d", "\u0301", "☂️", "🏴\U000e0067\U000e007f",
	"\xff", "\x80", "\xef", "\xef\xbf", "\xbd", "\xe2\x82", "\xf0\x9f\x98", "\xed\xa0\x80", "\xc0", "\xac",
	"\x1b[31m", "\x1b[1;2 q", "\x1b]8;;http://x.y\a", "\x1b]0;tïtle\x1b\\", "\x1bPq#0\x1b\\", "\x1b(B", "\x1b7", "\x1b\\",
	"\x1b", "\x1b[", "\x1b[3", "\x1b]", "\x1b]0;", "m", "\\", "\a", ";", "(",
	"a line of text\n", "twenty columns wide.", "\n\n\n",
}

// fillers are long enough to get past what a cut looks at.
var fillers = []string{
	strings.Repeat("x", 4470), strings.Repeat("y\n", 3000), strings.Repeat("€", 2000), strings.Repeat("😀", 1500),
	strings.Repeat("\n", 5000), strings.Repeat("\xff", 4600), strings.Repeat("\r\n", 2500),
	"z" + strings.Repeat("\u0301", 40), strings.Repeat("🇺", 70), strings.Repeat("\x1b]", 60),
	"\x1b]" + strings.Repeat("o", 4093) + "\a", "\x1b]" + strings.Repeat("o", 4094) + "\a",
	"\x1b]" + strings.Repeat("o", 4092) + "\x1b\\", "\x1b[" + strings.Repeat("0", 4094) + "m",
	"\x1b]" + strings.Repeat("unterminated ", 400), "\x1b" + strings.Repeat(" ", 100) + "F",
}

// build makes a text of a recipe: one byte a piece. A filler has one value of its own.
func build(recipe []byte) string {
	var b strings.Builder
	for _, c := range recipe {
		switch n := int(c); {
		case n < len(fillers):
			b.WriteString(fillers[n])
		default:
			b.WriteString(pieces[n%len(pieces)])
		}
	}
	return b.String()
}

// A pick is a number that is aimed at a text when it is known.
type pick struct {
	Kind  uint8
	Where uint16
	Off   int8
}

// aim turns p into a budget: mostly at a safe cut of the text, counted from either end, or a unit beside it.
func (p pick) aim(o *oracle, u text.Unit) int {
	k := int(p.Where) % len(o.cuts)
	off := int(p.Off)%3 - 1
	switch p.Kind % 8 {
	case 0:
		return int(p.Where) % 65
	case 1:
		return []int{math.MinInt, -1, math.MaxInt - 1, math.MaxInt}[p.Where%4]
	case 2:
		return o.all.In(u) + off
	case 3, 4:
		return o.all.In(u) - o.size[u][k] + off
	}
	return o.size[u][k] + off
}

// lines is aim for a number of lines.
func (p pick) lines(o *oracle) int {
	switch p.Kind % 4 {
	case 0:
		return int(p.Where) % 4
	case 1:
		return []int{0, -1, math.MinInt, math.MaxInt}[p.Where%4]
	case 2:
		return o.all.Lines/2 + int(p.Off)%3
	}
	return o.all.Lines + int(p.Off)%3
}

// chunks cuts s as sizes say, over and over. A size of 0 is an empty chunk; no sizes, or only empty ones, is one chunk.
func chunks(s string, sizes []uint16) []string {
	var out []string
	total := 0
	for _, n := range sizes {
		total += int(n)
	}
	for i := 0; s != "" && total > 0; i++ {
		n := min(len(s), int(sizes[i%len(sizes)]))
		out = append(out, s[:n])
		s = s[n:]
	}
	return append(out, s)
}
