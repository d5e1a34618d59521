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

func zeroIsOff(ctx context.Context, o options, command, id string) message {
	out, err := shell(ctx, command)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	if o.threshold > 0 && len(out) > o.threshold {
		out = out[:o.threshold]
	}
	return openai.ToolMessage(out, id) // want "BC1001.*process"
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
