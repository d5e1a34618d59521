package registered

import "context"

// ToolFunc is the code of a tool.
type ToolFunc func(ctx context.Context, args map[string]string) (string, error)

// Registry maps names to tools.
type Registry struct {
	tools map[string]ToolFunc
}

// RegisterTool adds a tool.
func (r *Registry) RegisterTool(name string, fn ToolFunc) { r.tools[name] = fn }

// OnStart adds a hook; a hook is no tool.
func (r *Registry) OnStart(hook func() (string, error)) {}

func registryRead(ctx context.Context, args map[string]string) (string, error) {
	return slurp(args["path"]) // want "BC1002.*file"
}

func okRegistryEcho(ctx context.Context, args map[string]string) (string, error) {
	return "you said " + args["text"], nil
}

func okStartHook() (string, error) { return slurp("banner.txt") }

func fillRegistry(r *Registry) {
	r.RegisterTool("read", registryRead)
	r.RegisterTool("echo", okRegistryEcho)
	r.RegisterTool("inline", func(ctx context.Context, args map[string]string) (string, error) {
		text, err := slurp(args["path"])
		if err != nil {
			return "", err
		}
		return text, nil // want "BC1002.*file"
	})
	r.OnStart(okStartHook)
}

// toolTable is the plainest registry of all.
var toolTable = map[string]ToolFunc{
	"table_read": tableRead,
	"table_echo": okRegistryEcho,
}

func tableRead(ctx context.Context, args map[string]string) (string, error) {
	text, err := slurp(args["path"])
	if err != nil {
		return "", err
	}
	return text, nil // want "BC1002.*file"
}
