package mcpserver

import (
	"context"
	"os"
	"os/exec"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func newServer() *server.MCPServer {
	s := server.NewMCPServer("files", "1.0")
	s.AddTool(mcp.NewTool("read"), readHandler)
	s.AddTool(mcp.NewTool("run"), func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		out, err := exec.CommandContext(ctx, "sh", "-c", request.GetString("command", "")).CombinedOutput()
		if err != nil {
			return mcp.NewToolResultError("the command failed"), nil
		}
		return mcp.NewToolResultText(string(out)), nil // want "BC1003.*process"
	})
	s.AddTools(server.ServerTool{Tool: mcp.NewTool("size"), Handler: okSizeHandler})
	return s
}

func readHandler(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	data, err := os.ReadFile(request.GetString("path", ""))
	if err != nil {
		return mcp.NewToolResultErrorFromErr("the file cannot be read", err), nil
	}
	return mcp.NewToolResultText(string(data)), nil // want "BC1003.*file"
}

func okSizeHandler(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	info, err := os.Stat(request.GetString("path", ""))
	if err != nil {
		return mcp.NewToolResultErrorf("there is no such file: %v", err), nil
	}
	return mcp.NewToolResultText(info.Name() + " " + info.Mode().String()), nil
}
