package toolreturn

import (
	"context"
	"encoding/json"
	"fmt"
)

// workspace hides where the files are.
type workspace interface {
	ReadFile(ctx context.Context, path string) (string, error)
	Exists(ctx context.Context, path string) (bool, error)
}

func workspaceTools(fs workspace) []ToolDefinition {
	return []ToolDefinition{
		{Name: "read", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			args, err := decode[pathArgs](input)
			if err != nil {
				return "", err
			}
			content, err := fs.ReadFile(ctx, args.Path)
			if err != nil {
				return "", err
			}
			return content, nil // want "BC1002.*(file|tool)"
		}},
		{Name: "exists", Function: okExists(fs)},
	}
}

func okExists(fs workspace) func(context.Context, json.RawMessage) (string, error) {
	return func(ctx context.Context, input json.RawMessage) (string, error) {
		args, err := decode[pathArgs](input)
		if err != nil {
			return "", err
		}
		exists, err := fs.Exists(ctx, args.Path)
		return fmt.Sprintf("%s exists: %t", args.Path, exists), err
	}
}
