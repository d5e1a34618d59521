package wire

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Text is a text in one of its three forms.
type Text struct {
	S string
	// recipe lets the text be written as pieces.
	recipe bool
}

// IsZero reports whether the text is empty, for omitzero.
func (t Text) IsZero() bool { return t.S == "" }

// MarshalJSON writes a string, or base64 where the text is not valid UTF-8, or the pieces of a text that repeats.
func (t Text) MarshalJSON() ([]byte, error) {
	if !utf8.ValidString(t.S) {
		return json.Marshal(encodedText{B64: base64.StdEncoding.EncodeToString([]byte(t.S))})
	}
	if t.recipe && len(t.S) >= minRecipe {
		if pieces := piecesOf(t.S); pieces != nil {
			return json.Marshal(encodedText{Rep: pieces})
		}
	}
	return json.Marshal(t.S)
}

type encodedText struct {
	B64 string  `json:"b64,omitempty"`
	Rep []piece `json:"rep,omitempty"`
}

// piece is a unit of text and how often it stands there.
type piece struct {
	unit  string
	count int
}

func (p piece) MarshalJSON() ([]byte, error) { return json.Marshal([]any{p.unit, p.count}) }

func (p *piece) UnmarshalJSON(data []byte) error {
	var unit Text
	parts := []any{&unit, &p.count}
	if err := json.Unmarshal(data, &parts); err != nil || len(parts) != 2 {
		return fmt.Errorf(`a piece of a text is %.60s, want [unit, count]`, data)
	}
	p.unit = unit.S
	if p.count < 0 {
		return fmt.Errorf("a piece of a text stands there %d times", p.count)
	}
	return nil
}

// UnmarshalJSON reads all three forms.
func (t *Text) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &t.S)
	}
	var e struct {
		B64 *string  `json:"b64"`
		Rep *[]piece `json:"rep"`
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return fmt.Errorf(`a text is %.60s, want a string, {"b64":…} or {"rep":…}: %w`, data, err)
	}
	switch {
	case e.B64 != nil && e.Rep == nil:
		b, err := base64.StdEncoding.DecodeString(*e.B64)
		if err != nil {
			return fmt.Errorf("the base64 of a text: %w", err)
		}
		t.S = string(b)
	case e.Rep != nil && e.B64 == nil:
		n := 0
		for _, p := range *e.Rep {
			if n += len(p.unit) * p.count; n > maxLine || (p.count > maxLine && p.unit != "") {
				return fmt.Errorf("a text has more than %d bytes", maxLine)
			}
		}
		var b strings.Builder
		b.Grow(n)
		for _, p := range *e.Rep {
			b.WriteString(strings.Repeat(p.unit, p.count))
		}
		t.S = b.String()
	default:
		return errors.New(`a text has to be a string, {"b64":…} or {"rep":…}`)
	}
	return nil
}

// minRecipe is the length from which a text is worth looking at for repetitions.
const minRecipe = 256

// minRun is the shortest run of one character that is a piece of its own.
const minRun = 8

// piecesOf returns the text as runs of characters with the rest between them, or nil if that is not much shorter.
func piecesOf(s string) []piece {
	var pieces []piece
	size := 0
	plain := 0 // where the text begins that is in no piece yet
	add := func(unit string, count int) {
		if unit != "" {
			pieces = append(pieces, piece{unit, count})
			size += len(unit) + len(`["",1000],`)
		}
	}
	for i := 0; i < len(s) && 2*size <= len(s); {
		_, n := utf8.DecodeRuneInString(s[i:])
		end := i + n
		for strings.HasPrefix(s[end:], s[i:i+n]) {
			end += n
		}
		if (end-i)/n >= minRun {
			add(s[plain:i], 1)
			add(s[i:i+n], (end-i)/n)
			plain = end
		}
		i = end
	}
	add(s[plain:], 1)
	if 2*size > len(s) {
		return nil
	}
	return pieces
}
