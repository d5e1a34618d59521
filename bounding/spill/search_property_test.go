package spill_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// found is a match without its text.
type found struct{ Offset, Bytes, Line int64 }

// naiveSearch is grep -o with line numbers: it has all of the text, splits it into lines, and searches each.
func naiveSearch(s, pattern string) (list []found) {
	re := regexp.MustCompile(pattern)
	offset := 0
	line := int64(0)
	for l := range strings.Lines(s) {
		line++
		body := strings.TrimSuffix(strings.TrimSuffix(l, "\n"), "\r")
		if !strings.HasSuffix(l, "\n") {
			body = strings.TrimSuffix(l, "\r")
		}
		for _, m := range re.FindAllStringIndex(body, -1) {
			list = append(list, found{int64(offset + m[0]), int64(m[1] - m[0]), line})
		}
		offset += len(l)
	}
	return list
}

// searchAll follows Next to the end.
func searchAll(t testing.TB, s spill.Store, locator, pattern string, most int) (list []found) {
	t.Helper()
	for from := int64(0); ; {
		m, err := spill.Search(t.Context(), s, locator, spill.Query{Pattern: pattern, From: from, Max: most})
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range m.Matches {
			list = append(list, found{match.Offset, match.Bytes, match.Line})
		}
		if len(m.Matches) > most || m.Next < from || m.Next > m.Total {
			t.Fatalf("%d matches of %d, next %d of %d after %d", len(m.Matches), most, m.Next, m.Total, from)
		}
		if m.Next == m.Total {
			return list
		}
		if m.Next == from {
			t.Fatalf("no progress at %d", from)
		}
		from = m.Next
	}
}

var patterns = []string{
	"a", "aa", "aaa", "a+", "^a", "a$", `\ba`, `a\b`, `\Ba`, "b{3}", "語", ".", "(?i)A", `\n`, "[^a]", "é|a", "\ufffd", `\x{1F600}`, "a|ab|aaa",
	"a.", ".a", "^.*$", "^$", `^\s*a`, "a*", "$", `\b`, "^", `\Qa`, "b*?", `(?m)^a$|a`, "^a|a$|aa", `\ba|\Baa`,
}

func genPattern() gopter.Gen {
	consts := make([]any, len(patterns))
	for i, p := range patterns {
		consts[i] = p
	}
	return gen.OneConstOf(consts...)
}

// spec: SPL-7
func TestSearchAgreesWithGrep(t *testing.T) {
	parameters := gopter.DefaultTestParametersWithSeed(1)
	parameters.MinSuccessfulTests = 2_000
	properties := gopter.NewProperties(parameters)
	properties.Property("a search finds what grep does, in one go or in many", prop.ForAll(func(s, pattern string, most int) bool {
		store, locator := held(s)
		want := naiveSearch(s, pattern)
		if n := len(want); n > 0 && want[n-1].Offset == int64(len(s)) && want[n-1].Bytes == 0 {
			want = want[:n-1] // nothing begins at the end
		}
		got := searchAll(t, store, locator, pattern, most)
		if firstDifference(want, got) >= 0 {
			t.Errorf("%q in %q, %d at once: %v instead of %v", pattern, s, most, got, want)
		}
		return !t.Failed()
	}, genText(14), genPattern(), gen.IntRange(1, 4)))
	properties.TestingRun(t)
}

// Long lines are searched in pieces, and nothing tells where one ends: matches are those of a search in the whole line,
// also where the text repeats itself, where the piece ends in a rune or next to a match, and where a search goes on.
//
// spec: SPL-7
func TestSearchInLongLinesAgreesWithGrep(t *testing.T) {
	const block = 256 << 10
	random := rand.New(rand.NewPCG(1, 2))
	fill := []func() string{
		func() string { return "a" },
		func() string { return "ab" },
		func() string { return "😀aab\r" },
		func() string {
			return strings.Repeat("a", random.IntN(9)) + "語b " + strings.Repeat(" ", random.IntN(1_500))
		},
		func() string { return strings.Repeat(" ", random.IntN(3_000)) + "aaaa\xffaaa" },
		func() string {
			return strings.Repeat("a  ", random.IntN(600)) + strings.Repeat("-", 16<<10-2+random.IntN(5))
		},
		func() string { return strings.Repeat(".", block-3+random.IntN(6)) + "aaa\r\naa\n" }, // lines around the size of a block
	}
	for i := range len(fill) {
		var b strings.Builder
		b.WriteString(strings.Repeat("x", i%4))
		for b.Len() < block+40_000 {
			b.WriteString(fill[i%len(fill)]())
		}
		store, locator := held(b.String())
		for _, pattern := range []string{"aaa", "aa|ab", `\ba`, `\Baa`, `a{2,5}\b`, "a*?b"} {
			all := naiveSearch(b.String(), pattern)
			for _, skip := range []int{0, len(all) * 2 / 3} {
				want, got := all[skip:], []found(nil)
				next := int64(0)
				if skip > 0 {
					next = want[0].Offset
				}
				for range 2 {
					m, err := spill.Search(t.Context(), store, locator, spill.Query{Pattern: pattern, From: next, Max: 700})
					if err != nil {
						t.Fatal(err)
					}
					for _, match := range m.Matches {
						got = append(got, found{match.Offset, match.Bytes, match.Line})
					}
					if next = m.Next; next == m.Total {
						break
					}
				}
				if next < int64(b.Len()) {
					want = want[:min(len(want), len(got))]
				}
				if d := firstDifference(want, got); d >= 0 {
					t.Errorf("text %d, %q from match %d: %d matches instead of %d; number %d differs: %v, %v", i, pattern, skip, len(got), len(want), d, at(want, d), at(got, d))
				}
			}
		}
	}
}

func firstDifference(a, b []found) int {
	for i := range max(len(a), len(b)) {
		if at(a, i) != at(b, i) {
			return i
		}
	}
	return -1
}

func at(list []found, i int) found {
	if i < len(list) {
		return list[i]
	}
	return found{Offset: -1}
}
