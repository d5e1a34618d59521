package text

import "fmt"

// Keep says which end of a text stays when not all of it can. spec: OFF-4
type Keep uint8

const (
	Both Keep = iota // a fifth from the head, the rest from the tail; the default
	Head             // the beginning only
	Tail             // the end only
)

var keepNames = [...]string{Both: "both", Head: "head", Tail: "tail"}

// ParseKeep finds a Keep by the name that [Keep.String] gives it.
func ParseKeep(name string) (Keep, error) {
	for k, known := range keepNames {
		if name == known {
			return Keep(k), nil
		}
	}
	return 0, fmt.Errorf("text: unknown end %q to keep: use both, head or tail", name)
}

// String returns the name: both, head or tail.
func (k Keep) String() string {
	if int(k) < len(keepNames) {
		return keepNames[k]
	}
	return fmt.Sprintf("Keep(%d)", uint8(k))
}

// MarshalText writes the name; a Keep without one is an error.
func (k Keep) MarshalText() ([]byte, error) {
	if int(k) >= len(keepNames) {
		return nil, fmt.Errorf("text: %v has no name: use Both, Head or Tail", k)
	}
	return []byte(keepNames[k]), nil
}

// UnmarshalText reads what MarshalText writes.
func (k *Keep) UnmarshalText(name []byte) error {
	parsed, err := ParseKeep(string(name))
	if err != nil {
		return err
	}
	*k = parsed
	return nil
}

// Split shares a budget of n out to the two ends: with Both a fifth, rounded down, to the head. A budget below 0 is 0.
// A Keep without a name is Both.
func (k Keep) Split(n int) (head, tail int) {
	n = max(n, 0)
	switch k {
	case Head:
		return n, 0
	case Tail:
		return 0, n
	}
	return n / 5, n - n/5
}

// Options returns the options that keep at most units units and, if lines is more than 0, at most lines lines. With
// Both the head has at least one of the lines.
func (k Keep) Options(u Unit, units, lines int) Options {
	o := Options{Unit: u}
	o.Head, o.Tail = k.Split(units)
	o.HeadLines, o.TailLines = k.Split(lines)
	if o.HeadLines == 0 && o.TailLines > 0 && k != Tail {
		o.HeadLines++
		o.TailLines--
	}
	return o
}
