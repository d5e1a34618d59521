package traps

import (
	"context"

	"github.com/openai/openai-go/v3"
)

// The bound comes after the entry.
func tooLate(ctx context.Context, command, id string, params *openai.ChatCompletionNewParams) string {
	out, err := shell(ctx, command)
	if err != nil {
		return "failed"
	}
	params.Messages = append(params.Messages, openai.ToolMessage(out, id)) // want "BC1001.*process"
	out = truncate(out)
	return out
}

// The bounded text is put together with the rest again.
func putBack(ctx context.Context, command, id string) message {
	out, err := shell(ctx, command)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	head, rest := truncate(out), ""
	if len(out) > maxOutput {
		rest = out[maxOutput:]
	}
	return openai.ToolMessage(head+rest, id) // want "BC1001.*process"
}

// Each piece is bounded, how many there are is not.
func piecewise(ctx context.Context, commands []string, id string) message {
	all := ""
	for _, command := range commands {
		out, err := shell(ctx, command)
		if err != nil {
			continue
		}
		all += truncate(out)
	}
	return openai.ToolMessage(all, id) // want "BC1001.*process"
}

// The result is discarded.
func discarded(ctx context.Context, command, id string) message {
	out, err := shell(ctx, command)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	_ = truncate(out)
	return openai.ToolMessage(out, id) // want "BC1001.*process"
}

// Putting together first and bounding then is fine.
func okWhole(ctx context.Context, commands []string, id string) message {
	all := ""
	for _, command := range commands {
		out, err := shell(ctx, command)
		if err != nil {
			continue
		}
		all += out
	}
	return openai.ToolMessage(truncate(all), id)
}
