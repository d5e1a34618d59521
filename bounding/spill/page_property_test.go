package spill_test

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/text"
)

// held is a store of one text.
func held(content string) (spill.Store, string) {
	m := &spill.Memory{}
	ref, err := m.Save(context.Background(), spill.Request{Content: content})
	if err != nil {
		panic(err)
	}
	return m, ref.Locator
}

// pieces are what texts are made of here: what a border may fall into, and what looks like it.
var pieces = []string{
	"", "a", "\n", "\r\n", "é", "語", "😀", "\xff", "\x80", "\xf0\x9f\x98", "\xe8\xaa", "\xc3", "\xed\xa0\x80", "\ufffd", "\x00",
	"aaa", strings.Repeat("b", 30),
}

func genText(most int) gopter.Gen {
	consts := make([]any, len(pieces))
	for i, p := range pieces {
		consts[i] = p
	}
	return gen.IntRange(0, most).FlatMap(func(n any) gopter.Gen {
		return gen.SliceOfN(n.(int), gen.OneConstOf(consts...)).Map(func(s []string) string { return strings.Join(s, "") })
	}, nil)
}

// naivePage walks through the runes from the beginning: the page begins with the rune that offset lies in, and takes runes
// as long as they fit, but one at least.
func naivePage(s string, offset, limit int) spill.Page {
	total := int64(len(s))
	if offset >= len(s) {
		return spill.Page{Offset: total, Next: total, Total: total}
	}
	begin, end := -1, 0
	for i := 0; i < len(s); {
		_, size := utf8.DecodeRuneInString(s[i:])
		if begin < 0 && offset < i+size {
			begin, end = i, i+size
		} else if begin >= 0 {
			if i+size-begin > limit {
				break
			}
			end = i + size
		}
		i += size
	}
	return spill.Page{Text: text.Clean(s[begin:end]), Offset: int64(begin), Next: int64(end), Total: total}
}

func checkPages(t testing.TB, s string, offset, limit int) {
	t.Helper()
	store, locator := held(s)
	got, err := spill.ReadPage(t.Context(), store, locator, int64(offset), int64(limit))
	if err != nil {
		t.Fatal(err)
	}
	if want := naivePage(s, offset, limit); got != want {
		t.Fatalf("%q at %d, %d bytes: %+v instead of %+v", s, offset, limit, got, want)
	}
	var read strings.Builder
	for next := int64(0); ; {
		p, err := spill.ReadPage(t.Context(), store, locator, next, int64(limit))
		if err != nil {
			t.Fatal(err)
		}
		raw := s[p.Offset:p.Next]
		if p.Offset != next || p.Next == next && len(s) > 0 || text.Clean(raw) != p.Text {
			t.Fatalf("%q: asked for %d: %+v", s, next, p)
		}
		if len(raw) > limit && utf8.RuneCountInString(raw) != 1 {
			t.Fatalf("%q: a page of %d bytes of %d", s, len(raw), limit)
		}
		read.WriteString(raw)
		if next = p.Next; p.Last() {
			break
		}
	}
	if read.String() != s {
		t.Fatalf("%q: the pages of %d bytes show %q", s, limit, read.String())
	}
}

// spec: SPL-7
func TestPagesShowEveryByteOnce(t *testing.T) {
	parameters := gopter.DefaultTestParametersWithSeed(1)
	parameters.MinSuccessfulTests = 1_500
	properties := gopter.NewProperties(parameters)
	properties.Property("pages agree with a walk over the runes", prop.ForAll(func(s string, near int) bool {
		for limit := 1; limit <= 6; limit++ {
			checkPages(t, s, min(near, len(s)+1), limit)
		}
		for _, limit := range []int{max(1, len(s)-1), max(1, len(s)), len(s) + 1} {
			checkPages(t, s, max(0, len(s)-near), limit)
		}
		return !t.Failed()
	}, genText(12), gen.IntRange(0, 12)))
	properties.TestingRun(t)
}

// spec: SPL-7
func FuzzPage(f *testing.F) {
	for i, piece := range pieces {
		f.Add([]byte(piece), uint16(0), uint16(1))
		f.Add([]byte("a"+piece+pieces[(i+5)%len(pieces)]), uint16(i), uint16(2))
	}
	f.Add([]byte("語😀\r\n語\xf0\x9f"), uint16(4), uint16(3))
	f.Fuzz(func(t *testing.T, content []byte, offset, limit uint16) {
		if len(content) > 2_000 {
			t.Skip("one page a byte takes long")
		}
		checkPages(t, string(content), int(offset)%(len(content)+2), max(1, int(limit)%(len(content)+3)))
	})
}
