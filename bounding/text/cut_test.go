package text_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/bounding/text"
)

// inside lists the positions in s, in runes, at which no cut is made: those that Prefix does not stop at.
func inside(s string) []int {
	var out []int
	for n := range text.Runes.Count(s) {
		if text.Runes.Count(text.Runes.Prefix(s, n)) < n {
			out = append(out, n)
		}
	}
	return out
}

// Each text is to stay in one piece, between two letters that it has nothing to do with.
func TestStaysWhole(t *testing.T) {
	for _, s := range []string{
		"\r\n",
		"\x1b[m", "\x1b[31m", "\x1b[1;31m", "\x1b[?25h", "\x1b[1 q", "\x1b[>4;2m", "\x1b[2J", "\x1b[@", "\x1b[~",
		"\x1b]0;title\a", "\x1b]0;title\x1b\\", "\x1b]8;;https://example.com/é\x1b\\", "\x1b]\a", "\x1b]\xff\x1b\\",
		"\x1bP1$r0m\x1b\\", "\x1bXsos\x1b\\", "\x1b^pm\x1b\\", "\x1b_apc\x1b\\", "\x1b]0;\x7f\a",
		"\x1b7", "\x1bc", "\x1b=", "\x1bM", "\x1bO", "\x1b\\", "\x1b~", "\x1b0", "\x1b(B", "\x1b(0", "\x1b/~", "\x1b#8", "\x1b %G",
		"e\u0301", "☂\ufe0f", "👍🏻", "👍🏽", "👍🏿", "🇦🇦", "🇿🇿", "👩‍👩‍👧‍👦", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "1\ufe0f\u20e3", "é\u200d",
		"o" + strings.Repeat("\u0301", 32),
		"\x1b]" + strings.Repeat("o", 4093) + "\a", "\x1b]" + strings.Repeat("o", 4092) + "\x1b\\",
		"\x1b[" + strings.Repeat("0", 4093) + "m", "\x1b" + strings.Repeat(" ", 4094) + "F",
	} {
		in, n := "x"+s+"y", text.Runes.Count(s)
		for _, k := range inside(in) {
			if k == 1 || k > n {
				t.Errorf("%.60q: a cut at %d is not made", s, k)
			}
		}
		if got := len(inside(in)); got != n-1 {
			t.Errorf("%.60q: no cut at %d positions, want none at %d", s, got, n-1)
		}
		for k := range n {
			if got := text.Runes.Suffix(in, k+1); got != "y" {
				t.Errorf("%.60q: Suffix(%d) = %.60q, want y", s, k+1, got)
			}
		}
	}
}

// What only begins like an escape sequence or a cluster is cut anywhere.
func TestIsCutAnywhere(t *testing.T) {
	for _, s := range []string{
		"abc", "\r\r", "\n\n", "\n\r", "\x1b", "\x1b[", "\x1b[31", "\x1b[31\n", "\x1b[é", "\x1b[\x7f", "\x1b]0;title", "\x1b]0;a\nb\a",
		"\x1b]0;a\tb\a", "\x1b]0;a\x1b[", "\x1b\x1b\x1b", "\x1b\x00", "\x1bé", "\x1b(", "\x1b(\n", "\x1b\x7f", "\x1b[ 1m", "\x1b[3\xff",
		"\x1bP0;title", "\x1b[1 \x1b", "\u009b31m", "\xff\xfe", "\xe2\x82", "日本", "한국", "ᄒ",
		"\n\u0301", "\x00\u0301", "\xff\u0301", "\u2028\u0301", "\u0085\u0301", "\u200da", "\u200d\n", "😀😀", "🇩", "🇩x",
	} {
		for _, k := range inside("\x1b7" + s) {
			if k > 1 {
				t.Errorf("%q: no cut at %d", s, k-2)
			}
		}
	}
}

