// Package plugins finds tools for the program next door.
package plugins

import "context"

// Tool is a tool from anywhere.
type Tool interface {
	Invoke(ctx context.Context, input string) (string, error)
}

var found = map[string]Tool{}

// Register is for who has a tool.
func Register(name string, tool Tool) { found[name] = tool }

// Named gives a tool by its name.
func Named(name string) Tool { return found[name] }
