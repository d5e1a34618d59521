package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The example agent and the README show what users will see.
func TestExampleAgent(t *testing.T) {
	dir := filepath.Join("..", "..", "analyzers", "example", "agent")
	golden, err := os.ReadFile(filepath.Join(dir, "findings.golden"))
	if err != nil {
		t.Fatal(err)
	}
	got := string(output(t, ".", []int{1}, "boundcheck", "-C", dir, "./..."))
	if diff := cmp.Diff(string(golden), got); diff != "" {
		t.Errorf("the example's findings.golden (-) is not what is found (+):\n%s", diff)
	}
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if sample := sample(string(readme)); sample == "" || !strings.Contains(string(golden), sample) {
		t.Errorf("the finding in the README is not among those of the example:\n%s", sample)
	}
}

// sample is the first indented block below the README's heading about findings.
func sample(readme string) string {
	_, section, _ := strings.Cut(readme, "## What a finding looks like\n\n")
	var b strings.Builder
	for line := range strings.Lines(section) {
		text, ok := strings.CutPrefix(line, "    ")
		if !ok {
			break
		}
		b.WriteString(text)
	}
	return b.String()
}
