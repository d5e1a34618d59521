package bounds

import (
	"bytes"
	"context"
	"strings"

	"github.com/openai/openai-go/v3"
)

// limiter is configured once.
type limiter struct {
	max int
}

func (l limiter) apply(s string) string {
	if len(s) > l.max {
		s = s[:l.max]
	}
	return s
}

func okConfiguredLimiter(ctx context.Context, l limiter, command, id string) message {
	return openai.ToolMessage(l.apply(shell(ctx, command)), id)
}

// clip is generic.
func clip[T ~string | ~[]byte](s T, limit int) T {
	if len(s) > limit {
		return s[:limit]
	}
	return s
}

func okGenericClip(ctx context.Context, command, id string) message {
	return openai.ToolMessage(clip(shell(ctx, command), maxOutput), id)
}

// named results and a bare return.
func capped(s string) (out string, cut bool) {
	out = s
	if len(out) > maxOutput {
		out, cut = out[:maxOutput], true
	}
	return
}

func okNamedResults(ctx context.Context, command, id string) message {
	out, _ := capped(shell(ctx, command))
	return openai.ToolMessage(out, id)
}

// shrink works in place.
func shrink(s *string) {
	if len(*s) > maxOutput {
		*s = (*s)[:maxOutput]
	}
}

func okInPlace(ctx context.Context, command, id string) message {
	out := shell(ctx, command)
	shrink(&out)
	return openai.ToolMessage(out, id)
}

func okClosure(ctx context.Context, command, id string) message {
	limit := func(s string) string {
		if len(s) > maxOutput {
			return s[:maxOutput]
		}
		return s
	}
	return openai.ToolMessage(limit(shell(ctx, command)), id)
}

// firstLines searches for the end of the tenth line, within a limit.
func firstLines(s string) string {
	if len(s) > maxOutput {
		s = s[:maxOutput]
	}
	parts := strings.SplitN(s, "\n", 11)
	if len(parts) > 10 {
		parts = parts[:10]
	}
	return strings.Join(parts, "\n")
}

func okFirstLines(ctx context.Context, command, id string) message {
	return openai.ToolMessage(firstLines(shell(ctx, command)), id)
}

func okBufferTruncate(ctx context.Context, command, id string) message {
	var b bytes.Buffer
	b.WriteString(shell(ctx, command))
	if b.Len() > maxOutput {
		b.Truncate(maxOutput)
	}
	return openai.ToolMessage(b.String(), id)
}

// grow adds what is missing; nothing is taken away.
func grow(s string, least int) string {
	if len(s) < least {
		return s + strings.Repeat(" ", least-len(s))
	}
	return s
}

func padded(ctx context.Context, command, id string) message {
	return openai.ToolMessage(grow(shell(ctx, command), 80), id) // want "BC1001.*process"
}
