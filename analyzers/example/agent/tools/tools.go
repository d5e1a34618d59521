// Package tools holds what the model may do: list, search, read and fetch, and run a command.
package tools

import (
	"context"
	"encoding/json"
	"fmt"
)

// A Tool is something the model can call by name.
type Tool interface {
	Name() string
	Call(ctx context.Context, args json.RawMessage) (string, error)
}

// All returns the tools, working below a directory.
func All(dir string) []Tool {
	return []Tool{List{dir}, Search{dir}, ReadFile{dir}, Fetch{}, Shell{dir}}
}

// decode reads a call's arguments.
func decode[T any](args json.RawMessage) (T, error) {
	var into T
	if err := json.Unmarshal(args, &into); err != nil {
		return into, fmt.Errorf("the arguments are not what the tool takes: %w", err)
	}
	return into, nil
}
