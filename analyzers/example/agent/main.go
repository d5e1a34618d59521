// Command agent is a small but complete agent that needs no network: its model is a script. It shows what boundcheck
// finds; README.md says which faults are planted.
//
//	go run . [-dir DIR] [question or !command]...
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"example.com/agent/chat"
	"example.com/agent/loop"
	"example.com/agent/tools"
)

func main() {
	dir := flag.String("dir", ".", "the directory the tools work in")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *dir, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "agent:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir string, lines []string) error {
	if len(lines) == 0 {
		lines = []string{"What is this directory?"}
	}
	agent := loop.Agent{Tools: tools.All(dir)}
	for _, line := range lines {
		if command, ok := strings.CutPrefix(line, "!"); ok {
			if err := agent.Bang(ctx, command); err != nil {
				return err
			}
			continue
		}
		agent.Provider = script()
		answer, err := agent.Ask(ctx, line)
		if err != nil {
			return err
		}
		fmt.Println(answer)
	}
	for _, m := range agent.History.Messages() {
		fmt.Printf("%-9s %7d bytes\n", m.Role, len(m.Content))
	}
	return nil
}

// script plays a model that looks around and then answers.
func script() chat.Provider {
	call := func(id, tool, args string) chat.Message {
		return chat.Message{ToolCalls: []chat.ToolCall{{ID: id, Name: tool, Args: json.RawMessage(args)}}}
	}
	return &chat.Scripted{Replies: []chat.Message{
		call("1", "list", `{"path": "."}`),
		call("2", "search", `{"text": "package "}`),
		call("3", "read_file", `{"path": "go.mod"}`),
		call("4", "shell", `{"command": "ls -l"}`),
		{Content: "It is the source of a small agent."},
	}}
}
