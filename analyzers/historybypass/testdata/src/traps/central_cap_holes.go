package traps

import (
	"context"

	"github.com/openai/openai-go/v3"
)

// tool is what the dispatcher calls.
type tool interface {
	Name() string
	Execute(ctx context.Context, args string) (string, error)
}

type dispatcher struct {
	tools    map[string]tool
	maxBytes map[string]int
}

// enforce caps only the tools that somebody has listed.
func (d *dispatcher) enforce(name, out string) string {
	limit, ok := d.maxBytes[name]
	if !ok || len(out) <= limit {
		return out
	}
	return out[:limit]
}

func (d *dispatcher) perTool(ctx context.Context, name, args, id string) message {
	out, err := d.tools[name].Execute(ctx, args)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	return openai.ToolMessage(d.enforce(name, out), id) // want "BC1001.*tool"
}

// enforceAll caps whatever comes.
func (d *dispatcher) enforceAll(name, out string) string {
	limit, ok := d.maxBytes[name]
	if !ok {
		limit = maxOutput
	}
	if len(out) > limit {
		return out[:limit]
	}
	return out
}

func (d *dispatcher) okAllTools(ctx context.Context, name, args, id string) message {
	out, err := d.tools[name].Execute(ctx, args)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	return openai.ToolMessage(d.enforceAll(name, out), id)
}
