// Package dyn holds history entries whose output comes, in the same function, from a call through a func value or an
// interface. Nothing but the shape of that call says that it is a tool.
package dyn

import (
	"context"
	"encoding/json"
)

// Definition is the tool of the tutorial agents: a func in a struct.
type Definition struct {
	Name     string
	Function func(input json.RawMessage) (string, error)
}

// Tool is the tool of the SDK-style agents: an interface.
type Tool interface {
	Name() string
	Execute(ctx context.Context, args string) (string, error)
}

// Call is what the model asked for.
type Call struct {
	ID, Name, Arguments string
}
