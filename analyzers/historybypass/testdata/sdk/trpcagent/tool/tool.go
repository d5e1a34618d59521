// Package tool is a stub of the tool contracts.
package tool

import "context"

type Declaration struct {
	Name string
}

type CallableTool interface {
	Declaration() *Declaration
	Call(ctx context.Context, jsonArgs []byte) (any, error)
}
