package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/analyzers/finding"
)

func document() *Document {
	return New([]finding.Finding{
		{Code: "BC1002", File: "b.go", Line: 2, Column: 1, Severity: finding.Medium, Message: "second"},
		{
			Code: "BC1001", File: "a.go", Line: 1, Column: 2, Severity: finding.High, Message: "first, a <b> & BC1001",
			Path: []finding.Step{{File: "c.go", Line: 9, What: "reads"}},
		},
	}, []Problem{
		{Package: "p/z", Message: "bad"},
		{Package: "p/a", File: "a.go", Line: 3, Message: "worse"},
		{Package: "p/z", Message: "bad"},
		{Message: "nothing works"},
	})
}

func TestText(t *testing.T) {
	var b strings.Builder
	if err := document().Text(&b, Style{}); err != nil {
		t.Fatal(err)
	}
	const want = "a.go:1:2: first, a <b> & BC1001\n\tc.go:9: reads\nb.go:2:1: second (BC1002)\n"
	if b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

func TestProblems(t *testing.T) {
	var b strings.Builder
	if err := document().Problems(&b); err != nil {
		t.Fatal(err)
	}
	const want = "boundcheck: nothing works\nboundcheck: package p/a: a.go:3: worse\nboundcheck: package p/z: bad\n"
	if b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

func TestJSONKeepsText(t *testing.T) {
	var b strings.Builder
	if err := document().JSON(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), `"message": "first, a <b> & BC1001"`) {
		t.Errorf("the message is escaped: %s", b.String())
	}
}

// colorless is what is left of coloured text on a terminal.
func colorless(s string) string {
	for _, code := range []string{"0", bold, dim, red, yellow, cyan} {
		s = strings.ReplaceAll(s, "\x1b["+code+"m", "")
	}
	return s
}

func TestColorAddsNothingElse(t *testing.T) {
	var plain, colored strings.Builder
	if err := document().Text(&plain, Style{}); err != nil {
		t.Fatal(err)
	}
	if err := document().Text(&colored, Style{Color: true}); err != nil {
		t.Fatal(err)
	}
	if plain.String() == colored.String() || colorless(colored.String()) != plain.String() {
		t.Errorf("coloured %q, plain %q", colored.String(), plain.String())
	}
}

func TestStyleFor(t *testing.T) {
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if StyleFor(file).Color {
		t.Error("colour in a file")
	}
	// A character device is the nearest thing to a terminal that is always there.
	tty, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	if !StyleFor(tty).Color {
		t.Error("no colour on a terminal")
	}
	t.Setenv("NO_COLOR", "1")
	if StyleFor(tty).Color {
		t.Error("colour in spite of NO_COLOR")
	}
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "dumb")
	if StyleFor(tty).Color {
		t.Error("colour on a dumb terminal")
	}
}
