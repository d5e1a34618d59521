package owntypes

import "context"

// ToolResult is marked by its name alone.
type ToolResult struct {
	Name   string
	Output string
}

// FunctionCallResult is another name of the same thing.
type FunctionCallResult struct {
	ID     string
	Result map[string]any
}

// ToolEvent tells the screen what happened; it is no message.
type ToolEvent struct {
	ID     string
	Name   string
	Result string
}

func namedResult(ctx context.Context, tool Tool, call Call) ToolResult {
	out, err := tool.Call(ctx, call.Input)
	if err != nil {
		return ToolResult{Name: tool.Name(), Output: "the tool failed"}
	}
	return ToolResult{Name: tool.Name(), Output: out} // want "BC100[12].*tool"
}

func namedFunctionResult(ctx context.Context, tool Tool, call Call, parts []any) []any {
	out, err := tool.Call(ctx, call.Input)
	if err != nil {
		return parts
	}
	return append(parts, FunctionCallResult{
		ID:     call.ID,
		Result: map[string]any{"result": out}, // want "BC1001.*tool"
	})
}

func okScreenEvent(ctx context.Context, tool Tool, call Call, events chan<- ToolEvent) {
	out, err := tool.Call(ctx, call.Input)
	if err != nil {
		return
	}
	events <- ToolEvent{ID: call.ID, Name: tool.Name(), Result: out}
}
