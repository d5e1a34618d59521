// Package toolreturn holds tool functions, one source a file. They are tools because a ToolDefinition holds them.
package toolreturn

import (
	"context"
	"encoding/json"
)

// ToolDefinition is a tool with its code in a field.
type ToolDefinition struct {
	Name        string
	Description string
	Function    func(ctx context.Context, input json.RawMessage) (string, error)
}

// decode reads the arguments of a call.
func decode[T any](input json.RawMessage) (T, error) {
	var args T
	err := json.Unmarshal(input, &args)
	return args, err
}

type pathArgs struct {
	Path string `json:"path"`
}

type commandArgs struct {
	Command string `json:"command"`
}

type urlArgs struct {
	URL string `json:"url"`
}

type queryArgs struct {
	Query string `json:"query"`
}
