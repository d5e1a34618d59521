package text_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boundcheck/boundcheck/bounding/text"
)

func TestCountValues(t *testing.T) {
	for _, c := range []struct {
		in                           string
		utf16, bytes, runes, ln, raw int
	}{
		{"", 0, 0, 0, 0, 0},
		{"\x00", 1, 1, 1, 1, 1},
		{"\n", 1, 1, 1, 1, 1},
		{"a\nb\n", 4, 4, 4, 2, 4},
		{"a\r\nb", 4, 4, 4, 2, 4},
		{"😀 déjà\n", 8, 12, 7, 1, 12},
		{"\uffff\U00010000", 3, 7, 2, 1, 7},
		{"\ufffd", 1, 3, 1, 1, 3},
		{"\xff", 1, 3, 1, 1, 1},
		{"\xef\xbf", 2, 6, 2, 1, 2},          // the beginning of U+FFFD
		{"\xed\xa0\x80", 3, 9, 3, 1, 3},      // a surrogate
		{"\xf0\x9f\x98", 3, 9, 3, 1, 3},      // an emoji without its last byte
		{"\xf4\x90\x80\x80", 4, 12, 4, 1, 4}, // beyond U+10FFFF
		{"\xc0\xaf", 2, 6, 2, 1, 2},          // an overlong /
		{strings.Repeat("\n", 100_000), 100_000, 100_000, 100_000, 100_000, 100_000},
	} {
		want := text.Size{UTF16: c.utf16, Bytes: c.bytes, Runes: c.runes, Lines: c.ln, Raw: c.raw}
		if got := text.Measure(c.in); got != want {
			t.Errorf("Measure(%.20q): %s", c.in, cmp.Diff(want, got))
		}
	}
}

// Whatever the length of the ASCII before and after it, a rune is seen.
func TestCountFindsEveryRune(t *testing.T) {
	for before := range 70 {
		for after := range 70 {
			s := strings.Repeat("a", before) + "😀" + strings.Repeat("b", after)
			if got := text.UTF16.Count(s); got != before+2+after {
				t.Fatalf("%d letters, an emoji, %d letters: %d", before, after, got)
			}
			if got := text.UTF16.Suffix(s, after+1); got != s[before+4:] {
				t.Fatalf("Suffix(%q, %d) = %q", s, after+1, got)
			}
		}
	}
	for before := range 600 { // past where mixed text is looked through in one go
		s := "é" + strings.Repeat("a", before) + "😀\xffé"
		if got := text.UTF16.Count(s); got != before+5 {
			t.Fatalf("é, %d letters, an emoji, an invalid byte, é: %d", before, got)
		}
	}
	for before := 32<<10 - 5; before < 32<<10+5; before++ { // past a block
		s := strings.Repeat("a", before) + "😀\n"
		if got, want := text.Measure(s), naiveSize(s); got != want {
			t.Fatalf("%d letters, an emoji: %s", before, cmp.Diff(want, got))
		}
	}
}

func TestUnitNames(t *testing.T) {
	type settings struct {
		Unit text.Unit
		Keep text.Keep
	}
	for in, want := range map[string]settings{
		`{"Unit":"utf16","Keep":"both"}`: {text.UTF16, text.Both},
		`{"Unit":"bytes","Keep":"head"}`: {text.Bytes, text.Head},
		`{"Unit":"runes","Keep":"tail"}`: {text.Runes, text.Tail},
	} {
		var got settings
		if err := json.Unmarshal([]byte(in), &got); err != nil || got != want {
			t.Errorf("%s: %+v, %v", in, got, err)
		}
		if out, err := json.Marshal(want); string(out) != in || err != nil {
			t.Errorf("%+v: %s, %v", want, out, err)
		}
	}
	if (settings{}) != (settings{text.UTF16, text.Both}) {
		t.Error("the defaults are not utf16 and both")
	}
	for _, in := range []string{`{"Unit":"chars"}`, `{"Unit":"UTF16"}`, `{"Unit":""}`, `{"Keep":"middle"}`, `{"Keep":""}`} {
		got := settings{Unit: text.Runes, Keep: text.Tail}
		if err := json.Unmarshal([]byte(in), &got); err == nil || got != (settings{text.Runes, text.Tail}) {
			t.Errorf("%s is taken as %+v, %v", in, got, err)
		}
	}
	for _, bad := range []any{settings{Unit: 3}, settings{Keep: 3}} {
		if out, err := json.Marshal(bad); err == nil {
			t.Errorf("%+v is written as %s", bad, out)
		}
	}
	for i := range 3 {
		u, err := text.ParseUnit(text.Unit(i).String())
		k, err2 := text.ParseKeep(text.Keep(i).String())
		if u != text.Unit(i) || k != text.Keep(i) || err != nil || err2 != nil {
			t.Errorf("%d: %v, %v, %v, %v", i, u, err, k, err2)
		}
	}
	if text.Unit(3).String() != "Unit(3)" || text.Keep(3).String() != "Keep(3)" {
		t.Errorf("%v, %v", text.Unit(3), text.Keep(3))
	}
	_, err := text.ParseUnit("chars")
	if err == nil || err.Error() != `text: unknown unit "chars": use utf16, bytes or runes` {
		t.Error(err)
	}
	_, err = text.ParseKeep("middle")
	if err == nil || err.Error() != `text: unknown end "middle" to keep: use both, head or tail` {
		t.Error(err)
	}
	if s := "a😀\xff"; text.Unit(3).Count(s) != text.UTF16.Count(s) {
		t.Error("a unit without a name does not count as utf16")
	}
}

func TestNothingIsAllocated(t *testing.T) {
	for _, p := range payloads {
		if p.name == "invalid" {
			continue // is shown as a copy
		}
		whole, cut := text.Both.Options(text.UTF16, math.MaxInt, 0), text.Both.Options(text.UTF16, 25_000, 1000)
		for name, f := range map[string]func(){
			"Count":   func() { text.UTF16.Count(p.text); text.Bytes.Count(p.text); text.Runes.Count(p.text) },
			"Measure": func() { text.Measure(p.text) },
			"Clean":   func() { text.Clean(p.text) },
			"Prefix":  func() { text.UTF16.Prefix(p.text, 25_000) },
			"Suffix":  func() { text.UTF16.Suffix(p.text, 25_000) },
			"whole":   func() { text.Select(p.text, whole) },
			"cut":     func() { text.Select(p.text, cut) },
		} {
			if n := testing.AllocsPerRun(5, f); n != 0 {
				t.Errorf("%s of %s: %v allocations", name, p.name, n)
			}
		}
	}
}

func TestCleanIsNoCopy(t *testing.T) {
	s := strings.Repeat("é", 1000)
	if n := testing.AllocsPerRun(5, func() { s = text.Clean(s) }); n != 0 {
		t.Errorf("valid text: %v allocations", n)
	}
	if got := text.Clean("a\xff\xfeb\xe2\x82"); got != "a\ufffd\ufffdb\ufffd\ufffd" {
		t.Errorf("%q", got)
	}
}
