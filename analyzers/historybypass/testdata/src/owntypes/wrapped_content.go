package owntypes

import "context"

// PointerMessage holds its content by pointer.
type PointerMessage struct {
	Role       string
	Content    *string
	ToolCallID string
}

// PartsMessage holds its content in parts.
type PartsMessage struct {
	Role     string
	Content  []Part
	ToolCall *Call
}

// Part is one part of a message.
type Part struct {
	Text string
}

func stringPtr(s string) *string { return &s }

func textParts(s string) []Part { return []Part{{Text: s}} }

func pointerContent(ctx context.Context, tool Tool, call Call) PointerMessage {
	out, err := tool.Call(ctx, call.Input)
	if err != nil {
		out = "the tool failed"
	}
	return PointerMessage{
		Role:       "tool",
		Content:    stringPtr(out), // want "BC1001.*tool"
		ToolCallID: call.ID,
	}
}

func partsContent(ctx context.Context, tool Tool, call Call) PartsMessage {
	out, err := tool.Call(ctx, call.Input)
	if err != nil {
		out = "the tool failed"
	}
	return PartsMessage{
		Role:     "tool",
		Content:  textParts(out), // want "BC1001.*tool"
		ToolCall: &call,
	}
}

func okPointerName(call Call) PointerMessage {
	return PointerMessage{Role: "tool", Content: stringPtr("unknown tool " + call.Name), ToolCallID: call.ID}
}
