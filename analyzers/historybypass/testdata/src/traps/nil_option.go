package traps

import (
	"context"

	"github.com/openai/openai-go/v3"
)

// options are all off unless somebody sets them.
type options struct {
	limiter   func(string) string
	maxResult *int
	threshold int
}

func optionalFunc(ctx context.Context, o options, command, id string) message {
	out, err := shell(ctx, command)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	if o.limiter != nil {
		out = o.limiter(out)
	}
	return openai.ToolMessage(out, id) // want "BC1001.*process"
}

func optionalPointer(ctx context.Context, o options, command, id string) message {
	out, err := shell(ctx, command)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	if o.maxResult != nil && len(out) > *o.maxResult {
		out = out[:*o.maxResult]
	}
	return openai.ToolMessage(out, id) // want "BC1001.*process"
}

// A limit that can be switched off with 0 is a limit that somebody has thought about: it counts as one.
func enforce(s string, limit int) string {
	if limit <= 0 || len(s) <= limit {
		return s
	}
	return s[:limit]
}

func okZeroIsOff(ctx context.Context, o options, command, id string) message {
	out, err := shell(ctx, command)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	return openai.ToolMessage(enforce(out, o.threshold), id)
}

// Off means the default here.
func okZeroIsDefault(ctx context.Context, o options, command, id string) message {
	out, err := shell(ctx, command)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	limit := o.threshold
	if limit <= 0 {
		limit = maxOutput
	}
	if len(out) > limit {
		out = out[:limit]
	}
	return openai.ToolMessage(out, id)
}
