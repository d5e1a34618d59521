package owntypes

import "context"

// Entry is marked by ToolCallID beside Content.
type Entry struct {
	Author     string
	Content    string
	ToolCallID string
}

func entryLiteral(ctx context.Context, tool Tool, call Call, log []Entry) []Entry {
	out, err := tool.Call(ctx, call.Input)
	if err != nil {
		out = "the tool failed"
	}
	return append(log, Entry{
		Author:     tool.Name(),
		Content:    out, // want "BC1001.*tool"
		ToolCallID: call.ID,
	})
}

func entryAssigned(ctx context.Context, tool Tool, call Call) Entry {
	var e Entry
	e.ToolCallID = call.ID
	out, err := tool.Call(ctx, call.Input)
	if err != nil {
		e.Content = "the tool failed"
		return e
	}
	e.Content = out // want "BC1001.*tool"
	return e
}

func entryPointer(ctx context.Context, tool Tool, call Call) *Entry {
	e := &Entry{ToolCallID: call.ID, Content: "pending"}
	if out, err := tool.Call(ctx, call.Input); err == nil {
		e.Content = out // want "BC1001.*tool"
	}
	return e
}

// timing has the identifier, but nothing that could hold output.
type timing struct {
	ToolCallID string
	Millis     int64
	Bytes      int
}

func okTiming(ctx context.Context, tool Tool, call Call) timing {
	out, _ := tool.Call(ctx, call.Input)
	return timing{ToolCallID: call.ID, Bytes: len(out)}
}
