package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/agent/chat"
	"example.com/agent/loop"
	"example.com/agent/tools"
)

// TestSizes shows each planted fault at work, and that the tools beside them keep their outputs short.
func TestSizes(t *testing.T) {
	const large, short = 6 << 20, 20 << 10
	dir := t.TempDir()
	t.Setenv("TMPDIR", t.TempDir())
	text := strings.Repeat("a line of text\n", large/15)
	if err := os.WriteFile(filepath.Join(dir, "large.txt"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range 2000 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("file-with-a-long-name-%d", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/missing" {
			w.WriteHeader(http.StatusNotFound)
		}
		fmt.Fprint(w, text)
	}))
	defer server.Close()

	for _, test := range []struct {
		tool, args string
		min, max   int
	}{
		{"list", `{"path": "."}`, 8 << 10, short},
		{"search", `{"text": "line"}`, 1 << 10, short},
		{"shell", `{"command": "cat large.txt; exit 1"}`, 8 << 10, short},
		{"shell", `{"command": "cat large.txt"}`, 5 << 20, large},
		{"read_file", `{"path": "large.txt"}`, 5 << 20, large},
		{"fetch", `{"url": "` + server.URL + `", "head": true}`, 8 << 10, short},
		{"fetch", `{"url": "` + server.URL + `"}`, 5 << 20, 5 << 20},
		{"fetch", `{"url": "` + server.URL + `/missing"}`, 5 << 20, large + 200},
		{"paint", `{}`, 1, 100},
	} {
		agent := loop.Agent{Tools: tools.All(dir), Provider: &chat.Scripted{Replies: []chat.Message{
			{ToolCalls: []chat.ToolCall{{ID: "1", Name: test.tool, Args: json.RawMessage(test.args)}}},
			{Content: "done"},
		}}}
		if _, err := agent.Ask(t.Context(), "go on"); err != nil {
			t.Fatal(err)
		}
		answer := agent.History.Messages()[2]
		if n := len(answer.Content); answer.Role != chat.Tool || n < test.min || n > test.max {
			t.Errorf("%s %s: a message of role %s with %d bytes, want role tool and %d to %d bytes",
				test.tool, test.args, answer.Role, n, test.min, test.max)
		}
	}
}

func TestScript(t *testing.T) {
	if err := run(t.Context(), ".", []string{"!echo hello", "What is this directory?"}); err != nil {
		t.Error(err)
	}
}
