// Package tool is a stub: only names and signatures of the framework matter to the analysis.
package tool

import "context"

type Context interface {
	context.Context
	FunctionCallID() string
}

type Tool interface {
	Name() string
	Description() string
}
