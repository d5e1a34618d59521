package appends

import "context"

// tokens is how large a message is.
func tokens(m Message) int { return len(m.Content) / 4 }

// Who measures a message and then enters it enters it.
func measuredAndEntered(ctx context.Context, tool Tool, call Call, history []Message) ([]Message, int) {
	out, err := tool.Call(ctx, call.Input)
	if err != nil {
		return history, 0
	}
	m := toolMessage(call.ID, out) // want "BC1001.*tool"
	return append(history, m), tokens(m)
}

// Who makes a message to measure it enters nothing.
func okMeasured(ctx context.Context, tool Tool, call Call) int {
	out, err := tool.Call(ctx, call.Input)
	if err != nil {
		return 0
	}
	return tokens(toolMessage(call.ID, out))
}
