package toolreturn

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
)

var encodingTools = []ToolDefinition{
	{Name: "encoded", Function: encoded},
	{Name: "fallback", Function: okNeverEncoded},
}

// What is returned when it was encoded is output.
func encoded(ctx context.Context, input json.RawMessage) (string, error) {
	data, err := os.ReadFile("notes.txt")
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]string{"text": string(data)})
	if err != nil {
		return "", err
	}
	return string(text), nil // want "BC1002.*file"
}

// A text can always be encoded; what would be returned otherwise is never seen.
func okNeverEncoded(ctx context.Context, input json.RawMessage) (string, error) {
	data, err := os.ReadFile("notes.txt")
	if err != nil {
		return "", err
	}
	value := map[string]string{"text": string(data)}
	if _, err := json.Marshal(value); err != nil {
		return fmt.Sprintf("%v", value), nil
	}
	return "read", nil
}
