package model

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func names(rules []Rule) []string {
	var ns []string
	for _, r := range rules {
		ns = append(ns, r.Name)
	}
	return ns
}

func TestSetFor(t *testing.T) {
	var s Set
	if got := s.For("os"); len(got) != 0 {
		t.Errorf("the zero set has %v", got)
	}
	s.Add(
		Rule{Pkg: ".../sdk", Name: "Any"},
		Rule{Pkg: "example.com/sdk", Name: "One"},
		Rule{Pkg: "example.com/sdk/sub", Name: "Sub"},
	)
	s.For("example.com/sdk") // an answer that the next Add must not leave standing
	s.Add(Rule{Pkg: "example.com/*", Name: "Star"}, Rule{Pkg: "example.com/sdk", Name: "Two"}, Rule{Pkg: ".../sdk", Name: "Again"})
	for path, want := range map[string][]string{
		"example.com/sdk":                         {"One", "Two", "Any", "Again", "Star"},
		"example.com/sdk/v3":                      {"One", "Two", "Any", "Again", "Star"},
		"example.com/m/vendor/example.com/sdk/v3": {"One", "Two", "Any", "Again", "Star"},
		"example.com/sdk [example.com/sdk.test]":  {"One", "Two", "Any", "Again", "Star"},
		"example.com/sdk/sub":                     {"Sub"},
		"fork.org/x/sdk":                          {"Any", "Again"},
		"os":                                      nil,
	} {
		if diff := cmp.Diff(want, names(s.For(path))); diff != "" {
			t.Errorf("For(%q) (-want +got):\n%s", path, diff)
		}
	}
	if s.Len() != 6 {
		t.Errorf("Len() = %d", s.Len())
	}
}

// TestForDoesNotShareRoom looks twice: were the rules of patterns appended into the array of the exact ones, the
// second answer would overwrite the first.
func TestForDoesNotShareRoom(t *testing.T) {
	var s Set
	for range 3 { // an odd number leaves spare capacity
		s.Add(Rule{Pkg: "a/b", Name: "Exact"})
	}
	s.Add(Rule{Pkg: "a/*", Name: "Pattern"})
	first := s.For("a/b")
	_ = append(s.exact["a/b"], Rule{Name: "Other"})
	if got := first[len(first)-1].Name; got != "Pattern" {
		t.Errorf("the answer changed to %s", got)
	}
	one, two := append(s.For("a/b"), Rule{Name: "One"}), append(s.For("a/b"), Rule{Name: "Two"})
	if got := one[len(one)-1].Name + two[len(two)-1].Name; got != "OneTwo" {
		t.Errorf("two callers append into one array: %s", got)
	}
}

func TestSetClone(t *testing.T) {
	var s Set
	for range 3 {
		s.Add(Rule{Pkg: "a", Name: "A"}, Rule{Pkg: "*", Name: "P"})
	}
	c, d := s.Clone(), s.Clone()
	c.Add(Rule{Pkg: "a", Name: "C"}, Rule{Pkg: "*", Name: "CP"}, Rule{Pkg: "b", Name: "B"}, Rule{Pkg: "...", Name: "DP"})
	d.Add(Rule{Pkg: "a", Name: "D"}, Rule{Pkg: "*", Name: "DP"})
	for _, test := range []struct {
		who  string
		set  *Set
		want []string
	}{
		{"original", &s, []string{"A", "A", "A", "P", "P", "P"}},
		{"first clone", c, []string{"A", "A", "A", "C", "P", "P", "P", "CP", "DP"}},
		{"second clone", d, []string{"A", "A", "A", "D", "P", "P", "P", "DP"}},
	} {
		if diff := cmp.Diff(test.want, names(test.set.For("a"))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.who, diff)
		}
		if test.set.Len() != len(test.want)+map[bool]int{true: 1}[test.set == c] {
			t.Errorf("%s: Len() = %d", test.who, test.set.Len())
		}
	}
	var zero Set
	z := zero.Clone()
	z.Add(Rule{Pkg: "a", Name: "Z"})
	if zero.Len() != 0 || len(z.For("a")) != 1 {
		t.Error("the clone of an empty set is not a set of its own")
	}
}

func BenchmarkSetFor(b *testing.B) {
	s := Builtin()
	for _, bench := range []struct{ name, path string }{
		{"std", "net/http"},
		{"sdk", "github.com/openai/openai-go/v3/responses"},
		{"unknown", "example.com/acme/agent/internal/tools/shell"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.For(bench.path)
			}
		})
		b.Run(bench.name+"/first", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.find(Normalize(bench.path))
			}
		})
	}
}

func BenchmarkParseBuiltin(b *testing.B) {
	for b.Loop() {
		if _, err := parseBuiltin(); err != nil {
			b.Fatal(err)
		}
	}
}
