package lang

import (
	"context"

	"github.com/openai/openai-go/v3"
)

// box holds anything.
type box[T any] struct{ value T }

func (b *box[T]) set(v T) { b.value = v }

func (b *box[T]) get() T { return b.value }

func identity[T any](v T) T { return v }

func mapped[T, U any](in []T, f func(T) U) []U {
	out := make([]U, 0, len(in))
	for _, v := range in {
		out = append(out, f(v))
	}
	return out
}

func throughIdentity(ctx context.Context, command, id string) message {
	return openai.ToolMessage(identity(output(ctx, command)), id) // want "BC1001.*process"
}

func throughBox(ctx context.Context, command, id string) message {
	var b box[string]
	b.set(output(ctx, command))
	return openai.ToolMessage(b.get(), id) // want "BC1001.*process"
}

func throughMap(ctx context.Context, commands []string, id string) []message {
	outputs := mapped(commands, func(c string) string { return output(ctx, c) })
	return mapped(outputs, func(out string) message {
		return openai.ToolMessage(out, id) // want "BC1001.*process"
	})
}

func okThroughBox(ctx context.Context, command, id string) message {
	var b box[string]
	b.set(head(output(ctx, command)))
	return openai.ToolMessage(b.get(), id)
}

func okLengths(ctx context.Context, commands []string, id string) message {
	lengths := mapped(commands, func(c string) int { return len(output(ctx, c)) })
	if len(lengths) > 0 && lengths[0] == 0 {
		return openai.ToolMessage("no output", id)
	}
	return openai.ToolMessage("output", id)
}
