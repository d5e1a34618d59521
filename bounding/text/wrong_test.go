package text_test

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/bounding/text"
)

// wrong are ways in which agents have cut text, and what law each breaks. The checks of this package must find every
// one of them: a check that does not is worth nothing.
var wrong = []struct {
	name string
	cut  func(s string, o text.Options) text.Selection
}{
	{"cuts at bytes", func(s string, o text.Options) text.Selection {
		if len(s) <= o.Head+o.Tail || o.Unit != text.Bytes {
			return text.Select(s, o)
		}
		return cutAt(s, o.Head, len(s)-o.Tail)
	}},
	{"splits surrogate pairs", func(s string, o text.Options) text.Selection {
		units := utf16.Encode([]rune(s))
		if len(units) <= o.Head+o.Tail || o.Unit != text.UTF16 {
			return text.Select(s, o)
		}
		got := text.Select(s, o)
		got.Head, got.Tail = string(utf16.Decode(units[:o.Head])), string(utf16.Decode(units[len(units)-o.Tail:]))
		return got
	}},
	{"cuts at runes, and so into CRLF, escape sequences and clusters", func(s string, o text.Options) text.Selection {
		r := []rune(s)
		if len(r) <= o.Head+o.Tail || !utf8.ValidString(s) {
			return text.Select(s, o)
		}
		return cutAt(s, len(string(r[:o.Head])), len(s)-len(string(r[len(r)-o.Tail:])))
	}},
	{"shows invalid bytes as they are", func(s string, o text.Options) text.Selection {
		if got := text.Select(s, o); got.Cut() {
			return got
		}
		return text.Selection{Head: s, Total: text.Measure(s)}
	}},
	{"shows a run of invalid bytes as one U+FFFD", func(s string, o text.Options) text.Selection {
		return text.Select(strings.ToValidUTF8(s, "\ufffd"), o)
	}},
	{"takes the omission from the budget", func(s string, o text.Options) text.Selection {
		got := text.Select(s, o)
		if got.Cut() {
			got.Omitted.UTF16 = got.Total.UTF16 - o.Head - o.Tail
		}
		return got
	}},
	{"counts what was omitted after it was cleaned", func(s string, o text.Options) text.Selection {
		got := text.Select(s, o)
		got.Omitted.Raw = got.Omitted.Bytes
		return got
	}},
	{"keeps no tail of a single line", func(s string, o text.Options) text.Selection {
		if strings.Contains(s, "\n") {
			return text.Select(s, o)
		}
		o.Tail = 0
		return text.Select(s, o)
	}},
	{"gives the whole budget to each side", func(s string, o text.Options) text.Selection {
		got := text.Select(s, o)
		if got.Cut() {
			got.Tail = o.Unit.Suffix(s, o.Head+o.Tail)
		}
		return got
	}},
	{"cuts at a line end at any price", func(s string, o text.Options) text.Selection {
		got := text.Select(s, o)
		if got.Cut() && utf8.ValidString(s) {
			return cutAt(s, strings.LastIndexByte(s[:len(got.Head)], '\n')+1, len(s)-len(got.Tail))
		}
		return got
	}},
	{"never looks for a line end", func(s string, o text.Options) text.Selection {
		o.Exact = true
		return text.Select(s, o)
	}},
	{"lets the line cap do without the budget", func(s string, o text.Options) text.Selection {
		if naiveLines(s) <= o.HeadLines+o.TailLines {
			return whole(s)
		}
		return text.Select(s, o)
	}},
	{"cuts a text that is just as long as the budget", func(s string, o text.Options) text.Selection {
		if o.Unit.Count(s) == o.Head+o.Tail {
			return text.Select(s, text.Options{Unit: o.Unit, Head: o.Head, Tail: o.Tail - 1})
		}
		return text.Select(s, o)
	}},
	{"cleans chunk by chunk", func(s string, o text.Options) text.Selection {
		return text.Select(text.Clean(s[:len(s)/2])+text.Clean(s[len(s)/2:]), o)
	}},
}

func whole(s string) text.Selection {
	return text.Selection{Head: text.Clean(s), Total: text.Measure(s)}
}

// cutAt cuts s at two positions, for better or worse.
func cutAt(s string, head, tail int) text.Selection {
	got := text.Selection{Head: text.Clean(s[:head]), Tail: text.Clean(s[tail:]), Total: text.Measure(s), Omitted: text.Measure(s[head:tail])}
	if !strings.HasSuffix(s[:tail], "\n") && tail < len(s) && tail > head {
		got.Omitted.Lines--
	}
	return got
}

func TestWrongImplementationsAreFound(t *testing.T) {
	for _, w := range wrong {
		t.Run(w.name, func(t *testing.T) {
			found := ""
			words([]string{"a", "\n", "\r\n", "é", "😀", "\x1b[m", "e\u0301", "\xff"}, 4, func(s string) {
				for _, u := range units {
					for _, o := range []text.Options{{Head: 1, Tail: 2}, {Head: 2, Tail: 2, HeadLines: 1, TailLines: 1}, {Head: 3, Tail: 1}} {
						o.Unit = u
						if found != "" || o.Tail > len(s) || o.Head > len(s) {
							return
						}
						want := newOracle(s).selection(o)
						if text.Select(s, o) != want {
							t.Fatalf("Select itself is wrong for %q, %+v", s, o)
						}
						if w.cut(s, o) != want {
							found = s
						}
					}
				}
			})
			if found == "" {
				t.Error("is not found")
			}
		})
	}
}

// The laws alone, which know nothing of how a text should be cut, find those that break them.
func TestLawsFindWhatBreaksThem(t *testing.T) {
	s := "héllo\xff wörld\r\n\x1b[31m😀😀😀😀\nend"
	for _, name := range []string{
		"cuts at bytes", "splits surrogate pairs", "shows invalid bytes as they are", "takes the omission from the budget",
		"gives the whole budget to each side",
	} {
		for _, w := range wrong {
			if w.name != name {
				continue
			}
			found := false
			for head := range utf8.RuneCountInString(s) / 2 {
				for tail := range utf8.RuneCountInString(s) / 2 {
					for _, u := range units {
						o := text.Options{Unit: u, Head: head, Tail: tail}
						found = found || lawful(s, o, w.cut(s, o)) != ""
						if law := lawful(s, o, text.Select(s, o)); law != "" {
							t.Fatalf("Select breaks a law: %s", law)
						}
					}
				}
			}
			if big := (text.Options{Head: 100, Tail: 100}); !found && lawful(s, big, w.cut(s, big)) == "" {
				t.Errorf("%q breaks no law", name)
			}
		}
	}
}
