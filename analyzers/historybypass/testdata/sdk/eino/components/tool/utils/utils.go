// Package utils is a stub of the tool constructors.
package utils

import (
	"context"

	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/schema"
)

type InvokeFunc[T, D any] func(ctx context.Context, input T) (output D, err error)

type StreamFunc[T, D any] func(ctx context.Context, input T) (output *schema.StreamReader[D], err error)

func InferTool[T, D any](toolName, toolDesc string, i InvokeFunc[T, D]) (tool.InvokableTool, error) {
	return nil, nil
}

func NewTool[T, D any](desc *schema.ToolInfo, i InvokeFunc[T, D]) tool.InvokableTool { return nil }

func InferStreamTool[T, D any](toolName, toolDesc string, s StreamFunc[T, D]) (tool.StreamableTool, error) {
	return nil, nil
}
