package appends

import "context"

func fill(ctx context.Context, tool Tool, calls []Call) []Message {
	results := make([]Message, len(calls))
	for i, call := range calls {
		results[i].Role = "tool"
		results[i].ToolCallID = call.ID
		out, err := tool.Call(ctx, call.Input)
		if err != nil {
			results[i].Content = "the tool failed"
			continue
		}
		results[i].Content = out // want "BC1001.*tool"
	}
	return results
}

// A send-time cap overwrites an entry with a constant.
func okOverwriteLast(messages []Message, budget int) {
	last := len(messages) - 1
	if messages[last].Role == "tool" && len(messages[last].Content) > budget {
		messages[last].Content = "The result was too long and has been left out."
	}
}
