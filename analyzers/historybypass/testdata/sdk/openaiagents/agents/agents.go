// Package agents is a stub: only names and signatures of the framework matter to the analysis.
package agents

import "context"

type FunctionTool struct {
	Name         string
	Description  string
	OnInvokeTool func(ctx context.Context, arguments string) (any, error)
}
