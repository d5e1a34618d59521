package appends

import (
	"context"
	"slices"
)

type thread struct {
	entries []Message
}

func (t *thread) add(ms ...Message) { t.entries = append(t.entries, ms...) }

func (t *thread) runTool(ctx context.Context, tool Tool, call Call) {
	out, err := tool.Call(ctx, call.Input)
	if err != nil {
		return
	}
	t.add(
		Message{Role: "assistant", Content: "calling " + call.Name},
		Message{Role: "tool", ToolCallID: call.ID, Content: out}, // want "BC1001.*tool"
	)
}

func insertFirst(ctx context.Context, tool Tool, call Call, history []Message) []Message {
	out, err := tool.Call(ctx, call.Input)
	if err != nil {
		return history
	}
	return slices.Insert(history, 0, Message{Role: "tool", ToolCallID: call.ID, Content: out}) // want "BC1001.*tool"
}

func (t *thread) okAddNote(note string) {
	t.add(Message{Role: "user", Content: note})
}
