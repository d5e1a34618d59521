package text

import (
	"fmt"
	"math"
)

// A Unit is what a limit counts. spec: UNI-1
type Unit uint8

const (
	UTF16 Unit = iota // UTF-16 code units, the default: a rune beyond U+FFFF counts 2, any other 1
	Bytes             // bytes of UTF-8: 1 to 4 a rune
	Runes             // Unicode code points
)

var unitNames = [...]string{UTF16: "utf16", Bytes: "bytes", Runes: "runes"}

// ParseUnit finds a unit by the name that [Unit.String] gives it.
func ParseUnit(name string) (Unit, error) {
	for u, known := range unitNames {
		if name == known {
			return Unit(u), nil
		}
	}
	return 0, fmt.Errorf("text: unknown unit %q: use utf16, bytes or runes", name)
}

// String returns the unit's name: utf16, bytes or runes.
func (u Unit) String() string {
	if int(u) < len(unitNames) {
		return unitNames[u]
	}
	return fmt.Sprintf("Unit(%d)", uint8(u))
}

// MarshalText writes the unit's name; a unit without one is an error.
func (u Unit) MarshalText() ([]byte, error) {
	if int(u) >= len(unitNames) {
		return nil, fmt.Errorf("text: %v has no name: use UTF16, Bytes or Runes", u)
	}
	return []byte(unitNames[u]), nil
}

// UnmarshalText reads what MarshalText writes.
func (u *Unit) UnmarshalText(name []byte) error {
	parsed, err := ParseUnit(string(name))
	if err != nil {
		return err
	}
	*u = parsed
	return nil
}

// Count returns the exact size of s in u: of s as [Clean] shows it, so an invalid byte counts what U+FFFD counts,
// which is 1 in UTF16 and Runes and 3 in Bytes. It does not allocate. A unit without a name counts as UTF16.
// spec: UNI-2
func (u Unit) Count(s string) int {
	return scan(s).in(u)
}

// width is what one rune counts.
func (u Unit) width(r rune, size int) int {
	switch u {
	case Bytes:
		if r == replacement {
			return len(string(replacement))
		}
		return size
	case Runes:
		return 1
	}
	if size == 4 {
		return 2
	}
	return 1
}

// add returns a+b, or the largest int where that is more. Both are at least 0.
func add(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}
