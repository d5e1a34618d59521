// Package tools is a stub: only names and signatures of the framework matter to the analysis.
package tools

import "context"

type Tool interface {
	Name() string
	Description() string
	Handle(ctx context.Context, input string) (string, error)
}
