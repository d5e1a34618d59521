package bounds

import (
	"context"
	"unicode/utf8"

	"github.com/openai/openai-go/v3"
)

func okRuneSlice(ctx context.Context, command, id string) message {
	out := shell(ctx, command)
	if runes := []rune(out); len(runes) > 5000 {
		out = string(runes[:5000])
	}
	return openai.ToolMessage(out, id)
}

func okRuneCount(ctx context.Context, command, id string) message {
	out := shell(ctx, command)
	if utf8.RuneCountInString(out) > 5000 {
		return openai.ToolMessage("the output is too long to be shown", id)
	}
	return openai.ToolMessage(out, id)
}

// cut steps back to the start of a rune.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

func okRuneStart(ctx context.Context, command, id string) message {
	return openai.ToolMessage(cut(shell(ctx, command), maxOutput), id)
}

// firstRunes walks and stops.
func firstRunes(s string, n int) string {
	count := 0
	for i := range s {
		if count == n {
			return s[:i]
		}
		count++
	}
	return s
}

func okFirstRunes(ctx context.Context, command, id string) message {
	return openai.ToolMessage(firstRunes(shell(ctx, command), 4000), id)
}

// Going through runes and back changes nothing.
func runesAndBack(ctx context.Context, command, id string) message {
	runes := []rune(shell(ctx, command))
	return openai.ToolMessage(string(runes), id) // want "BC1001.*process"
}
