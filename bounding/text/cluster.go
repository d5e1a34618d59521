package text

import (
	"unicode"
	"unicode/utf8"
)

const (
	zeroWidthJoiner = '\u200d'

	// maxCluster is how many runes may follow the first one of a cluster. The longest emoji have 10; text with more
	// combining marks than this on one letter is made to break things, and may be cut between the marks.
	maxCluster = 32
	// maxFlags is how many regional indicators in a row are paired.
	maxFlags = 64
)

// joined reports whether the runes on both sides of i belong to one grapheme cluster. It looks back no further than
// floor. It knows the joins that a look at the neighbours settles: combining marks and variation selectors, skin
// tones, emoji joined by U+200D, tag sequences, and pairs of regional indicators (flags).
func joined(s string, floor, i int) bool {
	if i <= floor || i >= len(s) || s[i] < utf8.RuneSelf {
		return false
	}
	next, n := utf8.DecodeRuneInString(s[i:])
	prev, p := utf8.DecodeLastRuneInString(s[floor:i])
	switch {
	case alone(next, n) || alone(prev, p):
		return false
	case extends(next) || prev == zeroWidthJoiner:
		return true
	case !regional(next):
		return false
	}
	flags := 0
	for i > floor && flags <= maxFlags {
		r, n := utf8.DecodeLastRuneInString(s[floor:i])
		if !regional(r) {
			break
		}
		flags++
		i -= n
	}
	return flags%2 == 1 && flags <= maxFlags
}

// alone reports whether a rune never joins another: controls, line separators, and bytes that are no rune.
func alone(r rune, size int) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r == replacement && size == 1
}

func extends(r rune) bool {
	return r >= 0x300 && (unicode.Is(unicode.M, r) || r == zeroWidthJoiner ||
		r >= 0x1f3fb && r <= 0x1f3ff || r >= 0xe0020 && r <= 0xe007f)
}

func regional(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }

// cluster returns the bounds of the cluster that has i inside it, or i twice.
func cluster(s string, floor, i int) (start, end int) {
	start, end = i, i
	steps := 0
	for ; joined(s, floor, start); steps++ {
		if steps == maxCluster {
			return i, i
		}
		_, n := utf8.DecodeLastRuneInString(s[floor:start])
		start -= n
	}
	for ; steps <= maxCluster && joined(s, floor, end); steps++ {
		_, n := utf8.DecodeRuneInString(s[end:])
		end += n
	}
	return start, end
}
