package flow

import (
	"regexp"
	"sync"
)

// A pattern is a regular expression that is compiled when it is first used. Under go vet the program starts once for
// each package of the standard library too, and there it uses none.
type pattern func() *regexp.Regexp

func lazy(expr string) pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// MatchString reports whether the text matches.
func (p pattern) MatchString(s string) bool { return p().MatchString(s) }
