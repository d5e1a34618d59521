package text_test

import (
	"testing"

	"github.com/boundcheck/boundcheck/bounding/text"
)

// What the text retainer of the DeepSeek harness returns in bytes, with no line ends in play. The one value of it that
// is not here is in TestInvalidBytesCountAsShown, because it breaks UNI-5.
func TestRetainerRightValues(t *testing.T) {
	for _, c := range []struct {
		name       string
		head, tail int
		chunks     []string
		want       string
		omitted    int
	}{
		{"head over three chunks", 5, 0, []string{"abc", "de", "fgh"}, "abcde", 3},
		{"head cuts a chunk", 4, 0, []string{"ab", "cde"}, "abcd", 1},
		{"tail cuts a chunk", 0, 4, []string{"hello", "world"}, "orld", 6},
		{"tail over many chunks", 0, 3, []string{"11", "22", "33", "44"}, "344", 5},
		{"both ends", 3, 3, []string{"abcdefghij"}, "abchij", 4},
		{"both ends meet", 3, 3, []string{"abcdef"}, "abcdef", 0},
		{"a rune across the meeting point", 1, 3, []string{"éab"}, "éab", 0},
		{"runes lost on both sides of the gap", 2, 2, []string{"a€€b"}, "ab", 6},
		{"no rune fits", 2, 2, []string{"€€€"}, "", 9},
		{"head ends in a rune", 2, 0, []string{"a€b"}, "a", 4},
		{"tail begins in a rune", 0, 2, []string{"a€b"}, "b", 4},
		{"head holds a rune of 3 bytes", 3, 0, []string{"€x"}, "€", 1},
		{"head holds a rune of 4 bytes", 4, 0, []string{"😀x"}, "😀", 1},
		{"head ends in a rune of 2 bytes", 2, 0, []string{"aé"}, "a", 2},
		{"head ends in a rune of 4 bytes", 3, 0, []string{"a😀"}, "a", 4},
		{"budget 0", 0, 0, []string{"x"}, "", 1},
		{"nothing written", 3, 0, nil, "", 0},
		{"a byte order mark is text", 4, 0, []string{"\ufeffab"}, "\ufeffa", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := text.Options{Unit: text.Bytes, Head: c.head, Tail: c.tail}
			r := text.NewRetainer(o)
			whole := ""
			for _, chunk := range c.chunks {
				if n, err := r.WriteString(chunk); n != len(chunk) || err != nil {
					t.Fatalf("WriteString(%q) = %d, %v", chunk, n, err)
				}
				whole += chunk
			}
			for from, got := range map[string]text.Selection{"Retainer": r.Selection(), "Select": text.Select(whole, o)} {
				if got.Join("") != c.want || got.Omitted.Bytes != c.omitted || got.Cut() != (c.omitted > 0) {
					t.Errorf("%s: %q and %d bytes omitted, want %q and %d", from, got.Join(""), got.Omitted.Bytes, c.want, c.omitted)
				}
			}
		})
	}
}

// The harness counts an invalid byte as 1 and shows it in 3, so "\x80\x80z" with a head of 2 gives 6 bytes. Here it
// counts what it is shown as, in every unit. spec: UNI-2, UNI-5
func TestInvalidBytesCountAsShown(t *testing.T) {
	for _, c := range []struct {
		unit text.Unit
		in   string
		head int
		want string
		left int
	}{
		{text.Bytes, "\x80\x80z", 2, "", 7},
		{text.Bytes, "\x80\x80z", 3, "\ufffd", 4},
		{text.Bytes, "\x80\x80z", 6, "\ufffd\ufffd", 1},
		{text.Bytes, "\xf8a", 1, "", 4},
		{text.Bytes, "\xf8a", 3, "\ufffd", 1},
		{text.UTF16, "\x80\x80z", 2, "\ufffd\ufffd", 1},
		{text.Runes, "\x80\x80z", 2, "\ufffd\ufffd", 1},
		{text.Runes, "\xf8a", 1, "\ufffd", 1},
	} {
		got := text.Select(c.in, text.Options{Unit: c.unit, Head: c.head})
		if got.Head != c.want || got.Omitted.In(c.unit) != c.left {
			t.Errorf("%q, head %d %v: %q and %d omitted, want %q and %d", c.in, c.head, c.unit, got.Head, got.Omitted.In(c.unit), c.want, c.left)
		}
	}
}
