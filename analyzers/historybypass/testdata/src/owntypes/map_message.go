package owntypes

import (
	"context"
	"encoding/json"
)

// D is a document of any shape.
type D map[string]any

func mapMessage(ctx context.Context, tool Tool, call Call, conversation []D) []D {
	out, err := tool.Call(ctx, call.Input)
	if err != nil {
		return append(conversation, D{"role": "tool", "tool_call_id": call.ID, "content": "the tool failed"})
	}
	return append(conversation, D{
		"role":         "tool",
		"tool_call_id": call.ID,
		"content":      out, // want "BC1001.*tool"
	})
}

func plainMapMessage(ctx context.Context, tool Tool, call Call) (map[string]any, error) {
	out, err := tool.Call(ctx, call.Input)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(map[string]any{"status": "SUCCESS", "data": out})
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"role":    "tool",
		"content": string(data), // want "BC1001.*tool"
	}, nil
}

// A map with the same key and no role is a record for the log.
func okMapRecord(ctx context.Context, tool Tool, call Call, record func(map[string]any)) {
	out, err := tool.Call(ctx, call.Input)
	record(map[string]any{"event": "tool", "content": out, "failed": err != nil})
}