func TestCutsInRows(t *testing.T) {
	flags := func(n int) string { return strings.Repeat("🇩", n) }
	odd := func(n int) (out []int) {
		for k := 1; k < n; k += 2 {
			out = append(out, k)
		}
		return out
	}
	upTo := func(from, to int) (out []int) {
		for k := from; k <= to; k++ {
			out = append(out, k)
		}
		return out
	}
	for _, c := range []struct {
		name string
		in   string
		want []int
	}{
		{"three flags and a half", flags(7), []int{1, 3, 5}},
		{"flags after text", "a" + flags(4), []int{2, 4}},
		{"flags after an escape sequence", "\x1b7" + flags(3), []int{1, 3}},
		{"64 indicators", flags(64), odd(64)},
		{"70 indicators", flags(70), odd(65)},
		{"33 marks", "o" + strings.Repeat("\u0301", 33), upTo(1, 32)},
		{"marks after an escape sequence", "\x1b[m\u0301\u0301", []int{1, 2, 4}},
		{"marks after a control string", "\x1b]o\u0301\x1b\\\u0301\u0301", []int{1, 2, 3, 4, 5, 7}},
		{"a control string that is too long", "\x1b]" + strings.Repeat("o", 4094) + "\a", nil},
		{"one that is too long with ESC \\", "\x1b]" + strings.Repeat("o", 4093) + "\x1b\\", []int{4096}},
		{"a CSI that is too long", "\x1b[" + strings.Repeat("0", 4094) + "m", nil},
		{"ESC \\ twice", "\x1b]o\x1b\\\x1b\\", []int{1, 2, 3, 4, 6}},
		{"one after the other", "\x1b[m\x1b[m", []int{1, 2, 4, 5}},
		{"a control string cut short by another", "\x1b]o\x1b]o\a", []int{4, 5, 6}},
		{"CR CRLF", "\r\r\n", []int{2}},
		{"CRLF LF", "\r\n\n", []int{1}},
	} {
		if got := inside(c.in); !slices.Equal(got, c.want) {
			t.Errorf("%s: no cut at %v, want %v", c.name, got, c.want)
		}
	}
}

// What is longer than the budget is left out as a whole, and what is beyond it is not reached.
func TestSequenceLongerThanBudget(t *testing.T) {
	link := "\x1b]8;;https://example.com/a/long/path\x1b\\"
	for _, u := range units {
		for n := range len(link) {
			if got := u.Prefix(link+"text", n); got != "" {
				t.Errorf("%v.Prefix(%d) = %q", u, n, got)
			}
			if got := u.Suffix("text"+link, n); got != "" {
				t.Errorf("%v.Suffix(%d) = %q", u, n, got)
			}
		}
		if got := u.Prefix(link+"text", len(link)); got != link {
			t.Errorf("%v.Prefix(%d) = %q", u, len(link), got)
		}
	}
	got := text.Select(link+link, text.Options{Head: 10, Tail: 10})
	if got.Join("") != "" || got.Omitted.UTF16 != 2*len(link) {
		t.Errorf("%q kept, %d omitted", got.Join(""), got.Omitted.UTF16)
	}
}

func TestBudgetsAtTheEnds(t *testing.T) {
	for _, s := range []string{"", "a", "a\xffé😀\n", "\x00\x00"} {
		for _, u := range append(units, text.Unit(9)) {
			for _, n := range []int{math.MinInt, -1, 0} {
				if u.Prefix(s, n) != "" || u.Suffix(s, n) != "" {
					t.Errorf("%v of %q with %d: %q, %q", u, s, n, u.Prefix(s, n), u.Suffix(s, n))
				}
			}
			for _, n := range []int{u.Count(s), u.Count(s) + 1, math.MaxInt - 1, math.MaxInt} {
				if want := naiveClean(s); u.Prefix(s, n) != want || u.Suffix(s, n) != want {
					t.Errorf("%v of %q with %d: %q, %q", u, s, n, u.Prefix(s, n), u.Suffix(s, n))
				}
			}
		}
	}
}
