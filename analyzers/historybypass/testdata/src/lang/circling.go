package lang

import (
	"context"

	"github.com/openai/openai-go/v3"
)

// repeat hands the function its own results, so what it is given depends on itself.
func repeat(f func(string) string, text string, rounds int) string {
	for range rounds {
		text = f(text)
	}
	return text
}

func circling(ctx context.Context, command, id string) message {
	return openai.ToolMessage(repeat(func(s string) string { return s + "\n" }, output(ctx, command), 3), id) // want "BC1001.*process"
}

func okCircling(id string) message {
	return openai.ToolMessage(repeat(func(s string) string { return s + "." }, "waiting", 3), id)
}
