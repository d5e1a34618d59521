package directive_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/analyzers/internal/directive"
)

// A code is a package of one file that a test asks questions about.
type code struct {
	*directive.Index
	t    *testing.T
	fset *token.FileSet
	file *ast.File
	src  string
}

func load(t *testing.T, src string) code {
	t.Helper()
	return loadFile(t, "p.go", src)
}

func loadFile(t *testing.T, name, src string) code {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return code{directive.Parse(fset, "example.org/agent/v2 [example.org/agent/v2.test]", []*ast.File{f}), t, fset, f, src}
}

// at returns the position of the only occurrence of a text in the source.
func (c code) at(text string) token.Pos {
	c.t.Helper()
	if n := strings.Count(c.src, text); n != 1 {
		c.t.Fatalf("the source has %q %d times, not once", text, n)
	}
	return c.file.FileStart + token.Pos(strings.Index(c.src, text))
}

// messages returns the problems as "line: message".
func (c code) messages() []string {
	var ms []string
	for _, p := range c.Problems() {
		if p.End <= p.Pos {
			c.t.Errorf("problem %q ends at %d, not behind its start %d", p.Message, p.End, p.Pos)
		}
		ms = append(ms, fmt.Sprintf("%d: %s", c.fset.Position(p.Pos).Line, p.Message))
	}
	return ms
}

func TestAnnotated(t *testing.T) {
	c := load(t, `package p

//boundcheck:bound 4096
func clip(s string) string { return s[:4096] }

type Cutter interface {
	Cut(s string) string //boundcheck:bound
}

//boundcheck:bound
func (c *cutter) Cut(s string) string { return s[:c.max] }

//boundcheck:bound
func assembly(s string) string
`)
	var got []string
	for b := range c.Annotated() {
		got = append(got, b.Decl.Name.Name)
		if text := c.src[b.Pos-c.file.FileStart : b.End-c.file.FileStart]; !strings.HasPrefix(text, "//boundcheck:bound") {
			t.Errorf("%s: the directive is said to be %q", b.Decl.Name.Name, text)
		}
		if want := map[string]int64{"clip": 4096}[b.Decl.Name.Name]; b.Limit != want {
			t.Errorf("%s: limit %d, want %d", b.Decl.Name.Name, b.Limit, want)
		}
	}
	if want := []string{"clip", "Cut"}; !slices.Equal(got, want) {
		t.Errorf("annotated %v, want %v: only functions with a body can be checked", got, want)
	}
}

func TestNothingToRead(t *testing.T) {
	c := load(t, `// Package p mentions boundcheck:ignore in prose, and that is no directive.
package p

//nolint:boundcheck // some other tool's comment
func f() string { return "" }

/*boundcheck:source*/
//boundcheck
//	boundcheck:ignore in an indented example
func g() string { return "" }
`)
	if got := c.Rules(); len(got) > 0 {
		t.Errorf("rules %v, want none", got)
	}
	if got := c.messages(); len(got) > 0 {
		t.Errorf("problems %q, want none", got)
	}
	if c.Suppress("BC1001", c.at("f() string")) {
		t.Error("//nolint suppresses a finding")
	}
}

func TestCodes(t *testing.T) {
	got := directive.Codes()
	want := []string{"BC0001", "BC0002", "BC0003", "BC1001", "BC1002", "BC1003", "BC1004", "BC1005"}
	if !slices.Equal(got, want) {
		t.Errorf("codes %v, want %v", got, want)
	}
	for _, w := range want {
		c := load(t, "package p\n\nvar x = f() //boundcheck:ignore "+w+" the reason\n")
		if !c.Suppress(w, c.at("f()")) {
			t.Errorf("an ignore of %s does not cover it", w)
		}
		if got := c.messages(); len(got) > 0 {
			t.Errorf("%s: problems %q, want none", w, got)
		}
	}
}
