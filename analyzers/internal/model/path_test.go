package model

import "testing"

func TestNormalize(t *testing.T) {
	for in, want := range map[string]string{
		"os":                                             "os",
		"net/http":                                       "net/http",
		"example.com/a":                                  "example.com/a",
		"example.com/a/v2":                               "example.com/a",
		"example.com/a/v2/b":                             "example.com/a/b",
		"example.com/a/v10/b/c":                          "example.com/a/b/c",
		"example.com/a/v2/b/v3":                          "example.com/a/b",
		"example.com/a/v1/v2/b":                          "example.com/a/b",
		"example.com/a/v":                                "example.com/a/v",
		"example.com/a/v1beta1":                          "example.com/a/v1beta1",
		"example.com/a/vendored":                         "example.com/a/vendored",
		"example.com/av2/b":                              "example.com/av2/b",
		"v2":                                             "v2",
		"gopkg.in/yaml.v3":                               "gopkg.in/yaml",
		"gopkg.in/user/pkg.v4/sub":                       "gopkg.in/user/pkg/sub",
		"example.com/a.vx":                               "example.com/a.vx",
		"vendor/golang.org/x/net/http":                   "golang.org/x/net/http",
		"example.com/m/vendor/example.com/a/v2/b":        "example.com/a/b",
		"example.com/m/vendor/x.org/vendor/y.org/z":      "y.org/z",
		"example.com/a/v2 [example.com/a/v2.test]":       "example.com/a",
		"example.com/a_test [example.com/a.test]":        "example.com/a_test",
		"k8s.io/client-go/kubernetes/typed/core/v1":      "k8s.io/client-go/kubernetes/typed/core",
		"k8s.io/client-go/kubernetes/typed/apps/v1beta1": "k8s.io/client-go/kubernetes/typed/apps/v1beta1",
	} {
		got := Normalize(in)
		if got != want {
			t.Errorf("Normalize(%q) = %q, want %q", in, got, want)
		}
		if again := Normalize(got); again != got {
			t.Errorf("Normalize(%q) = %q, not the same", got, again)
		}
	}
}

func TestMatchPath(t *testing.T) {
	for _, test := range []struct {
		pattern, path string
		want          bool
	}{
		{"os", "os", true},
		{"os", "os/exec", false},
		{"os/exec", "os", false},
		{"", "", true},
		{"", "a", false},
		{"...", "", true},
		{"...", "a/b.c/d", true},
		{".../openai-go", "github.com/openai/openai-go", true},
		{".../openai-go", "example.com/fork/of/openai-go", true},
		{".../openai-go", "openai-go", false},
		{".../openai-go", "github.com/someone/go-openai-go", false},
		{".../openai-go", "github.com/openai/openai-go/responses", false},
		{".../openai-go/responses", "github.com/openai/openai-go/responses", true},
		{"a/...", "a/", true},
		{"a/...", "a/b/c", true},
		{"a/...", "a", false},
		{"a...", "a", true},
		{"a/.../z", "a/b/c/z", true},
		{"a/.../z", "a/z", false},
		{"a...z", "a/b/z", true},
		{"x.y/a", "x.y/a", true},
		{"x.y/a", "xzy/a", false},
		{"x..y", "x..y", true},
		{"x.y.../z", "x.y.w/z", true},
		{"a/*/c", "a/b/c", true},
		{"a/*/c", "a//c", true},
		{"a/*/c", "a/b/b/c", false},
		{"a/*", "a/b", true},
		{"a/*", "a/b/c", false},
		{"a/*-go", "a/openai-go", true},
		{"a/*-go", "a/openai-java", false},
		{"*/b", "a/b", true},
		{"*", "", true},
		{"*", "a", true},
		{"*", "a/b", false},
		{"*/.../c", "a/b/c", true},
		{"...a*c", "b/abbc", true},
		{"...a*c", "b/ab/c", false},
	} {
		if got := MatchPath(test.pattern, test.path); got != test.want {
			t.Errorf("MatchPath(%q, %q) = %t", test.pattern, test.path, got)
		}
	}
}
