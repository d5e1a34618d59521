package lang

import (
	"context"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/openai/openai-go/v3"
)

func outputs(ctx context.Context, commands []string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for i, c := range commands {
			if !yield(i, output(ctx, c)) {
				return
			}
		}
	}
}

func rangedOver(ctx context.Context, commands []string, id string) []message {
	var messages []message
	for _, out := range outputs(ctx, commands) {
		messages = append(messages, openai.ToolMessage(out, id)) // want "BC1001.*process"
	}
	return messages
}

func collected(ctx context.Context, command, id string) message {
	byName := map[string]string{command: output(ctx, command)}
	values := slices.Collect(maps.Values(byName))
	return openai.ToolMessage(strings.Join(values, "\n"), id) // want "BC1001.*process"
}

func splitSeq(ctx context.Context, command, id string) message {
	var b strings.Builder
	for line := range strings.Lines(output(ctx, command)) {
		b.WriteString(line)
	}
	return openai.ToolMessage(b.String(), id) // want "BC1001.*process"
}

func okIndexes(ctx context.Context, commands []string, id string) []message {
	var messages []message
	for i := range outputs(ctx, commands) {
		messages = append(messages, openai.ToolMessage("ran "+commands[i], id))
	}
	return messages
}

// The keys of a map are not its values.
func okKeys(ctx context.Context, command, id string) message {
	byName := map[string]string{"only": output(ctx, command)}
	keys := slices.Sorted(maps.Keys(byName))
	return openai.ToolMessage(strings.Join(keys, "\n"), id)
}
