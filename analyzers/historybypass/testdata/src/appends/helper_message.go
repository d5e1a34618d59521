package appends

import "context"

// toolMessage only builds the message; its callers decide what is in it.
func toolMessage(id, content string) Message {
	return Message{Role: "tool", Content: content, ToolCallID: id}
}

func collect(ctx context.Context, tool Tool, calls []Call, history []Message) []Message {
	for _, call := range calls {
		out, err := tool.Call(ctx, call.Input)
		if err != nil {
			history = append(history, toolMessage(call.ID, "the tool failed"))
			continue
		}
		history = append(history, toolMessage(call.ID, out)) // want "BC1001.*tool"
	}
	return history
}

func okSkipped(calls []Call, history []Message) []Message {
	for _, call := range calls {
		history = append(history, toolMessage(call.ID, "skipped "+call.Name))
	}
	return history
}
