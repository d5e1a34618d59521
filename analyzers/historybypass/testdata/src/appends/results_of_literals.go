package appends

import "context"

// The literal is where the output enters; the append that spreads the slice later says nothing new.
func runAll(ctx context.Context, tools map[string]Tool, calls []Call) []Message {
	results := make([]Message, 0, len(calls))
	for _, call := range calls {
		out, err := tools[call.Name].Call(ctx, call.Input)
		if err != nil {
			out = "the tool failed"
		}
		results = append(results, Message{
			Role:       "tool",
			ToolCallID: call.ID,
			Content:    out, // want "BC1001.*tool"
		})
	}
	return results
}

func okSpreadLater(ctx context.Context, tools map[string]Tool, calls []Call, history []Message) []Message {
	return append(history, runAll(ctx, tools, calls)...)
}
