package mcpserver

import (
	"context"
	"os"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Listing is the structured result of the list tool.
type Listing struct {
	Files []string `json:"files"`
	Count int      `json:"count"`
}

func addTyped(s *server.MCPServer) {
	s.AddTool(mcp.NewTool("typed"), mcp.NewTypedToolHandler(typedRead))
	s.AddTool(mcp.NewTool("list"), mcp.NewStructuredToolHandler(structuredList))
	s.AddTool(mcp.NewTool("count"), mcp.NewStructuredToolHandler(okStructuredCount))
}

func typedRead(ctx context.Context, request mcp.CallToolRequest, args PathArgs) (*mcp.CallToolResult, error) {
	data, err := os.ReadFile(args.Path)
	if err != nil {
		return nil, err
	}
	return mcp.NewToolResultText(strings.ToUpper(string(data))), nil // want "BC1003.*file"
}

func names(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		files = append(files, e.Name())
	}
	return files, nil
}

func structuredList(ctx context.Context, request mcp.CallToolRequest, args PathArgs) (Listing, error) {
	files, err := names(args.Path)
	if err != nil {
		return Listing{}, err
	}
	return Listing{Files: files, Count: len(files)}, nil // want "BC1003.*file"
}

func okStructuredCount(ctx context.Context, request mcp.CallToolRequest, args PathArgs) (Listing, error) {
	files, err := names(args.Path)
	return Listing{Count: len(files)}, err
}
