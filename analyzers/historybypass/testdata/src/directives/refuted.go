package directives

import (
	"os"
	"strings"
)

// viaHelper is said to be a bound; its helper is none.
//
//boundcheck:bound // want "BC0002.*unbounded"
func viaHelper(s string) string { return decorate(s) }

func decorate(s string) string { return "> " + s }

// fromFile takes nothing that it could bound, and returns a whole file.
//
//boundcheck:bound // want "BC0002.*file"
func fromFile(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(data)
}

// generous has a limit that is none for a history.
//
//boundcheck:bound // want "BC0002.*loose"
func generous(s string) string { return s[:min(len(s), 5000000)] }

// okGenerousByIntent says so.
//
//boundcheck:bound 5000000
func okGenerousByIntent(s string) string { return s[:min(len(s), 5000000)] }

// okChecked is what it is said to be.
//
//boundcheck:bound
func okChecked(s string) string {
	if len(s) > 50 {
		return s[:50]
	}
	return s
}

type okStored struct{ text string }

// Text returns what was bounded when it was stored.
//
//boundcheck:bound
func (o *okStored) Text() string { return strings.TrimSpace(o.text) }
