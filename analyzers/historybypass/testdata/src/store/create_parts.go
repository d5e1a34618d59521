package store

import "context"

// The slice of results is filled first and turned into parts at the end.
func storeResults(ctx context.Context, messages Service, tools map[string]BaseTool, session string, calls []Call) error {
	results := make([]ToolResult, len(calls))
	for i, call := range calls {
		tool, ok := tools[call.Name]
		if !ok {
			results[i] = ToolResult{ToolCallID: call.ID, Content: "there is no such tool", IsError: true}
			continue
		}
		response, err := tool.Run(ctx, call)
		if err != nil {
			results[i] = ToolResult{ToolCallID: call.ID, Content: "the tool failed", IsError: true}
			continue
		}
		results[i] = ToolResult{
			ToolCallID: call.ID,
			Content:    response.Content, // want "BC1001.*tool"
			IsError:    response.IsError,
		}
	}
	parts := make([]ContentPart, 0, len(results))
	for _, r := range results {
		parts = append(parts, r)
	}
	return messages.Create(ctx, session, CreateParams{Role: Tool, Parts: parts})
}

func okStoreReply(ctx context.Context, messages Service, session, reply string) error {
	return messages.Create(ctx, session, CreateParams{Role: Assistant, Parts: []ContentPart{TextContent{Text: reply}}})
}

func okStoreCancelled(ctx context.Context, messages Service, session string, call Call) error {
	return messages.Create(ctx, session, CreateParams{
		Role:  Tool,
		Parts: []ContentPart{ToolResult{ToolCallID: call.ID, Content: "cancelled by the user", IsError: true}},
	})
}
