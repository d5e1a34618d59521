package spill_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// allocated is how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// oneLine stores 50 MiB of one line without a line end, most of it runes of 3 bytes, with a needle in the middle.
func oneLine(t *testing.T) (s *spill.Local, locator string, needle int64) {
	t.Helper()
	const size = 50 << 20
	s = newLocal(t, spill.DefaultLimits())
	half := strings.Repeat("語", size/6-10)
	tail := strings.Repeat("x", size-2*len(half)-len("NEEDLE"))
	ref, err := s.Save(t.Context(), spill.Request{Owner: "s", Content: half + "NEEDLE" + half + tail})
	if err != nil || ref.Bytes != size {
		t.Fatal(ref.Bytes, err)
	}
	return s, ref.Locator, int64(len(half))
}

// spec: SPL-7
func TestPagesOfOneLongLine(t *testing.T) {
	s, locator, needle := oneLine(t)
	for _, limit := range []int64{1, 2, 3, 4, 5, 100, 20_000} {
		for from := needle - 7; from <= needle+8; from++ {
			p, err := spill.ReadPage(t.Context(), s, locator, from, limit)
			if err != nil {
				t.Fatal(err)
			}
			if !utf8.ValidString(p.Text) || strings.ContainsRune(p.Text, utf8.RuneError) {
				t.Errorf("at %d, %d bytes: a rune was split: %.20q", from, limit, p.Text)
			}
			if p.Offset > from || p.Offset < from-2 || p.Next <= from || p.Next-p.Offset != int64(len(p.Text)) || int64(len(p.Text)) > max(limit, 3) || p.Total != 50<<20 {
				t.Errorf("at %d, %d bytes: %d to %d of %d, %d bytes of text", from, limit, p.Offset, p.Next, p.Total, len(p.Text))
			}
		}
	}
	var pages int
	var bytes int64
	for next := int64(0); ; pages++ {
		p, err := spill.ReadPage(t.Context(), s, locator, next, 1<<20)
		if err != nil || p.Offset != next {
			t.Fatal(p.Offset, next, err)
		}
		bytes, next = bytes+int64(len(p.Text)), p.Next
		if p.Last() {
			break
		}
	}
	if bytes != 50<<20 {
		t.Errorf("%d bytes in %d pages", bytes, pages)
	}
	for _, from := range []int64{50 << 20, 50<<20 + 1, 1 << 62} {
		if p, err := spill.ReadPage(t.Context(), s, locator, from, 10); err != nil || p.Text != "" || !p.Last() {
			t.Errorf("at %d: %+v, %v", from, p, err)
		}
	}
	for _, bad := range [][2]int64{{-1, 1}, {0, -1}} {
		if _, err := spill.ReadPage(t.Context(), s, locator, bad[0], bad[1]); err == nil {
			t.Errorf("%v was taken", bad)
		}
	}
	n := allocated(func() {
		if _, err := spill.ReadPage(t.Context(), s, locator, 25<<20, 20_000); err != nil {
			t.Error(err)
		}
	})
	if n > 200_000 {
		t.Errorf("a page of 20,000 bytes took %d bytes of memory", n)
	}
	n = allocated(func() {
		if p, err := spill.ReadPage(t.Context(), s, locator, 50<<20-10, 1<<62); err != nil || len(p.Text) != 10 {
			t.Error(len(p.Text), err)
		}
	})
	if n > 200_000 {
		t.Errorf("a page of the last 10 bytes took %d bytes of memory", n)
	}
	t.Logf("a page of 20,000 bytes out of 50 MiB took %d bytes of memory", n)
}

// spec: SPL-7
func TestSearchOfOneLongLine(t *testing.T) {
	s, locator, needle := oneLine(t)
	var m spill.Matches
	var err error
	n := allocated(func() { m, err = spill.Search(t.Context(), s, locator, spill.Query{Pattern: "NEEDLE"}) })
	if err != nil || len(m.Matches) != 1 || m.Matches[0].Offset != needle || m.Matches[0].Bytes != 6 || m.Matches[0].Line != 1 || m.Next != m.Total {
		t.Fatalf("%d matches, next %d of %d, %v", len(m.Matches), m.Next, m.Total, err)
	}
	if text := m.Matches[0].Text; len(text) > 200 || len(text) < 190 || !strings.Contains(text, "語NEEDLE語") || strings.ContainsRune(text, utf8.RuneError) {
		t.Errorf("%d bytes: %q", len(text), text)
	}
	if n > 4<<20 {
		t.Errorf("%d bytes of memory", n)
	}
	t.Logf("a search of 50 MiB took %d bytes of memory", n)
	m, err = spill.Search(t.Context(), s, locator, spill.Query{Pattern: "語", Max: 1 << 30, Width: 1 << 30})
	if err != nil || len(m.Matches) != 1_000 || m.Next != 3_000 {
		t.Fatalf("%d matches, next %d, %v", len(m.Matches), m.Next, err)
	}
	for _, match := range m.Matches {
		if len(match.Text) > 4_096 {
			t.Fatalf("%d bytes for one match", len(match.Text))
		}
	}
}

// Going on where a search stopped finds every match once, on its line, wherever blocks begin and end.
//
// spec: SPL-7
func TestSearchGoesOn(t *testing.T) {
	var text strings.Builder
	var offsets []int64
	var lines []int64
	for line := range 400 {
		text.WriteString(strings.Repeat("ab ", 37*line%4_001))
		offsets, lines = append(offsets, int64(text.Len())), append(lines, int64(line+1))
		fmt.Fprintf(&text, "mark%d\n", line)
	}
	s := &spill.Memory{}
	ref, err := s.Save(t.Context(), spill.Request{Content: text.String()})
	if err != nil {
		t.Fatal(err)
	}
	for _, max := range []int{1, 7, 399, 400, 401} {
		found := 0
		for from := int64(0); from < ref.Bytes; {
			m, err := spill.Search(t.Context(), s, ref.Locator, spill.Query{Pattern: `mark\d+$`, From: from, Max: max})
			if err != nil || len(m.Matches) > max || m.Next <= from {
				t.Fatal(len(m.Matches), m.Next, err)
			}
			for _, match := range m.Matches {
				if found >= len(offsets) || match.Offset != offsets[found] || match.Line != lines[found] {
					t.Fatalf("max %d: match %d at %d in line %d", max, found, match.Offset, match.Line)
				}
				found++
			}
			from = m.Next
		}
		if found != 400 {
			t.Errorf("max %d: %d matches", max, found)
		}
	}
	for _, q := range []spill.Query{{}, {Pattern: "("}, {Pattern: "a", From: -1}, {Pattern: "a", Max: -1}, {Pattern: "a", Width: -1}} {
		if _, err := spill.Search(t.Context(), s, ref.Locator, q); err == nil {
			t.Errorf("%+v was taken", q)
		}
	}
	if m, err := spill.Search(t.Context(), s, ref.Locator, spill.Query{Pattern: "mark1$", Literal: true}); err != nil || len(m.Matches) != 0 {
		t.Errorf("a literal text is no expression: %d, %v", len(m.Matches), err)
	}
}
