package model

import (
	"embed"
	"io/fs"
	"sync"
)

//go:embed models/*.model
var files embed.FS

// Builtin returns the rules that come with the program. Every call returns the same set, to which nothing may be
// added; [Set.Clone] makes one that may grow.
func Builtin() *Set { return builtin() }

var builtin = sync.OnceValue(func() *Set {
	// The files are part of the program, and a test parses them: there is no error left to happen here.
	rules, _ := parseBuiltin()
	s := new(Set)
	s.Add(rules...)
	return s
})

// parseBuiltin reads the embedded files in the order of their names.
func parseBuiltin() ([]Rule, error) {
	names, err := fs.Glob(files, "models/*.model")
	if err != nil {
		return nil, err
	}
	var rules []Rule
	for _, name := range names {
		src, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		rs, err := Parse(name, src)
		if err != nil {
			return nil, err
		}
		rules = append(rules, rs...)
	}
	return rules, nil
}
