package text_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boundcheck/boundcheck/bounding/text"
)

// words calls f with every string of at most n letters.
func words(letters []string, n int, f func(string)) {
	var grow func(string, int)
	grow = func(s string, n int) {
		f(s)
		if n == 0 {
			return
		}
		for _, l := range letters {
			grow(s+l, n-1)
		}
	}
	grow("", n)
}

// Every short text over what cuts go wrong in, in every unit, with every budget that makes a difference.
func TestSmallScope(t *testing.T) {
	for _, c := range []struct {
		name    string
		letters []string
		length  int
	}{
		{"lines and escapes", []string{"a", "\n", "\r", "é", "😀", "\x1b", "[", "\xff"}, 5},
		{"control strings", []string{"a", "\n", "\x1b", "]", "\\", "\a", "("}, 5},
		{"clusters", []string{"a", "\x1b7", "\u0301", "\u200d", "👍", "🏽", "🇩", "\xf0\x9f"}, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			failures := 0
			words(c.letters, c.length, func(s string) {
				if failures < 5 && !smallScope(t, s) {
					failures++
				}
			})
		})
	}
}

func smallScope(t *testing.T, s string) bool {
	o := newOracle(s)
	if got := text.Measure(s); got != o.all {
		t.Errorf("Measure(%q) = %+v, want %+v", s, got, o.all)
		return false
	}
	for _, u := range units {
		for n := range 9 {
			if got, want := u.Prefix(s, n), o.prefix(u, n); got != want {
				t.Errorf("%v.Prefix(%q, %d) = %q, want %q", u, s, n, got, want)
				return false
			}
			if got, want := u.Suffix(s, n), o.suffix(u, n); got != want {
				t.Errorf("%v.Suffix(%q, %d) = %q, want %q", u, s, n, got, want)
				return false
			}
			for _, lines := range []int{0, 1 + n%3} {
				p := text.Both.Options(u, n, lines)
				if lines > 0 { // more for the head than Both gives it
					p.Head, p.Tail = n-n/2, n/2
				}
				got, want := text.Select(s, p), o.selection(p)
				if got != want {
					t.Errorf("Select(%q, %+v): %s", s, p, cmp.Diff(want, got))
					return false
				}
				if kept := retain([]string{s[:len(s)/2], s[len(s)/2:]}, p); kept != want {
					t.Errorf("Retainer(%q, %+v): %s", s, p, cmp.Diff(want, kept))
					return false
				}
			}
		}
	}
	return true
}
