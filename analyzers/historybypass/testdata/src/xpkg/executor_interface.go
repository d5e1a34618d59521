package xpkg

import (
	"context"

	"example.com/agent/xpkg/limits"
	"example.com/agent/xpkg/shell"
	"example.com/agent/xpkg/tool"
)

// customTool hands its command to whatever executor it was given.
type customTool struct {
	executor shell.Executor
}

func (t *customTool) run(ctx context.Context, args map[string]any) (string, error) {
	command, _ := args["command"].(string)
	result, err := t.executor.Execute(ctx, command, nil, "")
	if err != nil {
		return "", err
	}
	return result.Stdout, nil // want "BC1002.*(process|remote|tool)"
}

func (t *customTool) okHead(ctx context.Context, args map[string]any) (string, error) {
	command, _ := args["command"].(string)
	result, err := t.executor.Execute(ctx, command, nil, "")
	if err != nil {
		return "", err
	}
	head, _ := limits.Head(result.Stdout, 2000)
	return head, nil
}

func (t *customTool) definitions() []tool.Definition {
	return []tool.Definition{
		{Name: "custom", Function: t.run},
		{Name: "custom_head", Function: t.okHead},
	}
}
