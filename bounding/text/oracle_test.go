package text_test

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/bounding/text"
)

var units = []text.Unit{text.UTF16, text.Bytes, text.Runes}

// naiveClean and naiveCount say what the numbers mean, with no regard for time or memory.
func naiveClean(s string) string { return string([]rune(s)) }

func naiveCount(u text.Unit, s string) int {
	switch u {
	case text.Bytes:
		return len(naiveClean(s))
	case text.Runes:
		return len([]rune(s))
	}
	return len(utf16.Encode([]rune(s)))
}

func naiveLines(s string) int {
	n := len(strings.Split(s, "\n"))
	if strings.HasSuffix(s, "\n") || s == "" {
		n--
	}
	return n
}

func naiveSize(s string) text.Size {
	return text.Size{
		UTF16: naiveCount(text.UTF16, s),
		Bytes: naiveCount(text.Bytes, s),
		Runes: naiveCount(text.Runes, s),
		Lines: naiveLines(s),
		Raw:   len(s),
	}
}

var escape = regexp.MustCompile(`^\x1b(?:` +
	`\[[0-?]*[ -/]*[@-~]` + `|` +
	`[\]PX^_][^\x00-\x1f]*(?:\x07|\x1b\\)` + `|` +
	`[ -/]+[0-~]` + `|` +
	"[0-OQ-WYZ\\\\`-~]" + `)`)

// An oracle knows every safe cut of one text, because it reads the text from the beginning, where the package looks at
// the neighbourhood of one position.
type oracle struct {
	s     string
	cuts  []int     // positions, from 0 to len(s)
	size  [3][]int  // by unit: what comes before each cut
	lines []int     // line ends before each cut
	ends  []bool    // whether a cut is 0 or comes after an LF
	all   text.Size // of s
}

func newOracle(s string) *oracle {
	o := &oracle{s: s, all: naiveSize(s)}
	joins, flags := 0, 0
	var prev rune
	for i := 0; i < len(s); {
		if m := escape.FindString(s[i:min(len(s), i+4096)]); m != "" {
			o.cut(i)
			i += len(m)
			prev, joins, flags = 0, 0, 0
			continue
		}
		if strings.HasPrefix(s[i:], "\r\n") {
			o.cut(i)
			i += 2
			prev, joins, flags = '\n', 0, 0
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			r = 0 // like a control character: it joins nothing
		}
		if naiveJoined(prev, r, flags) {
			joins++
		} else {
			joins = 0
		}
		if joins == 0 || joins > 32 {
			o.cut(i)
		}
		if r >= 0x1f1e6 && r <= 0x1f1ff {
			flags++
		} else {
			flags = 0
		}
		prev = r
		i += n
	}
	o.cut(len(s))
	return o
}

func (o *oracle) cut(i int) {
	last := ""
	if n := len(o.cuts); n > 0 {
		last = o.s[o.cuts[n-1]:i]
	}
	o.cuts = append(o.cuts, i)
	o.ends = append(o.ends, i == 0 || o.s[i-1] == '\n')
	o.lines = grow(o.lines, strings.Count(last, "\n"))
	for _, u := range units {
		o.size[u] = grow(o.size[u], naiveCount(u, last))
	}
}

// grow appends to sums the last of them and n.
func grow(sums []int, n int) []int {
	if len(sums) > 0 {
		n += sums[len(sums)-1]
	}
	return append(sums, n)
}

// linesBefore returns how many lines the text before a cut has, and linesAfter those of the text after it.
func (o *oracle) linesBefore(k int) int {
	if o.ends[k] {
		return o.lines[k]
	}
	return o.lines[k] + 1
}

func (o *oracle) linesAfter(k int) int {
	n := o.lines[len(o.lines)-1] - o.lines[k]
	if o.cuts[k] < len(o.s) && !strings.HasSuffix(o.s, "\n") {
		n++
	}
	return n
}

func naiveJoined(prev, r rune, flags int) bool {
	control := func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 }
	switch {
	case control(prev) || control(r) || r < 0x80:
		return false
	case unicode.IsMark(r), r == 0x200d, r >= 0x1f3fb && r <= 0x1f3ff, r >= 0xe0020 && r <= 0xe007f:
		return true
	case prev == 0x200d:
		return true
	}
	return r >= 0x1f1e6 && r <= 0x1f1ff && flags%2 == 1 && flags <= 64
}

// head returns the index of the cut at which the head ends: the last one within the budget, and the last line end
// instead if more than half of the budget is still used there. lines < 0 is no line cap.
func (o *oracle) head(u text.Unit, budget, lines int, exact bool) int {
	best, end := 0, 0
	for k := range o.cuts {
		if o.size[u][k] > max(budget, 0) || lines >= 0 && o.linesBefore(k) > lines {
			break
		}
		best = k
		if o.ends[k] {
			end = k
		}
	}
	if lost := max(budget, 0) - o.size[u][end]; !exact && lost < o.size[u][end] {
		return end
	}
	return best
}

// tail is head from the other end.
func (o *oracle) tail(u text.Unit, budget, lines int, exact bool) int {
	last := len(o.cuts) - 1
	left := func(k int) int { return o.size[u][last] - o.size[u][k] }
	best, end := last, last
	for k := range slices.Backward(o.cuts) {
		if left(k) > max(budget, 0) || lines >= 0 && o.linesAfter(k) > lines {
			break
		}
		best = k
		if o.ends[k] {
			end = k
		}
	}
	if lost := max(budget, 0) - left(end); !exact && lost < left(end) {
		return end
	}
	return best
}

func (o *oracle) prefix(u text.Unit, n int) string {
	return naiveClean(o.s[:o.cuts[o.head(u, n, -1, true)]])
}

func (o *oracle) suffix(u text.Unit, n int) string {
	return naiveClean(o.s[o.cuts[o.tail(u, n, -1, true)]:])
}

func (o *oracle) selection(p text.Options) text.Selection {
	sum := func(a, b int) float64 { return float64(max(a, 0)) + float64(max(b, 0)) }
	long := sum(p.HeadLines, p.TailLines) > 0 && float64(o.all.Lines) > sum(p.HeadLines, p.TailLines)
	if float64(o.all.In(p.Unit)) <= sum(p.Head, p.Tail) && !long {
		return text.Selection{Head: naiveClean(o.s), Total: o.all}
	}
	headLines, tailLines := -1, -1
	if long {
		headLines, tailLines = max(p.HeadLines, 0), max(p.TailLines, 0)
	}
	h := o.cuts[o.head(p.Unit, p.Head, headLines, p.Exact)]
	t := o.cuts[o.tail(p.Unit, p.Tail, tailLines, p.Exact)]
	middle := naiveSize(o.s[h:t])
	if t < len(o.s) && t > h && o.s[t-1] != '\n' {
		middle.Lines-- // that line's end is in the tail
	}
	return text.Selection{Head: naiveClean(o.s[:h]), Tail: naiveClean(o.s[t:]), Total: o.all, Omitted: middle}
}
