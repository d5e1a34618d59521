package bounds

import (
	"context"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/openai/openai-go/v3"
)

// byWidth measures what a terminal would show.
func byWidth(s string) string {
	if ansi.StringWidth(s) <= maxOutput {
		return s
	}
	half := maxOutput / 2
	head := ansi.Truncate(s, half, "")
	tail := ansi.TruncateLeft(s, ansi.StringWidth(s)-half, "")
	return head + "\n…\n" + tail
}

func okWidthHelper(ctx context.Context, command, id string) message {
	return openai.ToolMessage(byWidth(shell(ctx, command)), id)
}

func okWidthInline(ctx context.Context, command, id string) message {
	return openai.ToolMessage(ansi.Truncate(shell(ctx, command), 2000, "…"), id)
}

// Many lines, each of a limited width.
func okWidthPerLine(ctx context.Context, command, id string) message {
	lines := strings.Split(shell(ctx, command), "\n")
	if len(lines) > 100 {
		lines = lines[:100]
	}
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(ansi.Truncate(line, 500, "…") + "\n")
	}
	return openai.ToolMessage(b.String(), id)
}

// Taking the colours out is no bound.
func stripped(ctx context.Context, command, id string) message {
	return openai.ToolMessage(ansi.Strip(shell(ctx, command)), id) // want "BC1001.*process"
}
