// Package functiontool is a stub of the tool constructor.
package functiontool

import "google.golang.org/adk/tool"

type Config struct {
	Name        string
	Description string
}

type Func[TArgs, TResults any] func(tool.Context, TArgs) (TResults, error)

func New[TArgs, TResults any](cfg Config, handler Func[TArgs, TResults]) (tool.Tool, error) {
	return nil, nil
}
