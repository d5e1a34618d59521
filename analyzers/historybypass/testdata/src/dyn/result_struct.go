package dyn

import (
	"context"

	"github.com/anthropics/anthropic-sdk-go"
)

// Output is what a StructTool returns.
type Output struct {
	Content  string
	Duration int64
	Failed   bool
}

// StructTool returns a struct of its own.
type StructTool interface {
	Info() string
	Run(ctx context.Context, call Call) (Output, error)
}

func runStructTool(ctx context.Context, tool StructTool, call Call) anthropic.ContentBlockParamUnion {
	out, err := tool.Run(ctx, call)
	if err != nil {
		return anthropic.NewToolResultBlock(call.ID, "the tool failed", true)
	}
	return anthropic.NewToolResultBlock(call.ID, out.Content, out.Failed) // want "BC1001.*tool"
}

// Only numbers of the struct are used.
func okStructToolNumbers(ctx context.Context, tool StructTool, call Call) anthropic.ContentBlockParamUnion {
	out, err := tool.Run(ctx, call)
	if err != nil || out.Duration > 1000 {
		return anthropic.NewToolResultBlock(call.ID, "too slow", true)
	}
	return anthropic.NewToolResultBlock(call.ID, "done", out.Failed)
}
