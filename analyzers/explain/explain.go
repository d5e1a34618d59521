// Package explain holds one text for each code that the analyzers report: what was found, why it matters, how to fix
// it, and an example.
package explain

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

//go:embed texts/*.md
var texts embed.FS

// Codes returns every code, sorted.
func Codes() []string {
	names, err := fs.Glob(texts, "texts/*.md")
	if err != nil {
		return nil // only a malformed pattern is an error
	}
	var codes []string
	for _, name := range names {
		codes = append(codes, strings.TrimSuffix(strings.TrimPrefix(name, "texts/"), ".md"))
	}
	slices.Sort(codes)
	return codes
}

// Text returns the text about a code, which may be written in lower case.
func Text(code string) (string, error) {
	data, err := texts.ReadFile("texts/" + strings.ToUpper(code) + ".md")
	if err != nil {
		return "", fmt.Errorf("there is no code %s; the codes are %s", code, strings.Join(Codes(), ", "))
	}
	return string(data), nil
}

// Title returns the first line of a text without the code, or nothing for an unknown code.
func Title(code string) string {
	text, err := Text(code)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(text, "\n")
	_, title, _ := strings.Cut(line, ": ")
	return title
}
