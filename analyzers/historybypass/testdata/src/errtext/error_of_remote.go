package errtext

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

func remoteTools(c client.MCPClient) []ToolDefinition {
	return []ToolDefinition{
		{Name: "remote", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			result, err := c.CallTool(ctx, mcp.CallToolRequest{})
			if err != nil {
				return "", err
			}
			var sb strings.Builder
			for _, content := range result.Content {
				if text, ok := content.(mcp.TextContent); ok {
					sb.WriteString(text.Text)
				}
			}
			if result.IsError {
				return "", errors.New(sb.String()) // want "BC1004.*mcp"
			}
			return "the remote tool succeeded", nil
		}},
		{Name: "checked", Function: okRemote(c)},
	}
}

func okRemote(c client.MCPClient) func(context.Context, json.RawMessage) (string, error) {
	return func(ctx context.Context, input json.RawMessage) (string, error) {
		result, err := c.CallTool(ctx, mcp.CallToolRequest{})
		if err != nil {
			return "", fmt.Errorf("the server cannot be called: %w", err)
		}
		if result.IsError {
			return "", errors.New("the remote tool failed")
		}
		return "the remote tool succeeded", nil
	}
}
