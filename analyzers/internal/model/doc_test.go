package model

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// manual returns the indented lines of one section of the package documentation.
func manual(t *testing.T, section string) []string {
	t.Helper()
	src, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(src), "// # "+section+"\n")
	if !found {
		t.Fatalf("doc.go has no section %q", section)
	}
	text, _, _ = strings.Cut(text, "// # ")
	var lines []string
	for line := range strings.Lines(text) {
		if line, ok := strings.CutPrefix(line, "//\t"); ok {
			lines = append(lines, line)
		}
	}
	return lines
}

func TestManualExampleParses(t *testing.T) {
	rules, err := Parse("doc.go", []byte(strings.Join(manual(t, "A file"), "")))
	if err != nil {
		t.Fatal(err)
	}
	if len(rules) != 6 {
		t.Errorf("the example has %d rules: %v", len(rules), rules)
	}
}

func TestManualNamesEverything(t *testing.T) {
	var named []Op
	for _, line := range manual(t, "Rules") {
		word, _, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		if word != "" && !slices.Contains(named, Op(word)) {
			named = append(named, Op(word))
		}
	}
	if !slices.Equal(named, ops) {
		t.Errorf("the manual explains %v, the parser knows %v", named, ops)
	}
	src, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(src), "// The kinds of output are ")
	for _, word := range slices.Concat(Kinds, Codes) {
		if !strings.Contains(text, word) {
			t.Errorf("the manual does not name %s", word)
		}
	}
}
