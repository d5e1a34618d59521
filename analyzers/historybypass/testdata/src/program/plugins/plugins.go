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

// OpenTool is a tool that must be opened.
type OpenTool interface {
	Run(ctx context.Context, input string) (string, error)
}

// Open gives a tool that can be opened.
func Open(name string) (OpenTool, error) { return found[name].(OpenTool), nil }

// DefaultTool is a tool that somebody sets.
type DefaultTool interface {
	Call(ctx context.Context, input string) (string, error)
}

// Default is set by who has a tool.
var Default DefaultTool

// EachTool is a tool that is shown to a function.
type EachTool interface {
	Execute(ctx context.Context, input string) (string, error)
}

// Each shows all tools that can be shown.
func Each(show func(EachTool)) {
	for _, tool := range found {
		if tool, ok := tool.(EachTool); ok {
			show(tool)
		}
	}
}
