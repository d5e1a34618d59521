// Package place writes files for the tools next door.
package place

import (
	"errors"
	"fmt"
	"os"
)

// Text is what is to be written to one place.
type Text struct {
	Content string
	Mode    os.FileMode
}

// Write says which file could not be written.
func Write(texts map[string]Text) error {
	for path, t := range texts {
		if err := os.WriteFile(path, []byte(t.Content), t.Mode); err != nil {
			return fmt.Errorf("%s cannot be written: %w", path, err)
		}
	}
	return nil
}

// Reject says what was wrong, all of it.
func Reject(said string) error { return errors.New("rejected: " + said) }
