package mcpserver

import (
	"context"
	"os"

	"github.com/mark3labs/mcp-go/mcp"
)

func literalHandler(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	data, err := os.ReadFile(request.GetString("path", ""))
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{
		Content: []mcp.Content{mcp.TextContent{Type: "text", Text: string(data)}}, // want "BC1003.*file"
	}, nil
}

func textContentHandler(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	data, err := os.ReadFile(request.GetString("path", ""))
	if err != nil {
		return nil, err
	}
	result := &mcp.CallToolResult{}
	result.Content = append(result.Content, mcp.NewTextContent(string(data))) // want "BC1003.*file"
	return result, nil
}

func structuredHandler(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	data, err := os.ReadFile(request.GetString("path", ""))
	if err != nil {
		return nil, err
	}
	return mcp.NewToolResultStructured(map[string]string{"text": string(data)}, "see the structured content"), nil // want "BC1003.*file"
}

func okLiteralHandler(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	data, err := os.ReadFile(request.GetString("path", ""))
	if err != nil {
		return nil, err
	}
	const limit = 32 << 10
	if len(data) > limit {
		data = data[:limit]
	}
	return &mcp.CallToolResult{Content: []mcp.Content{mcp.TextContent{Type: "text", Text: string(data)}}}, nil
}
