package text

import (
	"strings"
	"unicode/utf8"
)

// reach is how far around a position, in bytes, whole looks to decide whether a cut there is safe. Clusters are looked
// at within maxCluster and maxFlags runes, which is less.
const reach = maxEscape

// Prefix returns the longest beginning of s, as [Clean] shows it, that has at most n units and ends where a cut is
// safe. It is "" for n <= 0. spec: UNI-3, UNI-5
func (u Unit) Prefix(s string, n int) string {
	return Clean(s[:u.headEnd(s, n)])
}

// Suffix returns the longest end of s, as [Clean] shows it, that has at most n units and begins where a cut is safe.
// It is "" for n <= 0. spec: UNI-3, UNI-5
func (u Unit) Suffix(s string, n int) string {
	return Clean(s[u.tailStart(s, n):])
}

func (u Unit) headEnd(s string, n int) int {
	start, _ := whole(s, u.forward(s, n))
	return start
}

func (u Unit) tailStart(s string, n int) int {
	_, end := whole(s, u.backward(s, n))
	return end
}

// whole returns the bounds of what must stay in one piece around i, which lies between two runes: i twice where a cut
// is safe. Whether it is depends on nothing that is further than reach away.
func whole(s string, i int) (start, end int) {
	if i <= 0 || i >= len(s) {
		return i, i
	}
	if s[i-1] == '\r' && s[i] == '\n' {
		return i - 1, i + 1
	}
	start, end = lastEscape(s, i)
	if end <= i {
		return cluster(s, end, i)
	}
	if outer, outerEnd := lastEscape(s, start); outerEnd > start { // a control string, which ends with the same ESC \
		start = outer
	}
	return start, end
}

// forward returns where the longest beginning of s with at most n units ends, wherever that is safe or not.
func (u Unit) forward(s string, n int) int {
	i := 0
	for n > 0 && i < len(s) {
		if run := ascii(s[i:min(len(s), add(i, n))]); run > 0 {
			i += run
			n -= run
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		n -= u.width(r, size)
		if n < 0 {
			break
		}
		i += size
	}
	return i
}

// backward returns where the longest end of s with at most n units begins, wherever that is safe or not.
func (u Unit) backward(s string, n int) int {
	i := len(s)
	for n > 0 && i > 0 {
		if run := asciiEnd(s[max(0, i-n):i]); run > 0 {
			i -= run
			n -= run
			continue
		}
		r, size := utf8.DecodeLastRuneInString(s[:i])
		n -= u.width(r, size)
		if n < 0 {
			break
		}
		i -= size
	}
	return i
}

// lineEnd returns the position after the n-th line end of s, and -1 if s has fewer. lineEnd(s, 0) is 0.
func lineEnd(s string, n int) int {
	i := 0
	for ; n > 0; n-- {
		j := strings.IndexByte(s[i:], '\n')
		if j < 0 {
			return -1
		}
		i += j + 1
	}
	return i
}

// lineStart returns where the n-th line from the end of s begins, and -1 if s has fewer line ends before it.
// lineStart(s, 0) is len(s).
func lineStart(s string, n int) int {
	i := len(s)
	for ; n > 0; n-- {
		if i == 0 {
			return -1
		}
		i = strings.LastIndexByte(s[:i-1], '\n') + 1
	}
	return i
}
