package model

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStdRulesNameRealThings compares the rules of the standard library with its source: a misspelt function or
// parameter would make a rule that never applies, and nothing else would tell.
func TestStdRulesNameRealThings(t *testing.T) {
	pkgs := map[string]*decls{}
	checked := 0
	for _, r := range builtinRules(t) {
		if isPattern(r.Pkg) || strings.Contains(r.Pkg, ".") {
			continue
		}
		d, ok := pkgs[r.Pkg]
		if !ok {
			var err error
			if d, err = parseDecls(filepath.Join(build.Default.GOROOT, "src", filepath.FromSlash(r.Pkg))); err != nil {
				t.Fatalf("%s: package %s: %v", r.Pos, r.Pkg, err)
			}
			pkgs[r.Pkg] = d
		}
		if err := d.check(r); err != nil {
			t.Errorf("%s: %s: %s: %v", r.Pos, r.Pkg, r, err)
		}
		checked++
	}
	if checked < 500 {
		t.Errorf("only %d rules are about the standard library", checked)
	}
}

func TestCheckFindsMisspellings(t *testing.T) {
	dir := t.TempDir()
	src := `package p
type T struct { F, G int; E }
type E struct{}
type I interface { M(string) error }
func (*T) Get(key string) (val string, err error) { return }
func Gen[K any](x K, more ...int) int { return 0 }
`
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := parseDecls(dir)
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]bool{
		"flow T.Get key recv -> result:val result1": true,
		"flow *.Get KEY -> result*":                 true,
		"flow T.Get keys -> result0":                false,
		"flow T.Get key -> result2":                 false,
		"flow T.Put key -> result0":                 false,
		"flow Gen x more -> result0":                true,
		"flow Gen recv -> result0":                  false,
		"sink BC1001 I.M arg0":                      true,
		"sink BC1001 I.M arg1":                      false,
		"bound field T.F by G":                      true,
		"bound field T.F by H":                      false,
		"clean field T.H":                           false,
		"history field T.E":                         true,
		"history T":                                 true,
		"history U":                                 false,
	} {
		rules, err := Parse("", []byte("package p\n"+line))
		if err != nil {
			t.Fatal(err)
		}
		if err := d.check(rules[0]); (err == nil) != want {
			t.Errorf("check(%s) = %v, want ok = %t", line, err, want)
		}
	}
}

// decls are the declarations of a package that rules can be about, over all build configurations.
type decls struct {
	calls  map[string][]*ast.FuncType // "F" or "T.M"
	fields map[string]bool            // "T.F"
	types  map[string]bool
}

func parseDecls(dir string) (*decls, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("no Go files in %s", dir)
	}
	d := &decls{map[string][]*ast.FuncType{}, map[string]bool{}, map[string]bool{}}
	fset := token.NewFileSet()
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, decl := range f.Decls {
			d.add(decl)
		}
	}
	return d, nil
}

func (d *decls) add(decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		name := decl.Name.Name
		if decl.Recv != nil {
			name = typeName(decl.Recv.List[0].Type) + "." + name
		}
		d.calls[name] = append(d.calls[name], decl.Type)
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			if ts, ok := spec.(*ast.TypeSpec); ok && !ts.Assign.IsValid() {
				d.addType(ts)
			}
		}
	}
}

func (d *decls) addType(ts *ast.TypeSpec) {
	d.types[ts.Name.Name] = true
	switch typ := ts.Type.(type) {
	case *ast.StructType:
		for _, f := range typ.Fields.List {
			for _, n := range f.Names {
				d.fields[ts.Name.Name+"."+n.Name] = true
			}
			if len(f.Names) == 0 {
				d.fields[ts.Name.Name+"."+typeName(f.Type)] = true
			}
		}
	case *ast.InterfaceType:
		for _, f := range typ.Methods.List {
			if ft, ok := f.Type.(*ast.FuncType); ok {
				key := ts.Name.Name + "." + f.Names[0].Name
				d.calls[key] = append(d.calls[key], ft)
			}
		}
	}
}

// typeName is the name of a type without pointer, package and type arguments.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// check reports what a rule names that the package does not have.
func (d *decls) check(r Rule) error {
	switch {
	case r.Name == "":
		if !d.types[r.Recv] {
			return fmt.Errorf("no type %s", r.Recv)
		}
		return nil
	case r.Field:
		for _, name := range append([]Place{{Name: r.Name}}, r.By...) {
			if !d.fields[r.Recv+"."+name.Name] {
				return fmt.Errorf("%s has no field %s", r.Recv, name.Name)
			}
		}
		return nil
	}
	var found []*ast.FuncType
	for name, fts := range d.calls {
		recv, method, ok := strings.Cut(name, ".")
		if !ok {
			recv, method = "", recv
		}
		if method == r.Name && (recv == r.Recv || r.Recv == "*" && ok) {
			found = append(found, fts...)
		}
	}
	if len(found) == 0 {
		return fmt.Errorf("nothing of that name is declared")
	}
	for _, places := range [][]Place{r.In, r.Out, r.By} {
		for _, p := range places {
			ok := p.Recv && r.Recv != ""
			for _, ft := range found {
				ok = ok || !p.Recv && hasPlace(ft, p)
			}
			if !ok {
				return fmt.Errorf("no place %s in %s", p, signature(found[0]))
			}
		}
	}
	return nil
}

func hasPlace(ft *ast.FuncType, p Place) bool {
	list := ft.Params
	if p.Result {
		list = ft.Results
	}
	if list == nil {
		return false
	}
	n := 0
	for _, f := range list.List {
		for _, name := range f.Names {
			if p.Name != "" && strings.EqualFold(name.Name, p.Name) {
				return true
			}
		}
		n += max(1, len(f.Names))
	}
	return p.Name == "" && p.Index < n
}

// signature lists the names of parameters and the number of results.
func signature(ft *ast.FuncType) string {
	var names []string
	for _, f := range ft.Params.List {
		for _, n := range f.Names {
			names = append(names, n.Name)
		}
		if len(f.Names) == 0 {
			names = append(names, "_")
		}
	}
	return fmt.Sprintf("(%s) with %d results", strings.Join(names, ", "), ft.Results.NumFields())
}
