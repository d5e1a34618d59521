// Package errtext holds errors that carry output: the agent turns an error of a tool into text for the model, so what is in
// the error is in the history.
package errtext

import (
	"context"
	"encoding/json"
)

// ToolDefinition is a tool with its code in a field.
type ToolDefinition struct {
	Name     string
	Function func(ctx context.Context, input json.RawMessage) (string, error)
}
