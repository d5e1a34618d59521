package model

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// parseBuiltin reads the embedded files in the order of their names, whole.
func parseBuiltin() ([]Rule, error) {
	names, err := fs.Glob(files, "models/*.model")
	if err != nil {
		return nil, err
	}
	var rules []Rule
	for _, name := range names {
		src, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		rs, err := Parse(name, src)
		if err != nil {
			return nil, err
		}
		rules = append(rules, rs...)
	}
	return rules, nil
}

func builtinRules(t testing.TB) []Rule {
	t.Helper()
	rules, err := parseBuiltin()
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func TestBuiltinFilesParse(t *testing.T) {
	rules := builtinRules(t)
	if got := Builtin().Len(); got != len(rules) || got == 0 {
		t.Errorf("Builtin() has %d rules, the files have %d", got, len(rules))
	}
	again, err := Parse("formatted", Format(rules))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(rules, again, ignorePos); diff != "" {
		t.Errorf("Parse(Format(rules)) differs (-want +got):\n%s", diff)
	}
}

// TestBuiltinIndex compares what is read block by block, on demand, with what a whole parse gives.
func TestBuiltinIndex(t *testing.T) {
	var whole Set
	rules := builtinRules(t)
	whole.Add(rules...)
	paths := map[string]bool{"github.com/openai/openai-go/v3/responses": true, "example.com/acme/agent": true}
	for _, r := range rules {
		if !isPattern(r.Pkg) {
			paths[r.Pkg] = true
			continue
		}
		paths[strings.NewReplacer(dots, "x.org/y", "*", "z").Replace(r.Pkg)] = true
	}
	for path := range paths {
		if diff := cmp.Diff(whole.For(path), Builtin().For(path)); diff != "" {
			t.Errorf("For(%q) (-parsed whole +on demand):\n%s", path, diff)
		}
	}
}

// TestBuiltinHasNoDuplicates looks at every package that a rule names as a user of the set would, so that it also
// finds a rule that a pattern and an exact path both give.
func TestBuiltinHasNoDuplicates(t *testing.T) {
	all, pkgs := map[string]string{}, map[string]bool{}
	for _, r := range builtinRules(t) {
		key := r.Pkg + " " + r.String()
		if first, ok := all[key]; ok {
			t.Errorf("%s repeats %s: package %s: %s", r.Pos, first, r.Pkg, r)
		}
		all[key] = r.Pos
		if isPattern(r.Pkg) || pkgs[r.Pkg] {
			continue
		}
		pkgs[r.Pkg] = true
		seen := map[string]string{}
		for _, r := range Builtin().For(r.Pkg) {
			if first, ok := seen[r.String()]; ok {
				t.Errorf("%s and %s say the same of one package: %s", first, r.Pos, r)
			}
			seen[r.String()] = r.Pos
		}
	}
}

// TestBuiltinContradictions: clean excludes the others, so a place that is also something else is a mistake.
func TestBuiltinContradictions(t *testing.T) {
	type decl struct{ pkg, recv, name string }
	clean := map[decl]Rule{}
	rules := builtinRules(t)
	for _, r := range rules {
		if r.Op == Clean {
			clean[decl{r.Pkg, r.Recv, r.Name}] = r
		}
	}
	for _, r := range rules {
		c, ok := clean[decl{r.Pkg, r.Recv, r.Name}]
		if !ok || r.Op == Clean || r.Op == Sink {
			continue
		}
		if r.Field || slices.ContainsFunc(c.Out, func(p Place) bool {
			return slices.ContainsFunc(r.Out, func(q Place) bool { return p == q || p.Result && q.Result && p.Index < 0 })
		}) {
			t.Errorf("%s: %q, but %s: %q", c.Pos, c, r.Pos, r)
		}
	}
}

// TestBuiltinKnows asks for one line of each SDK under the paths that real programs import it by.
func TestBuiltinKnows(t *testing.T) {
	for path, lines := range map[string][]string{
		"os/exec": {
			"source process Cmd.Output -> result0",
			"attach process field Cmd.Stdout",
		},
		"os":                                     {"source file ReadFile -> result0", "clean Getwd -> result*"},
		"io":                                     {"bound LimitReader r -> result0 by n", "flow MultiWriter result0 -> writers"},
		"net/http":                               {"source http field Response.Body", "bound MaxBytesReader r -> result0 by n"},
		"embed":                                  {"clean FS.ReadFile -> result*"},
		"unicode/utf8":                           {"guard RuneCountInString s"},
		"github.com/anthropics/anthropic-sdk-go": {"sink BC1001 NewToolResultBlock content", "history MessageParam"},
		"github.com/anthropics/anthropic-sdk-go/v2":            {"sink BC1001 NewToolResultBlock content"},
		"github.com/charmbracelet/anthropic-sdk-go":            {"sink BC1001 NewToolResultBlock content"},
		"github.com/anthropics/anthropic-sdk-go/v2/toolrunner": {"tool BC1002 NewBetaTool handler"},
		"github.com/openai/openai-go":                          {"sink BC1001 ToolMessage content"},
		"github.com/openai/openai-go/v3":                       {"sink BC1001 field ChatCompletionToolMessageParam.Content"},
		"github.com/charmbracelet/openai-go":                   {"flow String s -> result0"},
		"github.com/openai/openai-go/v3/packages/param":        {"flow NewOpt v -> result0"},
		"github.com/openai/openai-go/v3/responses": {
			"sink BC1001 ResponseInputItemParamOfFunctionCallOutput output",
			"sink BC1001 ResponseInputItemParamOfShellCallOutput output",
		},
		"github.com/sashabaranov/go-openai":                            {"history ChatCompletionMessage", "sink BC1001 field ToolOutput.Output"},
		"google.golang.org/genai":                                      {"sink BC1001 NewPartFromFunctionResponse response"},
		"github.com/google/generative-ai-go/genai":                     {"sink BC1001 field FunctionResponse.Response"},
		"cloud.google.com/go/vertexai/genai":                           {"history field ChatSession.History"},
		"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types":    {"sink BC1001 field ToolResultContentBlockMemberText.Value"},
		"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document": {"flow NewLazyDocument v -> result0"},
		"github.com/ollama/ollama/api":                                 {"history Message"},
		"github.com/Azure/azure-sdk-for-go/sdk/ai/azopenai":            {"sink BC1001 NewChatRequestToolMessageContent value"},
		"github.com/cohesion-org/deepseek-go":                          {"history ChatCompletionMessage"},
		"github.com/tmc/langchaingo/llms":                              {"sink BC1001 field ToolCallResponse.Content"},
		"github.com/tmc/langchaingo/schema":                            {"sink BC1001 field AgentStep.Observation"},
		"github.com/tmc/langchaingo/tools":                             {"method BC1002 Tool.Call", "source tool Tool.Call -> result0"},
		"github.com/tmc/langchaingo/tools/duckduckgo":                  {"source tool *.Call -> result0"},
		"github.com/cloudwego/eino/schema":                             {"sink BC1001 ToolMessage content"},
		"github.com/cloudwego/eino/components/tool":                    {"method BC1002 InvokableTool.InvokableRun"},
		"github.com/cloudwego/eino/components/tool/utils":              {"tool BC1002 InferTool i"},
		"google.golang.org/adk/v2/tool/functiontool":                   {"tool BC1002 New handler"},
		"google.golang.org/adk/tool":                                   {"method BC1002 Tool.Run"},
		"github.com/firebase/genkit/go/ai":                             {"sink BC1001 field ToolResponse.Output"},
		"github.com/firebase/genkit/go/genkit":                         {"tool BC1002 DefineTool fn"},
		"charm.land/fantasy": {
			"sink BC1002 NewTextResponse content",
			"sink BC1004 NewTextErrorResponse content",
			"flow WithResponseMetadata response -> result0",
		},
		"github.com/nlpodyssey/openai-agents-go/agents":   {"tool BC1002 field FunctionTool.OnInvokeTool"},
		"trpc.group/trpc-go/trpc-agent-go/model":          {"sink BC1001 NewToolMessage content"},
		"github.com/go-kratos/blades/tools":               {"method BC1002 Handler.Handle"},
		"github.com/mark3labs/mcp-go/client":              {"source mcp MCPClient.CallTool -> result0"},
		"github.com/mark3labs/mcp-go/mcp":                 {"sink BC1003 NewToolResultText text", "sink BC1004 NewToolResultError text"},
		"github.com/mark3labs/mcp-go/server":              {"tool BC1003 MCPServer.AddTool handler"},
		"github.com/modelcontextprotocol/go-sdk/mcp":      {"source mcp ClientSession.CallTool -> result0", "tool BC1003 AddTool h"},
		"k8s.io/client-go/rest":                           {"source kubernetes Request.Stream -> result0"},
		"k8s.io/client-go/kubernetes/typed/core/v1":       {"source kubernetes *.List -> result0"},
		"github.com/docker/docker/client":                 {"source process *.ContainerLogs -> result0"},
		"golang.org/x/crypto/ssh":                         {"source ssh Session.CombinedOutput -> result0"},
		"github.com/chromedp/chromedp":                    {"source browser Evaluate -> res"},
		"github.com/jackc/pgx/v5":                         {"source database Rows.Scan -> dest"},
		"database/sql":                                    {"source database Rows.Scan -> dest"},
		"github.com/charmbracelet/x/ansi":                 {"bound Truncate s -> result0 by length", "guard StringWidth s"},
		"github.com/boundcheck/boundcheck/bounding":       {"bound Pipeline.Text -> result0"},
		"gopkg.in/yaml.v3":                                {"flow Marshal in -> result0"},
		"github.com/JohannesKaufmann/html-to-markdown/v2": {"flow ConvertString htmlInput -> result0"},
	} {
		var have []string
		for _, r := range Builtin().For(path) {
			have = append(have, r.String())
		}
		for _, line := range lines {
			if !slices.Contains(have, line) {
				t.Errorf("%s: no rule %q", path, line)
			}
		}
	}
}
