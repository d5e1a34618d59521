package directive_test

import (
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// In the sources below, every mark YES1, NO2, … is a name at which a finding is offered to the ignores.
const lines = `package p

func f() {
	//boundcheck:ignore BC1001 a line without indentation
YES21(
	YES22)
NO15()
	//boundcheck:ignore BC1001 the line below
	h = append(h, YES1(a),
		YES2)
	NO1()
	YES3(func() { YES4() }) //boundcheck:ignore BC1001 its own line
	NO2()

	//boundcheck:ignore BC1001 a block is not covered
	if YES5() {
		NO3()
	}

	//boundcheck:ignore BC1001 nor is a function
	go func(
		x YES6) {
		NO4()
	}(NO5)

	//boundcheck:ignore BC1001 through a comment of another tool
	//nolint:all
	YES7()

	//boundcheck:ignore BC1001 a blank line ends it

	NO6()

	m := Message{
		Role: NO7,
		//boundcheck:ignore BC1001 one field
		Content: YES8(
			YES9),
		Name: NO8,
	}

	switch {
	//boundcheck:ignore BC1001 one condition
	case YES10,
		YES11:
		NO9()
	case YES20: //boundcheck:ignore BC1001 another
		NO10()
	}
	if a {
		NO11()
	} else { YES12() //boundcheck:ignore BC1001 behind an else
	}
	select {
	case <-YES13: //boundcheck:ignore BC1001 a channel
		NO12()
	}
}

//boundcheck:ignore BC1001 the whole function
//
// even with more text below
func g() {
	YES14()
	func() { YES15() }()
}

//boundcheck:ignore BC1001 the whole group
var (
	a = YES16()
	b = YES17()
)

var (
	//boundcheck:ignore BC1001 one of them
	c = func() {
		YES18()
	}
	d = NO13()
)

// T is a type.
type T struct {
	// F is a field.
	//
	//boundcheck:ignore BC1001 the field
	F struct {
		YES19 string
	}
	NO14 string
} //boundcheck:ignore BC1001 matches nothing, the brace is alone
`

func TestSuppress(t *testing.T) {
	c := load(t, lines)
	marks := regexp.MustCompile(`\b(YES|NO)[0-9]+\b`).FindAllStringIndex(lines, -1)
	if want := 22 + 15; len(marks) != want {
		t.Fatalf("%d marks were found in the source, want %d", len(marks), want)
	}
	for _, m := range marks {
		mark, pos := lines[m[0]:m[1]], c.file.FileStart+token.Pos(m[0])
		if got := c.Suppress("BC1001", pos); got != strings.HasPrefix(mark, "YES") {
			t.Errorf("line %d, %s: suppressed = %v", c.fset.Position(pos).Line, mark, got)
		}
		if c.Suppress("BC1002", pos) {
			t.Errorf("%s: a code that no ignore lists is suppressed", mark)
		}
	}
	var stale []string
	for _, p := range c.Problems() {
		line := c.fset.Position(p.Pos).Line
		stale = append(stale, strings.TrimSpace(strings.Split(lines, "\n")[line-1]))
	}
	want := []string{
		"//boundcheck:ignore BC1001 a blank line ends it",
		"} //boundcheck:ignore BC1001 matches nothing, the brace is alone",
	}
	if !slices.Equal(stale, want) {
		t.Errorf("stale ignores:\n%s\nwant:\n%s", strings.Join(stale, "\n"), strings.Join(want, "\n"))
	}
}

func TestSuppressCountsEachCode(t *testing.T) {
	c := load(t, `package p

//boundcheck:ignore BC1001,BC1004, BC1002 see https://example.org/why
func f() { g(a) }

//boundcheck:ignore BC1001 the declaration
func h() {
	g(b) //boundcheck:ignore BC1001 and the line
}
`)
	for _, code := range []string{"BC1001", "BC1002"} {
		if !c.Suppress(code, c.at("g(a)")) {
			t.Errorf("%s is not suppressed", code)
		}
	}
	if !c.Suppress("BC1001", c.at("g(b)")) {
		t.Error("BC1001 is not suppressed where two ignores cover it")
	}
	got := c.messages()
	if len(got) != 1 || !strings.Contains(got[0], "no BC1004 is found in the declaration") {
		t.Errorf("problems %q, want only that BC1004 matches nothing", got)
	}
}

func TestSuppressInTestFile(t *testing.T) {
	c := loadFile(t, "p_test.go", "package p\n\nfunc f() {\n\tg() //boundcheck:ignore BC1002 a test\n}\n")
	if !c.Suppress("BC1002", c.at("g()")) {
		t.Error("an ignore in a test file is not honoured")
	}
	if got := c.messages(); len(got) > 0 {
		t.Errorf("problems %q, want none", got)
	}
}

// Files that cgo or a generator wrote carry //line comments, which must not move an ignore.
func TestSuppressUnderLineComment(t *testing.T) {
	c := load(t, "package p\n\nfunc f() {\n//line other.go:90\n\tg()\n\t//boundcheck:ignore BC1001 fine\n\th()\n\tk() //boundcheck:ignore BC1002 fine\n}\n")
	if !c.Suppress("BC1001", c.at("h()")) || !c.Suppress("BC1002", c.at("k()")) {
		t.Error("an ignore below a //line comment is not honoured")
	}
	if c.Suppress("BC1001", c.at("g()")) {
		t.Error("an ignore below a //line comment covers the line above it")
	}
}

func TestSuppressElsewhere(t *testing.T) {
	c := load(t, "package p\n\n//boundcheck:ignore BC1001 fine\nfunc f() {}\n")
	for _, pos := range []token.Pos{token.NoPos, c.file.FileEnd + 10} {
		if c.Suppress("BC1001", pos) {
			t.Errorf("a position outside the package, %d, is suppressed", pos)
		}
	}
}
