package lang

import (
	"context"

	"github.com/openai/openai-go/v3"
)

func captured(ctx context.Context, command, id string) message {
	var out string
	run := func() { out = output(ctx, command) }
	run()
	return openai.ToolMessage(out, id) // want "BC1001.*process"
}

func returnedClosure(ctx context.Context, command string) func(id string) message {
	out := output(ctx, command)
	return func(id string) message {
		return openai.ToolMessage(out, id) // want "BC1001.*process"
	}
}

func immediately(ctx context.Context, command, id string) message {
	return openai.ToolMessage(func() string { // want "BC1001.*process"
		if out := output(ctx, command); out != "" {
			return out
		}
		return "no output"
	}(), id)
}

func deferred(ctx context.Context, command, id string) (m message) {
	out := output(ctx, command)
	defer func() {
		m = openai.ToolMessage(out, id) // want "BC1001.*process"
	}()
	return message{}
}

// The closure that logs shares the variable, which has been cut by then.
func okSharedWithDefer(ctx context.Context, command, id string, log func(string)) message {
	out := output(ctx, command)
	defer func() { log(out) }()
	if len(out) > 2000 {
		out = out[:2000]
	}
	return openai.ToolMessage(out, id)
}

func okImmediately(ctx context.Context, command, id string) message {
	out := output(ctx, command)
	if len(out) > 4096 {
		out = out[:4096] + "... (truncated)"
	}
	return openai.ToolMessage(func() string {
		if out == "" {
			return "no output"
		}
		return out
	}(), id)
}
