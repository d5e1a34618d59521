package mcpserver

import (
	"context"
	"encoding/json"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// FileOutput is the Out value of a typed handler.
type FileOutput struct {
	Contents string `json:"contents"`
}

func addHandlers(s *mcp.Server) {
	mcp.AddTool(s, &mcp.Tool{Name: "literal"}, gosdkLiteral)
	mcp.AddTool(s, &mcp.Tool{Name: "out"}, gosdkOut)
	mcp.AddTool(s, &mcp.Tool{Name: "ok"}, okGosdkExists)
	s.AddTool(&mcp.Tool{Name: "raw"}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		data, err := os.ReadFile(string(req.Params.Arguments))
		if err != nil {
			return nil, err
		}
		return &mcp.CallToolResult{
			StructuredContent: map[string]string{"text": string(data)}, // want "BC1003.*file"
		}, nil
	})
}

func gosdkLiteral(ctx context.Context, req *mcp.CallToolRequest, args PathArgs) (*mcp.CallToolResult, any, error) {
	content, err := os.ReadFile(args.Path)
	if err != nil {
		return nil, nil, err
	}
	info := struct {
		Contents string `json:"contents"`
	}{Contents: string(content)}
	data, err := json.Marshal(info)
	if err != nil {
		return nil, nil, err
	}
	return &mcp.CallToolResult{
		Content: []mcp.Content{&mcp.TextContent{Text: string(data)}}, // want "BC1003.*file"
	}, nil, nil
}

func gosdkOut(ctx context.Context, req *mcp.CallToolRequest, args PathArgs) (*mcp.CallToolResult, FileOutput, error) {
	content, err := os.ReadFile(args.Path)
	if err != nil {
		return nil, FileOutput{}, err
	}
	return nil, FileOutput{Contents: string(content)}, nil // want "BC1003.*file"
}

func okGosdkExists(ctx context.Context, req *mcp.CallToolRequest, args PathArgs) (*mcp.CallToolResult, any, error) {
	text := "yes"
	if _, err := os.Stat(args.Path); err != nil {
		text = "no"
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
}
