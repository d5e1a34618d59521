package text

import (
	"strings"
	"unicode/utf8"
)

const replacement = utf8.RuneError

// Clean returns s with each invalid byte as one U+FFFD, and s itself when it is valid UTF-8 already. The result
// survives a JSON round trip. spec: UNI-2, UNI-3
func Clean(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	b.Grow(Bytes.Count(s))
	for _, r := range s {
		b.WriteRune(r)
	}
	return b.String()
}
