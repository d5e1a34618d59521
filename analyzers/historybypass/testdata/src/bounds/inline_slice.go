package bounds

import (
	"context"
	"fmt"

	"github.com/openai/openai-go/v3"
)

func okInline(ctx context.Context, command, id string) message {
	out := shell(ctx, command)
	if len(out) > maxOutput {
		out = out[:maxOutput] + "… (truncated)"
	}
	return openai.ToolMessage(out, id)
}

func okInlineTail(ctx context.Context, command, id string) message {
	out := shell(ctx, command)
	if len(out) > maxOutput {
		out = "…" + out[len(out)-maxOutput:]
	}
	return openai.ToolMessage(out, id)
}

func okInlineHeadAndTail(ctx context.Context, command, id string) message {
	out := shell(ctx, command)
	if n := len(out); n > maxOutput {
		half := maxOutput / 2
		out = fmt.Sprintf("%s\n[%d bytes left out]\n%s", out[:half], n-2*half, out[n-half:])
	}
	return openai.ToolMessage(out, id)
}

func okMinSlice(ctx context.Context, command, id string) message {
	out := shell(ctx, command)
	return openai.ToolMessage(out[:min(len(out), maxOutput)], id)
}

func okMinVariable(ctx context.Context, command, id string) message {
	out := shell(ctx, command)
	n := min(maxOutput, len(out))
	return openai.ToolMessage(out[:n], id)
}

func okMinByHand(ctx context.Context, command, id string) message {
	out := shell(ctx, command)
	end := len(out)
	if end > maxOutput {
		end = maxOutput
	}
	return openai.ToolMessage(out[:end], id)
}

// A slice up to the end bounds nothing.
func fromStart(ctx context.Context, command, id string) message {
	out := shell(ctx, command)
	if len(out) > 10 {
		out = out[10:]
	}
	return openai.ToolMessage(out, id) // want "BC1001.*process"
}

// max is not min.
func maxSlice(ctx context.Context, command, id string) message {
	out := shell(ctx, command)
	n := max(0, len(out)-1)
	return openai.ToolMessage(out[:n], id) // want "BC1001.*process"
}
