package text

import "strings"

const esc = '\x1b'

// maxEscape is the longest terminal escape sequence, in bytes, that is kept in one piece. It must hold a hyperlink
// (OSC 8) with a URL of the 2,083 bytes that terminals accept; without a limit, text after a stray ESC ] would have to
// be held back until its end is known.
const maxEscape = 4096

// escapeLen returns the length of the terminal escape sequence at the beginning of s, and 0 where there is none that is
// complete and at most maxEscape bytes long. s is an ESC and at least one byte more.
func escapeLen(s string) int {
	s = s[:min(len(s), maxEscape)]
	switch c := s[1]; {
	case c == '[': // CSI: parameters, intermediates, final
		i := 2 + span(s[2:], 0x30, 0x3f)
		return final(s, i+span(s[i:], 0x20, 0x2f), 0x40)
	case strings.IndexByte("]PX^_", c) >= 0: // OSC, DCS, SOS, PM, APC
		return stringLen(s)
	case c >= 0x20 && c <= 0x2f: // such as ESC ( B: intermediates, final
		return final(s, 1+span(s[1:], 0x20, 0x2f), 0x30)
	default:
		return final(s, 1, 0x30)
	}
}

// stringLen is escapeLen for a control string: up to BEL or ESC \, with no other control character before it.
func stringLen(s string) int {
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\a':
			return i + 1
		case c == esc && i+1 < len(s) && s[i+1] == '\\':
			return i + 2
		case c < 0x20:
			return 0
		}
	}
	return 0
}

// span returns how many bytes at the beginning of s lie between lo and hi.
func span(s string, lo, hi byte) int {
	i := 0
	for i < len(s) && s[i] >= lo && s[i] <= hi {
		i++
	}
	return i
}

// final returns the length of a sequence whose last byte is s[i], and 0 if that byte does not end a sequence.
func final(s string, i int, lo byte) int {
	if i < len(s) && s[i] >= lo && s[i] <= 0x7e {
		return i + 1
	}
	return 0
}

// lastEscape returns the bounds of the last sequence that begins before i, if one does within maxEscape bytes. They are
// equal where an ESC begins none. With no ESC in reach both are the beginning of that reach.
//
// The past before an ESC does not matter, with one exception: ESC \ ends a control string if one is open. Asking
// about the ESC before it settles that, and that ESC cannot be another ESC \ or the string would have ended there.
func lastEscape(s string, i int) (start, end int) {
	floor := max(0, i-maxEscape)
	j := strings.LastIndexByte(s[floor:i], esc)
	if j < 0 {
		return floor, floor
	}
	j += floor
	return j, j + escapeLen(s[j:])
}
