package spill

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf16"
)

// EscapeName makes a part of a file name of any text. ASCII letters and digits, dot, underscore and hyphen stay, every other
// UTF-16 unit becomes ~ and four hexadecimal digits; the names "", "." and ".." become ~, ~002E and ~002E~002E. Different
// texts have different names if they are valid UTF-8; what is not valid in them counts as U+FFFD.
//
// spec: SPL-2
func EscapeName(name string) string {
	switch name {
	case "":
		return "~"
	case ".", "..":
		return strings.Repeat("~002E", len(name))
	}
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '.' || r == '_' || r == '-'
	}
	if strings.IndexFunc(name, func(r rune) bool { return !plain(r) }) < 0 {
		return name
	}
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(name)) {
		if plain(rune(unit)) {
			b.WriteByte(byte(unit))
		} else {
			fmt.Fprintf(&b, "~%04X", unit)
		}
	}
	return b.String()
}

// shortName is EscapeName for names of at most room bytes.
func shortName(name string, room int) string { return shorten(EscapeName(name), name, room) }

// shorten gives an escaped name that is too long a part of its digest for an end, so that names that begin alike stay
// different.
func shorten(escaped, name string, room int) string {
	if len(escaped) <= room {
		return escaped
	}
	sum := sha256.Sum256([]byte(name))
	tail := "~" + hex.EncodeToString(sum[:8])
	return escaped[:room-len(tail)] + tail
}

// sessionDir is the name of the directory of a session.
//
// spec: SPL-2
func sessionDir(session string) string {
	sum := sha256.Sum256([]byte(session))
	return "session-" + hex.EncodeToString(sum[:6])
}
