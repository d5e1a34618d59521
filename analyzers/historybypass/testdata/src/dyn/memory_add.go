package dyn

import "context"

// StoredMessage is an entry of the agent's memory.
type StoredMessage struct {
	Role       string
	Content    string
	ToolCallID string
	Metadata   map[string]any
}

// Memory keeps the conversation.
type Memory interface {
	AddMessage(ctx context.Context, message StoredMessage) error
}

func rememberResult(ctx context.Context, memory Memory, tool Tool, call Call) error {
	result, err := tool.Execute(ctx, call.Arguments)
	if err != nil {
		return err
	}
	return memory.AddMessage(ctx, StoredMessage{
		Role:       "tool",
		Content:    result, // want "BC1001.*tool"
		ToolCallID: call.ID,
		Metadata:   map[string]any{"tool": call.Name, "bytes": len(result)},
	})
}

func okRememberCall(ctx context.Context, memory Memory, call Call) error {
	return memory.AddMessage(ctx, StoredMessage{Role: "assistant", Metadata: map[string]any{"call": call.Name}})
}
