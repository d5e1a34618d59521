package directive_test

import (
	"strings"
	"testing"
)

func TestProblems(t *testing.T) {
	tests := map[string]struct {
		src  string
		want []string // parts of the messages, in order
	}{
		"unknown word":       {"//boundcheck:ignroe BC1001 x\nfunc f() {}", []string{`no directive boundcheck:ignroe, did you mean "ignore"`}},
		"word in capitals":   {"//boundcheck:Source\nfunc f() string", []string{`did you mean "source"`}},
		"nothing like it":    {"//boundcheck:allow\nfunc f() string", []string{"no directive boundcheck:allow; the directives are bound, history, ignore, sink, source"}},
		"two letters more":   {"//boundcheck:sourcexy\nfunc f() string", []string{`did you mean "source"`}},
		"two letters less":   {"//boundcheck:histry\ntype T string", []string{`did you mean "history"`}},
		"far from all":       {"//boundcheck:sourcexyz\nfunc f() string", []string{"boundcheck:sourcexyz; the directives are"}},
		"remark after a tab": {"//boundcheck:source procces\t// process\nfunc f() string", []string{`no kind "procces"`}},
		"one after another":  {"// boundcheck:sink\n//boundcheck:sauce\nfunc f() string", []string{"write //boundcheck:sink", `did you mean "source"`}},
		"nothing at all":     {"//boundcheck:\nfunc f() string", []string{"no directive boundcheck:;"}},
		"no word":            {"//boundcheck: source\nfunc f() string", []string{"no directive boundcheck:;"}},
		"space after //":     {"// boundcheck:source\nfunc f() string", []string{"write //boundcheck:source"}},
		"unknown kind":       {"//boundcheck:source procces\nfunc f() string", []string{`no kind "procces", did you mean "process"`}},
		"two kinds":          {"//boundcheck:source file http\nfunc f() string", []string{"at most one argument, and here are 2"}},
		"sink with a kind":   {"//boundcheck:sink file\nfunc f(s string)", []string{`no code "file"; it takes one of BC1001, BC1002`}},
		"sink of directives": {"//boundcheck:sink BC0001\nfunc f(s string)", []string{`no code "BC0001", did you mean "BC1001"`}},
		"bound by a word":    {"//boundcheck:bound 4K\nfunc f() string", []string{`positive number of bytes, such as 65536 or 64_000, not "4K"`}},
		"bound by nothing":   {"//boundcheck:bound 0\nfunc f() string", []string{`not "0"`}},
		"bound by two":       {"//boundcheck:bound 1 2\nfunc f() string", []string{"at most one argument"}},
		"history of what":    {"//boundcheck:history BC1001\ntype M []string", []string{"takes no argument"}},

		"source on a variable":   {"//boundcheck:source\nvar x string", []string{"boundcheck:source has no effect here"}},
		"source on a constant":   {"const x = `a` //boundcheck:source", []string{"no effect here"}},
		"source on a group":      {"//boundcheck:source\ntype (\n\tA struct{ S string }\n\tB struct{ S string }\n)", []string{"no effect here"}},
		"source on a string":     {"//boundcheck:source\ntype T string", []string{"no effect on T, which has no method or field"}},
		"source on an alias":     {"//boundcheck:source\ntype T = struct{ S string }", []string{"no effect on an alias; put it on the type that T stands for"}},
		"source inside":          {"func f() {\n\t//boundcheck:source\n\tx := g()\n\ttype t struct {\n\t\tS string //boundcheck:source\n\t}\n}", []string{"no effect here", "no effect here"}},
		"source of nothing":      {"//boundcheck:source\nfunc f(s string) error", []string{"returns nothing but errors and fills no parameter"}},
		"source method, nothing": {"type T interface {\n\tClose() error //boundcheck:source\n}", []string{"returns nothing but errors"}},
		"source above a blank":   {"//boundcheck:source\n\nfunc f() string", []string{"no effect here"}},
		"field of a field":       {"type T struct {\n\tIn struct {\n\t\tS string //boundcheck:source\n\t}\n}", []string{"no effect here"}},
		"sink of nothing":        {"//boundcheck:sink\nfunc f() string", []string{"a function without parameters"}},
		"bound by value":         {"//boundcheck:bound\nfunc (r R) trim() {}", []string{"fills no parameter"}},
		"history on a function":  {"//boundcheck:history\nfunc f() string", []string{"the comment of a type or a struct field"}},
		"history on a method":    {"type T interface {\n\tF() string //boundcheck:history\n}", []string{"the comment of a type or a struct field"}},
		"history on an import":   {"//boundcheck:history\nimport `fmt`", []string{"no effect here"}},

		"ignore of nothing":      {"//boundcheck:ignore\nfunc f() {}", []string{"names what it accepts and why"}},
		"ignore, only a remark":  {"//boundcheck:ignore // because\nfunc f() {}", []string{"names what it accepts and why"}},
		"ignore, no code":        {"//boundcheck:ignore it is fine\nfunc f() {}", []string{`"it" is not a code of a finding; write //boundcheck:ignore BC1001 the reason`}},
		"ignore, unknown code":   {"//boundcheck:ignore BC1006,BC1002 fine\nfunc f() {}", []string{`"BC1006" is not a code of a finding, did you mean "BC1001"`}},
		"ignore, lower case":     {"//boundcheck:ignore bc1002 fine\nfunc f() {}", []string{`did you mean "BC1002"`}},
		"ignore, no reason":      {"//boundcheck:ignore BC1001\nfunc f() {}", []string{"without a reason is not honoured"}},
		"ignore, reason remark":  {"//boundcheck:ignore BC1001 // fine\nfunc f() {}", []string{"without a reason is not honoured"}},
		"ignore, list no reason": {"//boundcheck:ignore BC1001, BC1002,\nfunc f() {}", []string{"without a reason is not honoured"}},

		"unmatched on a line":        {"func f() {\n\tg() //boundcheck:ignore BC1001 fine\n}", []string{"no BC1001 is found on the line it covers"}},
		"unmatched on a declaration": {"//boundcheck:ignore BC1001, BC1004 see https://example.org/1\nfunc f() {}", []string{"no BC1001 is found in the declaration", "no BC1004 is found in the declaration"}},
		"unmatched, end of file":     {"func f() {}\n//boundcheck:ignore BC1001 fine", []string{"no BC1001 is found"}},
		"in source order":            {"//boundcheck:ignore BC1001 fine\nfunc f() {}\n\n//boundcheck:sauce\nfunc g() {}\n\n//boundcheck:ignore BC1002 fine\nfunc h() {}", []string{"no BC1001", "boundcheck:sauce", "no BC1002"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := load(t, "package p\n\n"+test.src)
			got := c.messages()
			if len(got) != len(test.want) {
				t.Fatalf("%d problems %q, want %d", len(got), got, len(test.want))
			}
			for i, w := range test.want {
				if !strings.Contains(got[i], w) {
					t.Errorf("problem %q, want one that says %q", got[i], w)
				}
			}
			if again := c.messages(); strings.Join(again, "\n") != strings.Join(got, "\n") {
				t.Errorf("asked twice, the problems are %q and then %q", got, again)
			}
			if got := c.Rules(); len(got) > 0 {
				t.Errorf("a directive with a problem has the rules %v", got)
			}
		})
	}
}

func TestIgnoredProblem(t *testing.T) {
	c := load(t, `package p

//boundcheck:ignore BC0001 the finding below exists with the tag "linux" only
func f() {
	g() //boundcheck:ignore BC1001 fine
}

//boundcheck:ignore BC0001 nothing is wrong here
func h() {}
`)
	got := c.messages()
	if len(got) != 1 || !strings.HasPrefix(got[0], "8: ") || !strings.Contains(got[0], "no BC0001 is found in the declaration") {
		t.Errorf("problems %q, want only the stale ignore of line 8", got)
	}
}
