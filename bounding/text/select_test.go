package text_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boundcheck/boundcheck/bounding/text"
)

// One line of 60,000 units. The agent that this budget is from keeps 4,992 of its head and nothing of its tail, because
// a line that does not fit counts against the head only. spec: OFF-4
func TestOneLineKeepsBothEnds(t *testing.T) {
	s := "<" + strings.Repeat("-", 59_998) + ">"
	const budget = 25_000 - 39 // without the separator
	got := text.Select(s, text.Both.Options(text.UTF16, budget, 1000))
	if len(got.Head) != 4_992 || len(got.Tail) != 19_969 || got.Head[0] != '<' || !strings.HasSuffix(got.Tail, ">") {
		t.Errorf("%d and %d units kept, want 4,992 and 19,969", len(got.Head), len(got.Tail))
	}
	if want := (text.Size{UTF16: 35_039, Bytes: 35_039, Runes: 35_039, Raw: 35_039}); got.Omitted != want {
		t.Errorf("omitted: %s", cmp.Diff(want, got.Omitted))
	}
	if want := (text.Size{UTF16: budget, Bytes: budget, Runes: budget, Raw: budget, Lines: 1}); got.Kept() != want {
		t.Errorf("kept: %s", cmp.Diff(want, got.Kept()))
	}
}

func TestBudgetIsTheLastThatFits(t *testing.T) {
	s := strings.Repeat("😀", 10) // 20 UTF-16 units, 40 bytes, 10 runes
	for u, size := range map[text.Unit]int{text.UTF16: 20, text.Bytes: 40, text.Runes: 10} {
		if got := u.Count(s); got != size {
			t.Errorf("%v.Count(10 emoji) = %d, want %d", u, got, size)
		}
		for _, k := range []text.Keep{text.Both, text.Head, text.Tail} {
			for n, cut := range map[int]bool{size - 1: true, size: false, size + 1: false} {
				if got := text.Select(s, k.Options(u, n, 0)); got.Cut() != cut {
					t.Errorf("%v of %d %v, budget %d: cut is %v", k, size, u, n, got.Cut())
				}
			}
		}
	}
}

// A line end is taken when that loses less than half of the budget: not at half, and not above. spec: OFF-4
func TestLineEndIsPreferred(t *testing.T) {
	for _, c := range []struct {
		budget, line int // line has its LF
		want         int
	}{
		{10, 4, 10}, {10, 5, 10}, {10, 6, 6}, {10, 9, 9}, {10, 10, 10}, {10, 11, 10},
		{11, 5, 11}, {11, 6, 6},
		{1, 1, 1}, {2, 1, 2}, {3, 1, 3}, {3, 2, 2},
	} {
		line := strings.Repeat("x", c.line-1) + "\n"
		rest := strings.Repeat("y", 100)
		if got := text.Select(line+rest, text.Options{Head: c.budget}); len(got.Head) != c.want {
			t.Errorf("head of %d, line end at %d: %d kept, want %d", c.budget, c.line, len(got.Head), c.want)
		}
		line = strings.Repeat("x", c.line)
		if got := text.Select(rest+"\n"+line, text.Options{Tail: c.budget}); len(got.Tail) != c.want {
			t.Errorf("tail of %d, line of %d: %d kept, want %d", c.budget, c.line, len(got.Tail), c.want)
		}
		exact := text.Select(rest+"\n"+line, text.Options{Tail: c.budget, Exact: true})
		if len(exact.Tail) != c.budget {
			t.Errorf("exact tail of %d: %d kept", c.budget, len(exact.Tail))
		}
	}
	if got := text.Select("aaa\nbbb\nccc\nddd", text.Options{Head: 11, Exact: true}); got.Head != "aaa\nbbb\nccc" {
		t.Errorf("exact head of 11: %q", got.Head)
	}
}

func TestLineCap(t *testing.T) {
	lines := func(n int) string { return strings.Repeat("line\n", n) }
	for _, c := range []struct {
		name       string
		in         string
		keep       text.Keep
		cap        int
		head, tail int // lines
		omitted    int
	}{
		{"below", lines(999), text.Both, 1000, 999, 0, 0},
		{"at", lines(1000), text.Both, 1000, 1000, 0, 0},
		{"at, without the last line end", lines(999) + "end", text.Both, 1000, 1000, 0, 0},
		{"above", lines(1001), text.Both, 1000, 200, 800, 1},
		{"above, without the last line end", lines(1000) + "end", text.Both, 1000, 200, 800, 1},
		{"above, head", lines(1001), text.Head, 1000, 1000, 0, 1},
		{"above, tail", lines(1001), text.Tail, 1000, 0, 1000, 1},
		{"4 has one for the head", lines(10), text.Both, 4, 1, 3, 6},
		{"1 is the first", lines(10), text.Both, 1, 1, 0, 9},
		{"1 is the last", lines(10), text.Tail, 1, 0, 1, 9},
		{"1 of one line", "line", text.Both, 1, 1, 0, 0},
		{"0 is off", lines(5000), text.Both, 0, 5000, 0, 0},
		{"negative is off", lines(5000), text.Both, math.MinInt, 5000, 0, 0},
		{"huge", lines(5000), text.Both, math.MaxInt, 5000, 0, 0},
		{"empty lines", strings.Repeat("\n", 100_000), text.Both, 1000, 200, 800, 99_000},
		{"CRLF", strings.Repeat("\r\n", 11), text.Both, 10, 2, 8, 1},
		{"a lone CR ends no line", strings.Repeat("50%\r", 5000), text.Both, 10, 1, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := text.Select(c.in, c.keep.Options(text.UTF16, 1_000_000, c.cap))
			if h, l := naiveLines(got.Head), naiveLines(got.Tail); h != c.head || l != c.tail || got.Omitted.Lines != c.omitted {
				t.Errorf("%d + %d lines kept, %d omitted, want %d + %d, %d", h, l, got.Omitted.Lines, c.head, c.tail, c.omitted)
			}
		})
	}
}

