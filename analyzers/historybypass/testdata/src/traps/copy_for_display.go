package traps

import (
	"context"
	"log/slog"

	"github.com/openai/openai-go/v3"
)

// event is what the screen gets.
type event struct {
	Name    string
	Preview string
}

func loggedCopy(ctx context.Context, command, id string) message {
	out, err := shell(ctx, command)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	slog.Info("tool finished", "output", truncate(out))
	return openai.ToolMessage(out, id) // want "BC1001.*process"
}

func shownCopy(ctx context.Context, command, id string, events chan<- event) message {
	out, err := shell(ctx, command)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	preview := out
	if len(preview) > 80 {
		preview = preview[:80] + "…"
	}
	events <- event{Name: command, Preview: preview}
	return openai.ToolMessage(out, id) // want "BC1001.*process"
}

// record keeps a copy that is bounded and another one that is not.
type record struct {
	Short string
	Full  string
}

func fullField(ctx context.Context, command, id string) message {
	out, err := shell(ctx, command)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	r := record{Short: truncate(out), Full: out}
	slog.Info("tool finished", "output", r.Short)
	return openai.ToolMessage(r.Full, id) // want "BC1001.*process"
}

// The other way round: the log gets everything.
func okShortField(ctx context.Context, command, id string) message {
	out, err := shell(ctx, command)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	r := record{Short: truncate(out), Full: out}
	slog.Debug("tool finished", "output", r.Full)
	return openai.ToolMessage(r.Short, id)
}

// Shadowing is the same mistake in one letter.
func shadowed(ctx context.Context, command, id string, verbose bool) message {
	out, err := shell(ctx, command)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	if !verbose {
		out := truncate(out)
		slog.Info("tool finished", "output", out)
	}
	return openai.ToolMessage(out, id) // want "BC1001.*process"
}
