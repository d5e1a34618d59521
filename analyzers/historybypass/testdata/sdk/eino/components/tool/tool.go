// Package tool is a stub of the tool contracts.
package tool

import (
	"context"

	"github.com/cloudwego/eino/schema"
)

type Option struct{}

type BaseTool interface {
	Info(ctx context.Context) (*schema.ToolInfo, error)
}

type InvokableTool interface {
	BaseTool
	InvokableRun(ctx context.Context, argumentsInJSON string, opts ...Option) (string, error)
}

type StreamableTool interface {
	BaseTool
	StreamableRun(ctx context.Context, argumentsInJSON string, opts ...Option) (*schema.StreamReader[string], error)
}
