package directive_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boundcheck/boundcheck/analyzers/internal/model"
)

var (
	result0 = []model.Place{{Result: true, Index: 0}}
	every   = []model.Place{{Index: -1}}
)

func TestRules(t *testing.T) {
	tests := map[string]struct {
		src  string
		want []model.Rule
	}{
		"source on a function": {
			"//boundcheck:source process\nfunc run(cmd string) (string, error)",
			[]model.Rule{{Op: model.Source, Kind: "process", Name: "run", Out: result0, Pos: "p.go:3"}},
		},
		"source without a kind, below a comment": {
			"// run runs.\n//\n//boundcheck:source // whatever a tool says\nfunc run(cmd string) string",
			[]model.Rule{{Op: model.Source, Kind: "tool", Name: "run", Out: result0, Pos: "p.go:5"}},
		},
		"every result but errors": {
			"//boundcheck:source\nfunc run() (out, errout string, code int, err error)",
			[]model.Rule{{Op: model.Source, Kind: "tool", Name: "run", Pos: "p.go:3", Out: []model.Place{
				{Result: true, Index: 0}, {Result: true, Index: 1}, {Result: true, Index: 2}}}},
		},
		"out-parameters": {
			"//boundcheck:source http\nfunc get(ctx context.Context, url string, into *string, w io.Writer, buf []byte, m map[string]string) error",
			[]model.Rule{{Op: model.Source, Kind: "http", Name: "get", Pos: "p.go:3", Out: []model.Place{
				{Index: 2}, {Index: 3}, {Index: 4}, {Index: 5}}}},
		},
		"source on methods": {
			"//boundcheck:source ssh\nfunc (c *Client[T]) Run() string { return c.x }\n\n//boundcheck:source\nfunc (c Client[T]) Last() T",
			[]model.Rule{
				{Op: model.Source, Kind: "ssh", Recv: "Client", Name: "Run", Out: result0, Pos: "p.go:3"},
				{Op: model.Source, Kind: "tool", Recv: "Client", Name: "Last", Out: result0, Pos: "p.go:6"},
			},
		},
		"receivers written at length": {
			"//boundcheck:source\nfunc (m *(Map[K, V])) Get() V { return m.v }",
			[]model.Rule{{Op: model.Source, Kind: "tool", Recv: "Map", Name: "Get", Out: result0, Pos: "p.go:3"}},
		},
		"source on a method of an interface": {
			"type Tool interface {\n\tfmt.Stringer\n\tName() string\n\t//boundcheck:source mcp\n\tCall(in string) (string, error)\n\tSchema() any //boundcheck:source\n}",
			[]model.Rule{
				{Op: model.Source, Kind: "mcp", Recv: "Tool", Name: "Call", Out: result0, Pos: "p.go:6"},
				{Op: model.Source, Kind: "tool", Recv: "Tool", Name: "Schema", Out: result0, Pos: "p.go:8"},
			},
		},
		"source on an interface": {
			"//boundcheck:source\ntype Tool interface {\n\tClose() error\n\tName() string\n\tCall(in string) (string, error)\n}",
			[]model.Rule{
				{Op: model.Source, Kind: "tool", Recv: "Tool", Name: "Name", Out: result0, Pos: "p.go:3"},
				{Op: model.Source, Kind: "tool", Recv: "Tool", Name: "Call", Out: result0, Pos: "p.go:3"},
			},
		},
		"fields": {
			"type Job struct {\n\tOut, Err string //boundcheck:source process\n\t//boundcheck:sink BC1005\n\tPrompt string\n\t*bytes.Buffer //boundcheck:source file\n\tPreview string //boundcheck:bound 0x1000\n}",
			[]model.Rule{
				{Op: model.Source, Kind: "process", Recv: "Job", Name: "Out", Field: true, Pos: "p.go:4"},
				{Op: model.Source, Kind: "process", Recv: "Job", Name: "Err", Field: true, Pos: "p.go:4"},
				{Op: model.Sink, Kind: "BC1005", Recv: "Job", Name: "Prompt", Field: true, Pos: "p.go:5"},
				{Op: model.Source, Kind: "file", Recv: "Job", Name: "Buffer", Field: true, Pos: "p.go:7"},
				{Op: model.Bound, Limit: 4096, Recv: "Job", Name: "Preview", Field: true, Pos: "p.go:8"},
			},
		},
		"a field of function type": {
			"type Tool struct {\n\tRun func(in string) (string, error) //boundcheck:source\n}",
			[]model.Rule{{Op: model.Source, Kind: "tool", Recv: "Tool", Name: "Run", Field: true, Out: result0, Pos: "p.go:4"}},
		},
		"sinks": {
			"//boundcheck:sink\nfunc (h *History) Add(role, text string)\n\n//boundcheck:sink BC1002\nfunc reply(text string)",
			[]model.Rule{
				{Op: model.Sink, Kind: "BC1001", Recv: "History", Name: "Add", In: every, Pos: "p.go:3"},
				{Op: model.Sink, Kind: "BC1002", Name: "reply", In: every, Pos: "p.go:6"},
			},
		},
		"sink on a struct": {
			"type (\n\t//boundcheck:sink\n\tResult struct {\n\t\tID, Text string\n\t}\n)",
			[]model.Rule{
				{Op: model.Sink, Kind: "BC1001", Recv: "Result", Name: "ID", Field: true, Pos: "p.go:4"},
				{Op: model.Sink, Kind: "BC1001", Recv: "Result", Name: "Text", Field: true, Pos: "p.go:4"},
			},
		},
		"bounds": {
			"//boundcheck:bound 64_000\nfunc clip(s string) (string, bool)\n\n//boundcheck:bound\nfunc (r *Result) cap(n int)\n\n//boundcheck:bound\nfunc trim(r *Result) error",
			[]model.Rule{
				{Op: model.Bound, Limit: 64000, Name: "clip", Pos: "p.go:3", Out: []model.Place{{Result: true, Index: 0}, {Result: true, Index: 1}}},
				{Op: model.Bound, Recv: "Result", Name: "cap", Pos: "p.go:6", Out: []model.Place{{Recv: true}}},
				{Op: model.Bound, Name: "trim", Pos: "p.go:9", Out: []model.Place{{Index: 0}}},
			},
		},
		"histories": {
			"type Messages []Message //boundcheck:history\n\n//boundcheck:history\ntype Turn struct {\n\tLog []Turn\n}\n\ntype Session struct {\n\tturns []any //boundcheck:history\n\tnext func() //boundcheck:history\n}",
			[]model.Rule{
				{Op: model.History, Recv: "Messages", Pos: "p.go:3"},
				{Op: model.History, Recv: "Turn", Pos: "p.go:5"},
				{Op: model.History, Recv: "Session", Name: "turns", Field: true, Pos: "p.go:11"},
				{Op: model.History, Recv: "Session", Name: "next", Field: true, Pos: "p.go:12"},
			},
		},
		"two on one declaration": {
			"//boundcheck:source file\n//boundcheck:bound 100\nfunc head(name string) string",
			[]model.Rule{
				{Op: model.Source, Kind: "file", Name: "head", Out: result0, Pos: "p.go:3"},
				{Op: model.Bound, Limit: 100, Name: "head", Out: result0, Pos: "p.go:4"},
			},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := load(t, "package p\n\n"+test.src+"\n")
			for i := range test.want {
				test.want[i].Pkg = "example.org/agent"
			}
			if diff := cmp.Diff(test.want, c.Rules()); diff != "" {
				t.Errorf("rules (-want +got):\n%s", diff)
			}
			if got := c.messages(); len(got) > 0 {
				t.Errorf("problems %q, want none", got)
			}
			var set model.Set
			set.Add(c.Rules()...)
			if got := set.For("example.org/agent/v2"); len(got) != len(test.want) {
				t.Errorf("the model finds %d of %d rules by the import path of the package", len(got), len(test.want))
			}
		})
	}
}
