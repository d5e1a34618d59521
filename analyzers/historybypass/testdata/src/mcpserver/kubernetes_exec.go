package mcpserver

import (
	"bytes"
	"context"

	"k8s.io/client-go/tools/remotecommand"

	"github.com/mark3labs/mcp-go/mcp"
)

// run attaches two buffers to a command in a container.
func run(ctx context.Context, executor remotecommand.Executor) (string, string, error) {
	var stdout, stderr bytes.Buffer
	err := executor.StreamWithContext(ctx, remotecommand.StreamOptions{Stdout: &stdout, Stderr: &stderr})
	return stdout.String(), stderr.String(), err
}

func podExec(executor remotecommand.Executor) func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		stdout, stderr, err := run(ctx, executor)
		if err != nil {
			return mcp.NewToolResultErrorf("the command cannot be run: %v", err), nil
		}
		text := stdout
		if text == "" && stderr != "" {
			text = stderr
		}
		if text == "" {
			text = "the command printed nothing"
		}
		return mcp.NewToolResultText(text), nil // want "BC1003.*(kubernetes|process)"
	}
}

func okPodExec(executor remotecommand.Executor) func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		stdout, _, err := run(ctx, executor)
		if err != nil {
			return mcp.NewToolResultErrorf("the command cannot be run: %v", err), nil
		}
		if len(stdout) > 10_000 {
			stdout = stdout[:10_000]
		}
		return mcp.NewToolResultText(stdout), nil
	}
}
