package traps

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/openai/openai-go/v3"
)

// limitArgs are the model's to choose.
type limitArgs struct {
	Command  string `json:"command"`
	MaxChars int    `json:"max_chars"`
	Lines    int    `json:"lines"`
}

func modelsLimit(ctx context.Context, input json.RawMessage, id string) (message, error) {
	var args limitArgs
	if err := json.Unmarshal(input, &args); err != nil {
		return message{}, err
	}
	out, err := shell(ctx, args.Command)
	if err != nil {
		return message{}, err
	}
	if len(out) > args.MaxChars {
		out = out[:args.MaxChars]
	}
	return openai.ToolMessage(out, id), nil // want "BC1001.*process"
}

// A default is no ceiling.
func defaultOnly(ctx context.Context, input json.RawMessage, id string) (message, error) {
	var args limitArgs
	if err := json.Unmarshal(input, &args); err != nil {
		return message{}, err
	}
	if args.MaxChars <= 0 {
		args.MaxChars = maxOutput
	}
	out, err := shell(ctx, args.Command)
	if err != nil {
		return message{}, err
	}
	if len(out) > args.MaxChars {
		out = out[:args.MaxChars]
	}
	return openai.ToolMessage(out, id), nil // want "BC1001.*process"
}

func modelsLines(ctx context.Context, input json.RawMessage, id string) (message, error) {
	var args limitArgs
	if err := json.Unmarshal(input, &args); err != nil {
		return message{}, err
	}
	out, err := shell(ctx, args.Command)
	if err != nil {
		return message{}, err
	}
	lines := strings.Split(out, "\n")
	if len(lines) > args.Lines {
		lines = lines[:args.Lines]
	}
	return openai.ToolMessage(strings.Join(lines, "\n"), id), nil // want "BC1001.*process"
}

// The model may ask for less, not for more.
func okCeiling(ctx context.Context, input json.RawMessage, id string) (message, error) {
	var args limitArgs
	if err := json.Unmarshal(input, &args); err != nil {
		return message{}, err
	}
	limit := min(args.MaxChars, maxOutput)
	out, err := shell(ctx, args.Command)
	if err != nil {
		return message{}, err
	}
	if len(out) > limit {
		out = out[:limit]
	}
	return openai.ToolMessage(out, id), nil
}

func okCeilingByGuard(ctx context.Context, input json.RawMessage, id string) (message, error) {
	var args limitArgs
	if err := json.Unmarshal(input, &args); err != nil {
		return message{}, err
	}
	if args.MaxChars <= 0 || args.MaxChars > maxOutput {
		args.MaxChars = maxOutput
	}
	out, err := shell(ctx, args.Command)
	if err != nil {
		return message{}, err
	}
	if len(out) > args.MaxChars {
		out = out[:args.MaxChars]
	}
	return openai.ToolMessage(out, id), nil
}
