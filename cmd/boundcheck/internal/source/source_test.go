package source

import (
	"errors"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func input(t *testing.T, text string) Input {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	exports := NewExports(token.NewFileSet(), func(path string) (string, error) {
		if path == "damaged" {
			return file, nil
		}
		return "", errors.New("nobody has it")
	})
	return Input{Fset: token.NewFileSet(), Path: "p", GoFiles: []string{file}, Importer: exports}
}

func messages(errs []*Error) string {
	var all []string
	for _, e := range errs {
		e.Pos.Filename = filepath.Base(e.Pos.Filename)
		all = append(all, e.Error())
	}
	return strings.Join(all, "; ")
}

func TestCheckErrors(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"fine", "package p\n\nimport _ \"unsafe\"\n", ""},
		{"types", "package p\n\nvar a = b\nvar c = d\n", "p.go:3:9: undefined: b; p.go:4:9: undefined: d"},
		{"syntax only", "package p\n\nvar a = b\n\nfunc (\n", "p.go:5:8: expected ')', found 'EOF'"},
		{"import", "package p\n\nimport _ \"x\"\n", "p.go:3:10: could not import x (nobody has it)"},
		{"no package", "", "p.go:1:1: expected 'package', found 'EOF'"},
	} {
		t.Run(test.name, func(t *testing.T) {
			pkg, errs := Check(input(t, test.text))
			if got := messages(errs); !strings.HasPrefix(got, test.want) || (test.want == "") != (got == "") {
				t.Errorf("errors %q, want %q", got, test.want)
			}
			if pkg.Types == nil || pkg.Types.Path() != "p" {
				t.Errorf("types %v", pkg.Types)
			}
		})
	}
}

func TestMissingFile(t *testing.T) {
	in := input(t, "package p\n")
	in.GoFiles = append(in.GoFiles, filepath.Join(t.TempDir(), "gone.go"))
	if _, errs := Check(in); len(errs) != 1 || !strings.Contains(errs[0].Error(), "gone.go") {
		t.Errorf("errors %v, want one about gone.go", errs)
	}
}

func TestDamagedExportData(t *testing.T) {
	_, errs := Check(input(t, "package p\n\nimport _ \"damaged\"\n"))
	if got := messages(errs); !strings.Contains(got, "export data of damaged in ") {
		t.Errorf("errors %q", got)
	}
}

// An old language version has to be honoured.
func TestGoVersion(t *testing.T) {
	in := input(t, "package p\n\nfunc f() {\n\tfor range 3 {\n\t}\n}\n")
	in.GoVersion = "go1.21"
	if _, errs := Check(in); len(errs) != 1 || !strings.Contains(errs[0].Message, "go1.22") {
		t.Errorf("errors %v, want one that asks for go1.22", errs)
	}
	in.GoVersion = "go1.22"
	if _, errs := Check(in); len(errs) != 0 {
		t.Errorf("errors %v", errs)
	}
}

func TestDeclarationsOnly(t *testing.T) {
	in := input(t, "package p\n\nfunc F() int { return \"wrong\" }\n")
	in.DeclarationsOnly = true
	pkg, errs := Check(in)
	if len(errs) != 0 || pkg.Types.Scope().Lookup("F") == nil {
		t.Errorf("errors %v, scope %v", errs, pkg.Types.Scope())
	}
}

// Analyzers rely on comments, and on every kind of type information.
func TestCompleteness(t *testing.T) {
	pkg, errs := Check(input(t, `package p

// F is documented.
func F[T any](x T) any {
	switch y := any(x).(type) {
	case fmt:
		return y.n
	}
	return F[int](1)
}

type fmt struct{ n int }
`))
	if len(errs) != 0 {
		t.Fatal(errs)
	}
	info := pkg.Info
	for name, n := range map[string]int{
		"comments": len(pkg.Files[0].Comments), "types": len(info.Types), "defs": len(info.Defs), "uses": len(info.Uses),
		"implicits": len(info.Implicits), "instances": len(info.Instances), "scopes": len(info.Scopes),
		"selections": len(info.Selections), "versions": len(info.FileVersions),
	} {
		if n == 0 {
			t.Errorf("no %s", name)
		}
	}
	ast.Inspect(pkg.Files[0], func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Obj != nil {
			t.Errorf("%s is resolved twice, which costs time for nothing", id.Name)
		}
		return true
	})
}
