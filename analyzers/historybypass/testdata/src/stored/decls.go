// Package stored holds flows that are not a chain of calls: the output waits in a field, a slice, a map or a channel, and
// often another goroutine put it there.
package stored

import "context"

// Tool is the dispatcher's view of a tool.
type Tool interface {
	Name() string
	Execute(ctx context.Context, args string) (string, error)
}

// Call is what the model asked for.
type Call struct {
	ID, Name, Args string
}

// Message is an entry of the history.
type Message struct {
	Role       string
	Content    string
	ToolCallID string
}
