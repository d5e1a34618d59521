package registered

import (
	"context"
	"encoding/json"
)

// FieldTool holds its code in one of the usual fields.
type FieldTool struct {
	Name        string
	Description string
	Schema      json.RawMessage
	Handler     func(ctx context.Context, args map[string]any) (string, error)
	Validate    func(args map[string]any) (string, error)
}

// RunTool holds it in another, with another shape.
type RunTool struct {
	Name string
	Run  func(ctx context.Context, input json.RawMessage) RunOut
}

// RunOut is what a RunTool returns.
type RunOut struct {
	Text  string
	Error error
}

// BuiltinTool takes more than it needs.
type BuiltinTool struct {
	BuiltinFunc func(ctx context.Context, env []string, input string, progress chan<- string) (string, error)
}

type reader struct{ root string }

func (r *reader) handle(ctx context.Context, args map[string]any) (string, error) {
	path, _ := args["path"].(string)
	return slurp(r.root + path) // want "BC1002.*file"
}

func (r *reader) run(ctx context.Context, input json.RawMessage) RunOut {
	text, err := slurp(r.root + string(input))
	if err != nil {
		return RunOut{Error: err}
	}
	return RunOut{Text: text} // want "BC1002.*file"
}

// okCheck sits in a field that is no tool: its result goes to the agent, not to the model.
func (r *reader) okCheck(args map[string]any) (string, error) {
	path, _ := args["path"].(string)
	if path == "" {
		return "path is missing", nil
	}
	return "", nil
}

func (r *reader) tools() (FieldTool, RunTool) {
	field := FieldTool{Name: "read", Handler: r.handle, Validate: r.okCheck}
	return field, RunTool{Name: "run", Run: r.run}
}

func sysRead(ctx context.Context, env []string, input string, progress chan<- string) (string, error) {
	text, err := slurp(input)
	if err != nil {
		return "the file cannot be read", nil
	}
	return text, nil // want "BC1002.*file"
}

func okSysTime(ctx context.Context, env []string, input string, progress chan<- string) (string, error) {
	return "noon", nil
}

var builtins = map[string]BuiltinTool{
	"sys.read": {BuiltinFunc: sysRead},
	"sys.time": {BuiltinFunc: okSysTime},
}