// A side without lines has none, also when its units would do.
func TestLineCapOfOneSide(t *testing.T) {
	o := text.Options{Head: 100, Tail: 100, TailLines: 2}
	if got := text.Select("a\nb\nc\nd\n", o); got.Head != "" || got.Tail != "c\nd\n" || got.Omitted.Lines != 2 {
		t.Errorf("%q, %q", got.Head, got.Tail)
	}
	o = text.Options{Head: 100, Tail: 100, HeadLines: 2}
	if got := text.Select("a\nb\nc\nd\n", o); got.Head != "a\nb\n" || got.Tail != "" || got.Omitted.Lines != 2 {
		t.Errorf("%q, %q", got.Head, got.Tail)
	}
}

// A line is omitted where its end is.
func TestOmittedLines(t *testing.T) {
	for _, c := range []struct {
		in         string
		head, tail int
		want       int
	}{
		{"aaaa", 1, 1, 0},       // cut in the middle: its end is kept
		{"aaaa", 1, 0, 1},       // its end is omitted
		{"aaaa", 0, 1, 0},       //
		{"aaaa\n", 1, 0, 1},     //
		{"aaaa\nbbbb", 1, 1, 1}, // aaaa
		{"aaaa\nbbbb", 5, 1, 0}, //
		{"aaaa\nbbbb", 1, 0, 2}, //
		{"\n\n\n\n", 1, 1, 2},   //
	} {
		got := text.Select(c.in, text.Options{Head: c.head, Tail: c.tail})
		if got.Omitted.Lines != c.want || got.Kept().Lines+c.want != naiveLines(c.in) {
			t.Errorf("%q, %d/%d: %d lines omitted, want %d", c.in, c.head, c.tail, got.Omitted.Lines, c.want)
		}
	}
}

func TestKeepSplits(t *testing.T) {
	for _, c := range []struct {
		keep          text.Keep
		n, head, tail int
	}{
		{text.Both, 25_000, 5_000, 20_000}, {text.Both, 24_961, 4_992, 19_969}, {text.Both, 4, 0, 4}, {text.Both, 5, 1, 4},
		{text.Both, 0, 0, 0}, {text.Both, -7, 0, 0}, {text.Head, 7, 7, 0}, {text.Tail, 7, 0, 7}, {text.Head, -7, 0, 0},
		{text.Tail, math.MinInt, 0, 0}, {text.Keep(9), 5, 1, 4},
	} {
		if head, tail := c.keep.Split(c.n); head != c.head || tail != c.tail {
			t.Errorf("%v.Split(%d) = %d, %d, want %d, %d", c.keep, c.n, head, tail, c.head, c.tail)
		}
	}
	if head, tail := text.Both.Split(math.MaxInt); head+tail != math.MaxInt || head != math.MaxInt/5 {
		t.Errorf("Both.Split(MaxInt) = %d, %d", head, tail)
	}
	for _, c := range []struct {
		keep        text.Keep
		lines, h, t int
	}{
		{text.Both, 1000, 200, 800}, {text.Both, 1, 1, 0}, {text.Both, 0, 0, 0}, {text.Both, -1, 0, 0}, {text.Both, 4, 1, 3},
		{text.Head, 3, 3, 0}, {text.Tail, 3, 0, 3}, {text.Tail, 1, 0, 1}, {text.Keep(9), 1, 1, 0},
	} {
		got := c.keep.Options(text.Runes, 50, c.lines)
		head, tail := c.keep.Split(50)
		want := text.Options{Unit: text.Runes, Head: head, Tail: tail, HeadLines: c.h, TailLines: c.t}
		if got != want {
			t.Errorf("%v.Options(runes, 50, %d): %s", c.keep, c.lines, cmp.Diff(want, got))
		}
	}
}

func TestJoin(t *testing.T) {
	whole := text.Select("abc", text.Options{Head: 1, Tail: 2})
	cut := text.Select("abcd", text.Options{Head: 1, Tail: 2})
	none := text.Select("abcd", text.Options{})
	if got := [...]string{whole.Join("…"), cut.Join("…"), none.Join("…")}; got != [...]string{"abc", "a…cd", "…"} {
		t.Errorf("joined: %q", got)
	}
}
