// Package function is a stub of the tool constructor.
package function

import (
	"context"

	"trpc.group/trpc-go/trpc-agent-go/tool"
)

type Option func()

func NewFunctionTool[I, O any](fn func(context.Context, I) (O, error), opts ...Option) tool.CallableTool {
	return nil
}
