package text

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

// What a retainer holds depends on its budgets, not on what is written. spec: UNI-6
func TestRetainerMemory(t *testing.T) {
	for _, c := range []struct {
		name  string
		unit  Unit
		text  string
		width int // bytes that a unit takes
	}{
		{"ascii", UTF16, "x", 1},
		{"lines", UTF16, "\n", 1},
		{"latin", UTF16, "é", 2},
		{"cjk", UTF16, "語", 3},
		{"emoji", UTF16, "😀", 2},
		{"emoji in runes", Runes, "😀", 4},
		{"emoji in bytes", Bytes, "😀", 1},
		{"invalid", UTF16, "\xff", 1},
		{"invalid in bytes", Bytes, "\xff", 1},
		{"unterminated", UTF16, "\x1b]0;", 1},
	} {
		for _, budget := range []int{0, 64, 5_000, 50_000} {
			for _, chunk := range []int{3, 100, 8_000, 500_000} {
				o := Both.Options(c.unit, budget, 0)
				r := NewRetainer(o)
				p := strings.Repeat(c.text, chunk/len(c.text)+1)
				for range 800_000/len(p) + 1 {
					r.WriteString(p)
					if held := cap(r.head) + cap(r.tail); held > 2*c.width*budget+24<<10 {
						t.Fatalf("%s: %d bytes held for a budget of %d, written %d at a time", c.name, held, budget, len(p))
					}
				}
				if !r.dropped {
					t.Errorf("%s: nothing dropped with a budget of %d", c.name, budget)
				}
			}
		}
	}
}

// What comes after wide text, and before it, makes no difference to the bound, and the memory follows the text. spec: UNI-6
func TestRetainerMemoryOfMixedText(t *testing.T) {
	const budget = 100_000
	widest := map[Unit]int{UTF16: 3, Bytes: 1, Runes: 4}
	for u, width := range widest {
		for _, kinds := range [][]string{{"語", "x"}, {"x", "語"}, {"😀", "\xff", "x"}, {"x", "😀", "語", "x"}, {"\xff", "x"}} {
			for _, o := range []Options{{Unit: u, Tail: budget}, {Unit: u, Head: budget}, Both.Options(u, budget, 0)} {
				r := NewRetainer(o)
				for _, kind := range kinds {
					chunk := strings.Repeat(kind, 1_000)
					for range 1_000 {
						r.WriteString(chunk)
						if held := cap(r.head) + cap(r.tail); held > 2*width*budget+24<<10 {
							t.Fatalf("%q, %+v: %d bytes held", kinds, o, held)
						}
					}
				}
				// The last kind was written ten times over: only its width matters to the tail now.
				if held, last := cap(r.tail), len(kinds[len(kinds)-1]); o.Head == 0 && held > 5*min(last, width)*budget/2+24<<10 {
					t.Errorf("%q, %+v: the tail holds %d bytes", kinds, o, held)
				}
			}
		}
	}
}

// A retainer without a limit holds what was written, and not much more.
func TestRetainerWithoutLimit(t *testing.T) {
	for _, o := range []Options{{Head: math.MaxInt / 2}, {Tail: math.MaxInt / 2}, {Head: math.MaxInt, Tail: math.MaxInt}} {
		r := NewRetainer(o)
		for range 10_000 {
			r.WriteString("0123456789")
		}
		if held := cap(r.head) + cap(r.tail); held > 400_000 {
			t.Errorf("%+v: %d bytes held", o, held)
		}
		if s := r.Selection(); s.Cut() || len(s.Join("")) != 100_000 {
			t.Errorf("%+v: %d bytes of 100,000", o, len(s.Join("")))
		}
	}
}

func TestPartial(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "a": 0, "é": 0, "\xc3": 1, "a\xc3": 1, "\xe2\x82": 2, "\xf0\x9f\x98": 3, "\xf0\x9f\x98\x80": 0,
		"\x80": 0, "\x80\x80\x80\x80": 0, "\xc0": 0, "\xed\xa0": 0, "\xf5": 0, "\xe2\x82a": 0, "\xf0\xf0": 1, "\xe2\x82\x82\x82": 0,
	} {
		if got := partial(s); got != want {
			t.Errorf("partial(%q) = %d, want %d", s, got, want)
		}
		if want > 0 && utf8.FullRuneInString(s[len(s)-want:]) {
			t.Errorf("%q ends with a full rune", s)
		}
	}
}

// A retainer holds just enough around its cuts to know whether they are safe: here the longest that there is to know.
func TestRetainerHoldsWhatDecides(t *testing.T) {
	far := strings.Repeat("x", 2*reach)
	for _, s := range []string{
		"\x1b]" + strings.Repeat("o", maxEscape-3) + "\a",
		"\x1b]" + strings.Repeat("o", maxEscape-4) + "\x1b\\",
		"\x1b]" + strings.Repeat("o", maxEscape-2) + "\a",
		"\x1b]" + strings.Repeat("o", maxEscape-3) + "\x1b\\",
		"\x1b[" + strings.Repeat("0", maxEscape-3) + "m\u0301\u0301",
		"\x1b[" + strings.Repeat("0", maxEscape-2) + "m\u0301\u0301",
		"o" + strings.Repeat("\u0301", maxCluster+2),
		strings.Repeat("\U0001f1e9", maxFlags+2),
		"\r\n",
	} {
		in := far + s + far
		for _, u := range []Unit{UTF16, Bytes, Runes} {
			n := u.Count(s)
			for _, d := range []int{0, 1, 2, 3, 4, n - 4, n - 3, n - 2, n - 1, n, n + 1} {
				o := Options{Unit: u, Head: len(far) + d, Exact: true}
				r := NewRetainer(o)
				r.WriteString(in)
				if got, want := r.Selection(), Select(in, o); got != want {
					t.Errorf("%.9q, head %v+%d: %d %v kept, want %d", s, u, d, u.Count(got.Head), u, u.Count(want.Head))
				}
				o = Options{Unit: u, Tail: len(far) + d, Exact: true}
				r = NewRetainer(o)
				r.WriteString(in)
				if got, want := r.Selection(), Select(in, o); got != want {
					t.Errorf("%.9q, tail %v+%d: %d %v kept, want %d", s, u, d, u.Count(got.Tail), u, u.Count(want.Tail))
				}
			}
		}
	}
}
