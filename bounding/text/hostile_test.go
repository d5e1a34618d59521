package text_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boundcheck/boundcheck/bounding/text"
)

// Texts of a megabyte and more that are made to take long. Anything quadratic in here takes minutes.
var hostile = map[string]string{
	"one line":                     strings.Repeat("x", mega),
	"one line of invalid bytes":    strings.Repeat("\xff", mega),
	"one line of NUL":              strings.Repeat("\x00", mega),
	"empty lines":                  strings.Repeat("\n", mega),
	"CRs":                          strings.Repeat("\r", mega),
	"CRLFs":                        strings.Repeat("\r\n", mega/2),
	"ESCs":                         strings.Repeat("\x1b", mega),
	"unterminated control string":  "\x1b]" + strings.Repeat("x", mega),
	"unterminated control strings": strings.Repeat("\x1b]", mega/2),
	"long control strings":         strings.Repeat("\x1b]"+strings.Repeat("x", 4090), mega/4092),
	"unterminated CSI":             "\x1b[" + strings.Repeat("0", mega),
	"ESC \\":                       strings.Repeat("\x1b\\", mega/2),
	"ESC and spaces":               "\x1b" + strings.Repeat(" ", mega),
	"marks":                        "o" + strings.Repeat("\u0301", mega/2),
	"joiners":                      strings.Repeat("\u200d", mega/3),
	"flags":                        strings.Repeat("🇩", mega/4),
	"emoji":                        strings.Repeat("👩‍👩‍👧‍👦", mega/25),
}

func TestHostileTexts(t *testing.T) {
	for name, s := range hostile {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			size := text.Measure(s)
			for _, u := range units {
				for _, n := range []int{math.MinInt, 64, 25_000, size.In(u) - 1, math.MaxInt} {
					o := text.Both.Options(u, n, 1000)
					o.Exact = n%2 == 0
					got := text.Select(s, o)
					if kept := got.Kept().In(u); kept > max(n, 0) || kept+got.Omitted.In(u) != size.In(u) {
						t.Fatalf("budget %d %v: %d kept, %d omitted of %d", n, u, kept, got.Omitted.In(u), size.In(u))
					}
					if diff := cmp.Diff(got, retain(chunks(s, []uint16{1, 60000}), o)); diff != "" {
						t.Fatalf("budget %d %v: the retainer: %.1000s", n, u, diff)
					}
				}
			}
		})
	}
}

// However hostile, a preview shows most of what it may, unless escape sequences take it up.
func TestHostileTextsAreShown(t *testing.T) {
	for name, s := range hostile {
		if name == "ESC and spaces" { // TestStaysWhole: up to 4,096 bytes of it are one sequence
			continue
		}
		for _, u := range units {
			o := text.Both.Options(u, 25_000, 0)
			if got := text.Select(s, o); u.Count(got.Head) < 4_800 || u.Count(got.Tail) < 19_800 {
				t.Errorf("%s: %d and %d %v shown of 5,000 and 20,000", name, u.Count(got.Head), u.Count(got.Tail), u)
			}
		}
	}
}

func TestRetainerByteByByte(t *testing.T) {
	for name, s := range hostile {
		s := s[:min(len(s), 60_000)]
		o := text.Both.Options(text.UTF16, 1000, 100)
		if diff := cmp.Diff(text.Select(s, o), retain(chunks(s, []uint16{1}), o)); diff != "" {
			t.Errorf("%s: %.1000s", name, diff)
		}
	}
}

// A rune that comes in parts counts as one, also in a side that is longer than what a retainer holds in any case.
func TestRetainerOfRunesInParts(t *testing.T) {
	s := strings.Repeat("語", 15_000) + strings.Repeat("é😀", 10_000) + strings.Repeat("語", 15_000)
	for _, u := range units {
		for _, sizes := range [][]uint16{{1}, {2}, {4, 3}} {
			o := text.Options{Unit: u, Head: 13_000, Tail: 13_000}
			if diff := cmp.Diff(text.Select(s, o), retain(chunks(s, sizes), o)); diff != "" {
				t.Errorf("%v in chunks of %v: %.300s", u, sizes, diff)
			}
		}
	}
}
