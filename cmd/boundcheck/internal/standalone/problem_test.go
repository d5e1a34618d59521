package standalone

import (
	"errors"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/packages"
)

func TestListed(t *testing.T) {
	dir := t.TempDir()
	c := &checker{opt: Options{Dir: dir}}
	abs := filepath.Join(dir, "p.go")
	for _, test := range []struct {
		name      string
		pos, msg  string
		file      string
		line      int
		wantedMsg string
	}{
		{"with a place", abs + ":3:8", "no such package", abs, 3, "no such package"},
		{"with a line only", abs + ":3", "no such package", abs, 3, "no such package"},
		{"relative", "p.go:3:8", "no such package", abs, 3, "no such package"},
		{"without a place", "", "no Go files", "", 0, "no Go files"},
		{"dash", "-", "no Go files", "", 0, "no Go files"},
		{"compiler", "", "# example.com/p\np.go:4:2: error: #error broken\n    4 | #error broken", abs, 4, "error: #error broken"},
		{"compiler without a place", "", "# runtime/cgo\ncgo: C compiler not found", "", 0, "cgo: C compiler not found"},
		{"heading only", "", "# runtime/cgo", "", 0, "# runtime/cgo"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := c.listed(packages.Error{Pos: test.pos, Msg: test.msg})
			if got.Pos.Filename != test.file || got.Pos.Line != test.line || got.Message != test.wantedMsg {
				t.Errorf("got %q line %d: %q", got.Pos.Filename, got.Pos.Line, got.Message)
			}
		})
	}
}

func TestTidy(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"err: exit status 1: stderr: go: -mod may only be\nset to readonly", "go: -mod may only be set to readonly"},
		{"couldn't run 'go': not found", "couldn't run 'go': not found"},
	} {
		if got := tidy(errors.New(test.in)).Error(); got != test.want {
			t.Errorf("%q: got %q, want %q", test.in, got, test.want)
		}
	}
}
