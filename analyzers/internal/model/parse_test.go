package model

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var ignorePos = cmpopts.IgnoreFields(Rule{}, "Pos")

func result(i int) Place        { return Place{Result: true, Index: i} }
func param(name string) Place   { return Place{Index: -1, Name: name} }
func places(p ...Place) []Place { return p }

func TestParseGoodLines(t *testing.T) {
	every := places(result(-1))
	for line, want := range map[string]Rule{
		"source file ReadFile -> result0":      {Op: Source, Kind: "file", Name: "ReadFile", Out: places(result(0))},
		"source process Cmd.Output -> result0": {Op: Source, Kind: "process", Recv: "Cmd", Name: "Output", Out: places(result(0))},
		"source process (*Cmd).Output -> result0": {
			Op: Source, Kind: "process", Recv: "Cmd", Name: "Output", Out: places(result(0))},
		"source process (Cmd).Output -> result0": {
			Op: Source, Kind: "process", Recv: "Cmd", Name: "Output", Out: places(result(0))},
		"source http Client.Do -> result0.Body": {
			Op: Source, Kind: "http", Recv: "Client", Name: "Do", Out: places(Place{Result: true, Field: "Body"})},
		"source http field Response.Body":     {Op: Source, Kind: "http", Recv: "Response", Name: "Body", Field: true},
		"source browser Text -> text result0": {Op: Source, Kind: "browser", Name: "Text", Out: places(param("text"), result(0))},
		"attach process field Cmd.Stdout":     {Op: Attach, Kind: "process", Recv: "Cmd", Name: "Stdout", Field: true},
		"attach process StdIO out err":        {Op: Attach, Kind: "process", Name: "StdIO", In: places(param("out"), param("err"))},
		"sink BC1001 ToolMessage[T] content":  {Op: Sink, Kind: "BC1001", Name: "ToolMessage", In: places(param("content"))},
		"sink BC1001 (*Chat[T]).Send parts":   {Op: Sink, Kind: "BC1001", Recv: "Chat", Name: "Send", In: places(param("parts"))},
		"sink BC1003 field Result.Content":    {Op: Sink, Kind: "BC1003", Recv: "Result", Name: "Content", Field: true},
		"sink BC1004 Fail arg1 arg* recv":     {Op: Sink, Kind: "BC1004", Name: "Fail", In: places(Place{Index: 1}, Place{Index: -1}, Place{Recv: true})},
		"sink BC1004 Fail arg:recv arg:by":    {Op: Sink, Kind: "BC1004", Name: "Fail", In: places(param("recv"), param("by"))},
		"sink BC1004 Fail args argument result": {
			Op: Sink, Kind: "BC1004", Name: "Fail", In: places(param("args"), param("argument"), param("result"))},
		"tool BC1002 NewAgentTool fn":              {Op: Tool, Kind: "BC1002", Name: "NewAgentTool", In: places(param("fn"))},
		"tool BC1002 field FunctionTool.Invoke":    {Op: Tool, Kind: "BC1002", Recv: "FunctionTool", Name: "Invoke", Field: true},
		"method BC1002 Tool.Call":                  {Op: Method, Kind: "BC1002", Recv: "Tool", Name: "Call"},
		"history MessageParam":                     {Op: History, Recv: "MessageParam"},
		"history field Session.History":            {Op: History, Recv: "Session", Name: "History", Field: true},
		"bound LimitReader r -> result0 by n":      {Op: Bound, Name: "LimitReader", In: places(param("r")), Out: places(result(0)), By: places(param("n"))},
		"bound Short":                              {Op: Bound, Name: "Short", Out: every},
		"bound Short by max limit 100":             {Op: Bound, Name: "Short", Out: every, By: places(param("max")), Limit: 100},
		"bound field LimitedReader.R by N":         {Op: Bound, Recv: "LimitedReader", Name: "R", Field: true, By: places(param("N"))},
		"bound field ExitError.Stderr limit 65600": {Op: Bound, Recv: "ExitError", Name: "Stderr", Field: true, Limit: 65600},
		"guard RuneCountInString s":                {Op: Guard, Name: "RuneCountInString", In: places(param("s"))},
		"clean Getwd":                              {Op: Clean, Name: "Getwd", Out: every},
		"clean Client.Chat -> fn":                  {Op: Clean, Recv: "Client", Name: "Chat", Out: places(param("fn"))},
		"clean field Response.Status":              {Op: Clean, Recv: "Response", Name: "Status", Field: true},
		"flow *.String recv -> result:text":        {Op: Flow, Recv: "*", Name: "String", In: places(Place{Recv: true}), Out: places(Place{Result: true, Index: -1, Name: "text"})},
		"flow MultiWriter result0 -> writers":      {Op: Flow, Name: "MultiWriter", In: places(result(0)), Out: places(param("writers"))},
		"\tflow Join  elems sep -> result0 # said": {Op: Flow, Name: "Join", In: places(param("elems"), param("sep")), Out: places(result(0))},
	} {
		want.Pkg = "example.com/p"
		got, err := Parse("x.model", []byte("package example.com/p\n"+line+"\r\n"))
		if err != nil {
			t.Errorf("%q: %v", line, err)
			continue
		}
		if diff := cmp.Diff([]Rule{want}, got, ignorePos); diff != "" {
			t.Errorf("%q (-want +got):\n%s", line, diff)
		}
	}
}

