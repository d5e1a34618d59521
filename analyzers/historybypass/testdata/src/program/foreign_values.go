package main

import (
	"context"

	"example.com/agent/program/plugins"
	"github.com/openai/openai-go/v3"
)

// bell is the one plugin that the program brings along.
type bell struct{}

func (bell) Invoke(ctx context.Context, input string) (string, error) { return "ding", nil }

// What a package gives may be of any type.
func runPlugin(ctx context.Context, input, id string) message {
	var tool plugins.Tool = bell{}
	if input != "bell" {
		tool = plugins.Named(input)
	}
	out, err := tool.Invoke(ctx, input)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	return openai.ToolMessage(out, id) // want "BC1001.*tool"
}
