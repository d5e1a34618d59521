// Package owntypes holds history entries in message types of the agent's own, which only their structure gives away.
package owntypes

import "context"

// Tool is the dispatcher's view of a tool.
type Tool interface {
	Name() string
	Call(ctx context.Context, input string) (string, error)
}

// Call is what the model asked for.
type Call struct {
	ID, Name, Input string
}
