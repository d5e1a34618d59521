package registered

import "context"

// Tool is the agent's own contract.
type Tool interface {
	Name() string
	Description() string
	Execute(ctx context.Context, args map[string]any) (Result, error)
}

// Result is what a Tool returns.
type Result struct {
	Success bool
	Output  string
}

type ownReader struct{}

func (ownReader) Name() string { return "read" }

func (ownReader) Description() string { return "reads a file" }

func (ownReader) Execute(ctx context.Context, args map[string]any) (Result, error) {
	path, _ := args["path"].(string)
	text, err := slurp(path)
	if err != nil {
		return Result{Output: "the file cannot be read"}, nil
	}
	return Result{Success: true, Output: text}, nil // want "BC1002.*file"
}

type okOwnWriter struct{}

func (okOwnWriter) Name() string { return "write" }

func (okOwnWriter) Description() string { return "writes a file" }

func (okOwnWriter) Execute(ctx context.Context, args map[string]any) (Result, error) {
	path, _ := args["path"].(string)
	return Result{Success: true, Output: "written: " + path}, nil
}

func ownTools() []Tool { return []Tool{ownReader{}, okOwnWriter{}} }

// okBanner has a method Execute, too, and is no tool.
type okBanner struct{}

func (okBanner) Execute() (string, error) { return slurp("banner.txt") }
