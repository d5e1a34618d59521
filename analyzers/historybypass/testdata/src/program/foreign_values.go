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

func (bell) Run(ctx context.Context, input string) (string, error) { return "ding", nil }

func (bell) Call(ctx context.Context, input string) (string, error) { return "ding", nil }

func (bell) Execute(ctx context.Context, input string) (string, error) { return "ding", nil }

// What a package gives beside an error may be, too.
func runOpened(ctx context.Context, input, id string) message {
	var tool plugins.OpenTool = bell{}
	if input != "bell" {
		opened, err := plugins.Open(input)
		if err != nil {
			return openai.ToolMessage("failed", id)
		}
		tool = opened
	}
	out, err := tool.Run(ctx, input)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	return openai.ToolMessage(out, id) // want "BC1001.*tool"
}

// So may what it holds in a variable.
func runDefault(ctx context.Context, input, id string) message {
	tool := plugins.Default
	if tool == nil {
		tool = bell{}
	}
	out, err := tool.Call(ctx, input)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	return openai.ToolMessage(out, id) // want "BC1001.*tool"
}

// And what it hands to a function.
func runEach(ctx context.Context, input, id string) []message {
	var all []message
	run := func(tool plugins.EachTool) {
		out, err := tool.Execute(ctx, input)
		if err != nil {
			return
		}
		all = append(all, openai.ToolMessage(out, id)) // want "BC1001.*tool"
	}
	run(bell{})
	plugins.Each(run)
	return all
}
