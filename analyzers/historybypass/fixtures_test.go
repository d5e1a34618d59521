package historybypass_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"iter"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/boundcheck/boundcheck/analyzers/historybypass"
)

// TestFixtures runs the analyzer over all fixtures at once, because loading them costs far more than analysing them,
// and shows what is wrong group by group.
func TestFixtures(t *testing.T) {
	sheet := complaints{TB: t, root: fixtureRoot(t), byGroup: map[string][]string{}}
	if got := analysistest.Run(&sheet, sheet.root, historybypass.Analyzer, "./..."); len(got) == 0 {
		t.Error("no package was analysed")
	}
	for group := range fixtures(t) {
		t.Run(group, func(t *testing.T) {
			for _, c := range sheet.byGroup[group] {
				t.Error(c)
			}
		})
		delete(sheet.byGroup, group)
	}
	for _, rest := range sheet.byGroup {
		t.Error(strings.Join(rest, "\n"))
	}
}

// complaints collects what analysistest finds wrong, by the group it is about.
type complaints struct {
	testing.TB
	root    string
	byGroup map[string][]string
}

// Errorf drops complaints about facts, which are how the engine talks to itself, and what the test variant of a
// package repeats.
func (c *complaints) Errorf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if strings.Contains(text, ": unexpected fact: ") {
		return
	}
	text = strings.ReplaceAll(text, c.root+string(filepath.Separator), "")
	group, _, _ := strings.Cut(filepath.ToSlash(text), "/")
	if !slices.Contains(c.byGroup[group], text) {
		c.byGroup[group] = append(c.byGroup[group], text)
	}
}

// A fixture file holds one idiom: what must be reported beside what must not.
type fixtureFile struct {
	name  string
	wants []want
	oks   []*ast.FuncDecl // functions, or methods of types, whose name says that they are silent
	fset  *token.FileSet
}

type want struct {
	line    int
	pattern string
}

// TestFixturesAreBalanced keeps the fixtures able to fail in both directions.
func TestFixturesAreBalanced(t *testing.T) {
	for group, files := range fixtures(t) {
		t.Run(group, func(t *testing.T) {
			wants, oks := 0, 0
			for _, f := range files {
				wants, oks = wants+len(f.wants), oks+len(f.oks)
				shared := filepath.Base(f.name) == "decls.go" || strings.Count(filepath.ToSlash(f.name), "/") > 1
				if len(f.wants)+len(f.oks) == 0 && !shared {
					t.Errorf("%s expects nothing: it has no want and no function whose name begins with ok", f.name)
				}
				for _, ok := range f.oks {
					first, last := f.fset.Position(ok.Pos()).Line, f.fset.Position(ok.End()).Line
					for _, w := range f.wants {
						if first <= w.line && w.line <= last {
							t.Errorf("%s:%d: %s is said to be silent and wants %q", f.name, w.line, ok.Name.Name, w.pattern)
						}
					}
				}
			}
			if wants == 0 || oks == 0 {
				t.Errorf("the group has %d wants and %d silent functions; it needs both", wants, oks)
			}
		})
	}
}

// TestFixturesCoverEveryCode also sees to it that no want is so loose that any finding would do.
func TestFixturesCoverEveryCode(t *testing.T) {
	code := regexp.MustCompile(`^BC(0001|0002|1001|1002|1003|1004|1005|100\[\d+\])(\.\*[a-z(|)]+)?$`)
	seen := map[string]bool{}
	for _, files := range fixtures(t) {
		for _, f := range files {
			for _, w := range f.wants {
				m := code.FindStringSubmatch(w.pattern)
				if m == nil {
					t.Errorf("%s:%d: want %q does not name a code and a kind of source", f.name, w.line, w.pattern)
					continue
				}
				seen["BC"+m[1]] = true
			}
		}
	}
	for _, c := range []string{"BC0001", "BC0002", "BC1001", "BC1002", "BC1003", "BC1004", "BC1005"} {
		if !seen[c] {
			t.Errorf("no fixture wants %s", c)
		}
	}
}

func fixtureRoot(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("testdata", "src"))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

var wantText = regexp.MustCompile("// want \"([^\"]*)\"")

// fixtures reads the fixture files and yields them by group, which is the folder at the top in which they lie.
func fixtures(t *testing.T) iter.Seq2[string, []fixtureFile] {
	t.Helper()
	root := fixtureRoot(t)
	groups := map[string][]fixtureFile{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		f := fixtureFile{name: name, fset: token.NewFileSet()}
		syntax, err := parser.ParseFile(f.fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, group := range syntax.Comments {
			for _, c := range group.List {
				for _, m := range wantText.FindAllStringSubmatch(c.Text, -1) {
					f.wants = append(f.wants, want{f.fset.Position(c.Pos()).Line, m[1]})
				}
			}
		}
		for _, decl := range syntax.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil && silent(fn) {
				f.oks = append(f.oks, fn)
			}
		}
		group, _, _ := strings.Cut(filepath.ToSlash(name), "/")
		groups[group] = append(groups[group], f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(groups) == 0 {
		t.Fatalf("there are no fixtures in %s", root)
	}
	return func(yield func(string, []fixtureFile) bool) {
		for _, group := range slices.Sorted(maps.Keys(groups)) {
			if !yield(group, groups[group]) {
				return
			}
		}
	}
}

// silent reports whether the name of a function, or of the type whose method it is, begins with ok.
func silent(fn *ast.FuncDecl) bool {
	if fn.Recv != nil && len(fn.Recv.List) == 1 {
		typ := fn.Recv.List[0].Type
		if star, ok := typ.(*ast.StarExpr); ok {
			typ = star.X
		}
		if id, ok := typ.(*ast.Ident); ok && strings.HasPrefix(id.Name, "ok") {
			return true
		}
	}
	return strings.HasPrefix(strings.ToLower(fn.Name.Name), "ok")
}
