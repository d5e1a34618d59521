package historybypass_test

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/boundcheck/boundcheck/analyzers/finding"
	"github.com/boundcheck/boundcheck/analyzers/historybypass"
)

// TestDeterminism analyses the same packages again and again: findings with their paths, and the facts for other
// packages, must come out the same each time. Go iterates over maps in another order on each run, so that an order that
// slips into a result shows here.
func TestDeterminism(t *testing.T) {
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule, Dir: fixtureRoot(t)},
		"./dyn", "./lang", "./stored", "./toolreturn", "./xpkg/...")
	if err != nil {
		t.Fatal(err)
	}
	if packages.PrintErrors(pkgs) > 0 {
		t.Fatal("the fixtures do not compile")
	}
	var first string
	for n := range 20 {
		got := outcome(t, pkgs)
		switch {
		case n == 0:
			first = got
			if !strings.Contains(got, "BC1001") || !strings.Contains(got, "facts") {
				t.Fatalf("nothing was found: %.500s", got)
			}
		case got != first:
			t.Fatalf("run %d differs from the first at %s", n+1, difference(first, got))
		}
	}
}

// outcome is all that an analysis says, as text.
func outcome(t *testing.T, pkgs []*packages.Package) string {
	t.Helper()
	graph, err := checker.Analyze([]*analysis.Analyzer{historybypass.Analyzer}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for act := range graph.All() {
		if act.Err != nil {
			t.Fatal(act.Err)
		}
		for _, fact := range act.AllPackageFacts() {
			var b bytes.Buffer
			if err := gob.NewEncoder(&b).Encode(fact.Fact); err != nil {
				t.Fatal(err)
			}
			lines = append(lines, fmt.Sprintf("facts about %s for %s: %x", fact.Package.Path(), act.Package.ID, b.Bytes()))
		}
		if list, ok := act.Result.(*finding.List); ok {
			for _, f := range list.Findings {
				lines = append(lines, fmt.Sprintf("%s:%d:%d %s %s %v %v", f.File, f.Line, f.Column, f.Message, f.Confidence, f.Source, f.Path))
			}
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// difference is the first line in which two texts differ, shortened.
func difference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return fmt.Sprintf("line %d:\n%.600s\n%.600s", i+1, as[i], bs[i])
		}
	}
	return fmt.Sprintf("the end: %d lines and %d", len(as), len(bs))
}
