package main

import (
	"context"
	"os"

	"github.com/openai/openai-go/v3"
)

// answerTool has one implementation, which knows its answer.
type answerTool interface {
	Run(ctx context.Context, input string) (string, error)
}

type clock struct{}

func (clock) Run(ctx context.Context, input string) (string, error) { return "noon", nil }

// eitherTool has two, and both know theirs.
type eitherTool interface {
	Execute(ctx context.Context, input string) (string, error)
}

type heads struct{}

func (heads) Execute(ctx context.Context, input string) (string, error) { return "heads", nil }

type tails struct{}

func (*tails) Execute(ctx context.Context, input string) (string, error) { return "tails", nil }

// readerTool has two, one of which reads a file.
type readerTool interface {
	Call(ctx context.Context, input string) (string, error)
}

type sign struct{}

func (sign) Call(ctx context.Context, input string) (string, error) { return "closed", nil }

type page struct{}

func (page) Call(ctx context.Context, input string) (string, error) {
	data, err := os.ReadFile(input)
	if err != nil {
		return "", err
	}
	return string(data), nil // want "BC1002.*file"
}

// One of the types gives a file.
func runReader(ctx context.Context, input, id string) message {
	tools := map[string]readerTool{"sign": sign{}, "page": page{}}
	out, err := tools[input].Call(ctx, input)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	return openai.ToolMessage(out, id) // want "BC1001.*(tool|file)"
}

// The one type gives a constant.
func okRunAnswer(ctx context.Context, input, id string) message {
	var tool answerTool = clock{}
	out, err := tool.Run(ctx, input)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	return openai.ToolMessage(out, id)
}

// All types give constants.
func okRunEither(ctx context.Context, input, id string) message {
	tools := map[string]eitherTool{"heads": heads{}, "tails": &tails{}}
	out, err := tools[input].Execute(ctx, input)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	return openai.ToolMessage(out, id)
}