func TestParsePackagesAndLists(t *testing.T) {
	got, err := Parse("dir/x.model", []byte(`# a comment
package a/b/v2 .../c a/b     # versions do not matter, nor do repetitions

clean F,T.M
package gopkg.in/d.v3
history H
`))
	if err != nil {
		t.Fatal(err)
	}
	every := places(result(-1))
	want := []Rule{
		{Op: Clean, Pkg: "a/b", Name: "F", Out: every, Pos: "dir/x.model:4"},
		{Op: Clean, Pkg: ".../c", Name: "F", Out: every, Pos: "dir/x.model:4"},
		{Op: Clean, Pkg: "a/b", Recv: "T", Name: "M", Out: every, Pos: "dir/x.model:4"},
		{Op: Clean, Pkg: ".../c", Recv: "T", Name: "M", Out: every, Pos: "dir/x.model:4"},
		{Op: History, Pkg: "gopkg.in/d", Recv: "H", Pos: "dir/x.model:6"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestParseNothing(t *testing.T) {
	for _, src := range []string{"", "\n", "# only\n  # comments", "package a\n"} {
		if rules, err := Parse("x", []byte(src)); err != nil || len(rules) != 0 {
			t.Errorf("Parse(%q) = %v, %v", src, rules, err)
		}
	}
}

func TestParseBadLines(t *testing.T) {
	const needPlace = `is not a place; write a parameter's name, argN, arg*, arg:NAME, recv, resultN, result* or result:NAME, with .Field if only that is meant`
	for line, want := range map[string]string{
		"snk BC1001 F a":               `"snk" cannot begin a line; use package, source, attach, sink, tool, method, history, bound, guard, clean or flow`,
		"package":                      `package needs an import path, such as os/exec or .../openai-go`,
		`package "os"`:                 `"\"os\"" is not an import path; write it as in an import, without quotes and version`,
		"package os@v1":                `"os@v1" is not an import path; write it as in an import, without quotes and version`,
		"package https://a/b":          `"https://a/b" is not an import path; write it as in an import, without quotes and version`,
		"package a/b/":                 `"a/b/" is not an import path; write it as in an import, without quotes and version`,
		"source":                       `source of ""; use process, file, http, mcp, database, kubernetes, ssh, browser, remote or tool`,
		"source files F -> result0":    `source of "files"; use process, file, http, mcp, database, kubernetes, ssh, browser, remote or tool`,
		"sink BC1099 F a":              `sink of "BC1099"; use BC1001, BC1002, BC1003, BC1004 or BC1005`,
		"sink BC1001":                  `sink names nothing; add a function or Type.Method or field Type.Field`,
		"source file field":            `source names nothing; add a function or Type.Method or field Type.Field`,
		"guard field T.F":              `guard cannot be about a field; name a function or Type.Method`,
		"history pkg.T":                `"pkg.T" is not what history can be about; write a type or field Type.Field`,
		"history field T":              `"T" is not what history can be about; write a type or field Type.Field`,
		"method BC1002 Call":           `"Call" is not what method can be about; write Interface.Method`,
		"source file (*T.M -> result0": `"(*T.M" is not what source can be about; write a function or Type.Method or field Type.Field`,
		"source file a.b.c -> result0": `"a.b.c" is not what source can be about; write a function or Type.Method or field Type.Field`,
		"source file F() -> result0":   `"F()" is not what source can be about; write a function or Type.Method or field Type.Field`,
		"clean F,":                     `"" is not what clean can be about; write a function or Type.Method or field Type.Field`,
		"sink BC1001 F":                `sink of a call names no parameter; add its name, argN, arg* or recv`,
		"sink BC1001 F a,b":            `"a,b" ` + needPlace,
		"sink BC1001 F a.b.c":          `"a.b.c" ` + needPlace,
		"sink BC1001 F arg:":           `"arg:" ` + needPlace,
		"sink BC1001 F arg+1":          `"arg+1" ` + needPlace,
		"sink BC1001 F result0":        `sink cannot be about a result before "->"; results stand after "->"`,
		"sink BC1001 F a -> result0":   `sink here has no place after "->"; leave out "result0"`,
		"sink BC1001 field T.F a":      `sink here takes nothing at "a"; leave it out`,
		"source file F":                `source of a call does not say where to; add "->" and resultN, a parameter or recv`,
		"source file F result0":        `source here takes nothing at "result0"; leave it out, or put it after "->"`,
		"flow F a":                     `flow of a call does not say where to; add "->" and resultN, a parameter or recv`,
		"flow F -> result0":            `flow of a call names no parameter; add its name, argN, arg* or recv`,
		"flow F a->result0":            `"a->result0" ` + needPlace,
		"sink BC1001 F[K, V] a":        `"V]" ` + needPlace,
		"flow F a ->":                  `nothing follows "->"; name a parameter, argN, recv or resultN`,
		"flow F a -> b -> c":           `"->" stands twice on the line; put all its places after the first`,
		"bound F by":                   `nothing follows "by"; name a parameter, argN, recv or resultN`,
		"bound F by limit 3":           `nothing follows "by"; name a parameter, argN, recv or resultN`,
		"bound F by result0":           `bound cannot be by a result; name the parameter that holds the limit`,
		"bound F limit":                `limit ""; write a number of bytes above 0`,
		"bound F limit 64K":            `limit "64K"; write a number of bytes above 0`,
		"bound F limit 0":              `limit "0"; write a number of bytes above 0`,
		"bound F limit 1 by n":         `"by" stands after limit, which must end the line; put it before`,
		"bound field T.F by arg0":      `bound of a field can only be by other fields of the type; write their names or "limit N"`,
		"clean F limit 1":              `clean has no "by" or "limit"; only bound has`,
		"guard F s by n":               `guard has no "by" or "limit"; only bound has`,
		"history T x":                  `history here takes nothing at "x"; leave it out`,
	} {
		rules, err := Parse("x.model", []byte("package p\n"+line))
		if want := "x.model:2: " + want; fmt.Sprint(err) != want {
			t.Errorf("%q:\n got %v\nwant %s", line, err, want)
		}
		if rules != nil {
			t.Errorf("%q: rules beside an error: %v", line, rules)
		}
	}
}

func TestParseReportsEveryBadLine(t *testing.T) {
	_, err := Parse("x.model", []byte(`clean F
package ok
clean F
what
package "bad"
clean G
package ok
bound F limit x
`))
	var lines []string
	for l := range strings.SplitSeq(fmt.Sprint(err), "\n") {
		pos, _, _ := strings.Cut(l, ": ")
		lines = append(lines, pos)
	}
	// Line 6 follows a wrong package line, so it belongs to no package.
	want := []string{"x.model:1", "x.model:4", "x.model:5", "x.model:6", "x.model:8"}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("%v\n(-want +got):\n%s", err, diff)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("package a/b .../c\nbound T.M recv.X -> result:y by n limit 3\nflow *.F arg:by arg0 -> recv")
	f.Add("package\nsink BC1001 F")
	f.Fuzz(func(t *testing.T, src string) {
		rules, err := Parse("x", []byte(src))
		if err != nil {
			return
		}
		again, err := Parse("y", Format(rules))
		if err != nil {
			t.Fatalf("Format wrote what Parse refuses: %v\n%s", err, Format(rules))
		}
		if diff := cmp.Diff(rules, again, ignorePos, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}
