package xpkg

import (
	"context"
	"fmt"

	"example.com/agent/xpkg/limits"
	"example.com/agent/xpkg/shell"
	"example.com/agent/xpkg/tool"
)

var shellTool = tool.Definition{
	Name: "shell",
	Function: func(ctx context.Context, args map[string]any) (string, error) {
		stdout, stderr, code, err := shell.Exec(ctx, fmt.Sprint(args["command"]))
		if err != nil {
			return "", fmt.Errorf("the command cannot be run: %w", err)
		}
		return fmt.Sprintf("%s\n%s\nexit %d", stdout, stderr, code), nil // want "BC1002.*process"
	},
}

var cleanedShellTool = tool.Definition{
	Name: "cleaned_shell",
	Function: func(ctx context.Context, args map[string]any) (string, error) {
		stdout, _, _, err := shell.Exec(ctx, fmt.Sprint(args["command"]))
		if err != nil {
			return "", err
		}
		return limits.Clean(stdout), nil // want "BC1002.*process"
	},
}

var boundedShellTool = tool.Definition{Name: "bounded_shell", Function: okBoundedShell}

func okBoundedShell(ctx context.Context, args map[string]any) (string, error) {
	stdout, stderr, code, err := shell.Exec(ctx, fmt.Sprint(args["command"]))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s\n%s\nexit %d", limits.Output(stdout), limits.Output(stderr), code), nil
}
