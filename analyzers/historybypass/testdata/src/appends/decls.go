// Package appends holds the ways in which a result joins a history: by a helper, by spreading a slice, by index.
package appends

import "context"

// Tool is the dispatcher's view of a tool.
type Tool interface {
	Call(ctx context.Context, input string) (string, error)
}

// Call is what the model asked for.
type Call struct {
	ID, Name, Input string
}

// Message is an entry of the history.
type Message struct {
	Role       string
	Content    string
	ToolCallID string
}
