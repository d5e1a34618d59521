package fix

import (
	"errors"
	"os"
	"strings"
	"testing"
)

const before = "package p\n\nvar a = 1\nvar b = 2\n"

func edit(old, replacement string) Edit {
	i := strings.Index(before, old)
	return Edit{File: "p.go", Start: i, End: i + len(old), New: replacement}
}

func apply(t *testing.T, fixes ...Fix) (string, int) {
	t.Helper()
	changes, left, err := Apply(fixes, func(string) ([]byte, error) { return []byte(before), nil })
	if err != nil {
		t.Fatal(err)
	}
	if len(changes) != 1 {
		t.Fatalf("%d files changed, want 1", len(changes))
	}
	return string(changes[0].New), left
}

func TestApply(t *testing.T) {
	imp := Edit{File: "p.go", Start: 10, End: 10, New: "import \"x\"\n"}
	for _, test := range []struct {
		name  string
		fixes []Fix
		want  string
		left  int
	}{
		{"out of order", []Fix{{edit("2", "20")}, {edit("1", "10")}}, "package p\n\nvar a = 10\nvar b = 20\n", 0},
		{"formatted", []Fix{{edit("= 1", "=1")}}, before, 0},
		{"overlap", []Fix{{edit("a = 1", "c = 3")}, {edit("1", "10")}}, "package p\n\nvar c = 3\nvar b = 2\n", 1},
		{"all or nothing", []Fix{{edit("1", "10")}, {edit("2", "20"), edit("1", "11")}}, "package p\n\nvar a = 10\nvar b = 2\n", 1},
		{"same edit twice", []Fix{{imp, edit("1", "x.A")}, {imp, edit("2", "x.B")}}, "package p\n\nimport \"x\"\n\nvar a = x.A\nvar b = x.B\n", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, left := apply(t, test.fixes...)
			if got != test.want || left != test.left {
				t.Errorf("got %q with %d left, want %q with %d left", got, left, test.want, test.left)
			}
		})
	}
}

func TestApplyToAnotherFile(t *testing.T) {
	late := Edit{File: "p.go", Start: 100, End: 101}
	_, _, err := Apply([]Fix{{late}}, func(string) ([]byte, error) { return []byte(before), nil })
	if err == nil || !strings.Contains(err.Error(), "p.go") {
		t.Errorf("an edit behind the end: %v", err)
	}
	_, _, err = Apply([]Fix{{late}}, func(string) ([]byte, error) { return nil, os.ErrPermission })
	if !errors.Is(err, os.ErrPermission) {
		t.Errorf("a file that cannot be read: %v", err)
	}
}

func TestDiff(t *testing.T) {
	got := string(Diff([]Change{{File: "p.go", Old: []byte("a\n"), New: []byte("b\n")}}))
	const want = "diff p.go (old) p.go (new)\n--- p.go (old)\n+++ p.go (new)\n@@ -1,1 +1,1 @@\n-a\n+b\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
