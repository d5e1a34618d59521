package appends

import (
	"context"
	"encoding/json"
	"os"
)

// success builds the message of a tool from pairs of a name and a value.
func success(id string, pairs ...any) document {
	data := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if name, ok := pairs[i].(string); ok {
			data[name] = pairs[i+1]
		}
	}
	content, err := json.Marshal(map[string]any{"status": "SUCCESS", "data": data})
	if err != nil {
		return document{"role": "tool", "tool_call_id": id, "content": `{"status": "FAILED"}`}
	}
	return document{"role": "tool", "tool_call_id": id, "content": string(content)}
}

type readDocument struct{}

func (readDocument) Call(ctx context.Context, call Call) document {
	content, err := os.ReadFile(call.Input)
	if err != nil {
		return success(call.ID, "error", "the file cannot be read")
	}
	return success(call.ID, "file_contents", string(content)) // want "BC100[12].*file"
}

type okWeather struct{}

func (okWeather) Call(ctx context.Context, call Call) document {
	return success(call.ID, "location", call.Input, "temperature", "82", "condition", "sunny")
}

var documentTools = map[string]DocumentTool{"read": readDocument{}, "weather": okWeather{}}
