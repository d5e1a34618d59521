package mcpserver

import (
	"context"
	"os/exec"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// NewTextResult is exported: what it is given is not known here.
func NewTextResult(content string, err error) *mcp.CallToolResult {
	if err != nil {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "the tool failed"}}}
	}
	return &mcp.CallToolResult{
		Content: []mcp.Content{&mcp.TextContent{Text: content}}, // want "BC1003"
	}
}

func textResult(content string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: content}}}
}

func helperHandler(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	out, err := exec.CommandContext(ctx, "df", "-h").Output()
	if err != nil {
		return textResult("df cannot be run"), nil
	}
	return textResult(string(out)), nil // want "BC1003.*process"
}

func okHelperHandler(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if err := exec.CommandContext(ctx, "sync").Run(); err != nil {
		return nil, err
	}
	return textResult("synced"), nil
}
