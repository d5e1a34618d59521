package scenario

import "strings"

// Payload is a text as a recipe: pieces that are repeated. A text of a megabyte is a few bytes of a scenario, which is what
// makes scenarios small enough to fuzz, to shrink and to read.
type Payload []Piece

// Piece is a unit of text that is repeated.
type Piece struct {
	Count int
	Unit  string
}

// Of returns the payload of a text repeated.
func Of(count int, unit string) Payload { return Payload{{count, unit}} }

// String returns the text. Its length is that of [Payload.Len].
func (p Payload) String() string {
	if len(p) == 1 {
		return strings.Repeat(p[0].Unit, max(0, p[0].Count))
	}
	var b strings.Builder
	b.Grow(p.Len())
	for _, piece := range p {
		if piece.Unit == "" {
			continue // however often
		}
		for range piece.Count {
			b.WriteString(piece.Unit)
		}
	}
	return b.String()
}

// Len is the length of the text in bytes.
func (p Payload) Len() int {
	n := 0
	for _, piece := range p {
		n += max(0, piece.Count) * len(piece.Unit)
	}
	return n
}
