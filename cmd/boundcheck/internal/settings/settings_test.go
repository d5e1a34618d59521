package settings

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// An analyzer under test keeps what its flags were set to.
type fake struct {
	*analysis.Analyzer
	models []string
	level  string
	deep   bool
	tests  bool
}

func newFake(name string, flags ...string) *fake {
	f := &fake{Analyzer: &analysis.Analyzer{Name: name, Doc: name + " does something\n\nAnd more."}}
	for _, flag := range flags {
		switch flag {
		case "model":
			f.Flags.Func("model", "model", func(s string) error { f.models = append(f.models, s); return nil })
		case "level":
			f.Flags.StringVar(&f.level, "level", "medium", "level")
		case "deep":
			f.Flags.BoolVar(&f.deep, "deep", false, "deep")
		case "tests":
			f.Flags.BoolVar(&f.tests, "tests", false, "tests")
		}
	}
	return f
}

func parse(t *testing.T, args []string, fakes ...*fake) (*Settings, error) {
	t.Helper()
	var all []*analysis.Analyzer
	for _, f := range fakes {
		all = append(all, f.Analyzer)
	}
	s := New(all)
	fs := flag.NewFlagSet("test", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	s.Register(fs)
	return s, fs.Parse(args)
}

func TestChoice(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"", "a b c"},
		{"-b", "b"},
		{"-b -c", "b c"},
		{"-b=false", "a c"},
		{"-b -c=false", "b"},
		{"-a=false -b=false -c=false", ""},
	} {
		s, err := parse(t, strings.Fields(test.args), newFake("a"), newFake("b"), newFake("c"))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, a := range s.Analyzers() {
			names = append(names, a.Name)
		}
		if got := strings.Join(names, " "); got != test.want {
			t.Errorf("%s: %s, want %s", test.args, got, test.want)
		}
	}
}

func TestSharedFlags(t *testing.T) {
	a, b := newFake("a", "level", "deep"), newFake("b", "level")
	if _, err := parse(t, []string{"-level=low", "-b.level=high", "-deep"}, a, b); err != nil {
		t.Fatal(err)
	}
	if a.level != "low" || b.level != "high" || !a.deep {
		t.Errorf("levels %s and %s, deep %v", a.level, b.level, a.deep)
	}
	if _, err := parse(t, []string{"-a=perhaps"}, newFake("a")); err == nil {
		t.Error("an analyzer can be perhaps on")
	}
}

// The drivers obey -tests themselves; an analyzer that has the flag is told.
func TestScopeFlags(t *testing.T) {
	a, b := newFake("a", "tests"), newFake("b")
	s, err := parse(t, []string{"-tests", "-generated"}, a, b)
	if err != nil {
		t.Fatal(err)
	}
	if !s.Scope.Tests || !s.Scope.Generated || !a.tests {
		t.Errorf("scope %+v, analyzer %v", s.Scope, a.tests)
	}
}

func TestModels(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	one, two, env := file("one.model"), file("two.model"), file("env.model")
	t.Setenv(ModelEnv, env+string(filepath.ListSeparator))

	a, b, c := newFake("a", "model"), newFake("b", "model"), newFake("c")
	s, err := parse(t, []string{"-model=one.model", "-b.model", two}, a, b, c)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.models) != 0 {
		t.Error("a model is set before it was resolved")
	}
	if err := s.SetModels(dir); err != nil {
		t.Fatal(err)
	}
	if want := []string{env, one}; !slices.Equal(a.models, want) {
		t.Errorf("models of a: %v, want %v", a.models, want)
	}
	if want := []string{env, one, two}; !slices.Equal(b.models, want) {
		t.Errorf("models of b: %v, want %v", b.models, want)
	}
	if want := []string{"one.model", two}; !slices.Equal(s.ModelFlags(), want) {
		t.Errorf("given by flag: %v, want %v", s.ModelFlags(), want)
	}
}
