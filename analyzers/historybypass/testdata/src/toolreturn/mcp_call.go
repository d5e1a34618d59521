package toolreturn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	gosdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func mcpTools(c client.MCPClient, session *gosdk.ClientSession) []ToolDefinition {
	return []ToolDefinition{
		{Name: "remote", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			var args map[string]any
			if err := json.Unmarshal(input, &args); err != nil {
				return "", err
			}
			result, err := c.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: "remote", Arguments: args}})
			if err != nil {
				return "", err
			}
			var sb strings.Builder
			for _, content := range result.Content {
				switch content := content.(type) {
				case mcp.TextContent:
					sb.WriteString(content.Text)
				default:
					sb.WriteString("[not text]")
				}
			}
			if result.IsError {
				return "", errors.New("the remote tool failed")
			}
			return sb.String(), nil // want "BC1002.*mcp"
		}},
		{Name: "structured", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			result, err := session.CallTool(ctx, &gosdk.CallToolParams{Name: "structured", Arguments: input})
			if err != nil {
				return "", err
			}
			data, err := json.Marshal(result.StructuredContent)
			if err != nil {
				return "", err
			}
			return string(data), nil // want "BC1002.*mcp"
		}},
		{Name: "first", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			result, err := session.CallTool(ctx, &gosdk.CallToolParams{Name: "first", Arguments: input})
			if err != nil {
				return "", err
			}
			data := result.Content[0].(*gosdk.TextContent).Text
			var info struct {
				Contents string `json:"contents"`
			}
			if err := json.Unmarshal([]byte(data), &info); err != nil {
				return "", err
			}
			return info.Contents, nil // want "BC1002.*mcp"
		}},
		{Name: "last", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			result, err := c.CallTool(ctx, mcp.CallToolRequest{})
			if err != nil {
				return "", err
			}
			output := ""
			for _, v := range result.Content {
				if v, ok := v.(mcp.TextContent); ok {
					output = v.Text
				} else {
					output = fmt.Sprintf("%v", v)
				}
			}
			return output, nil // want "BC1002.*mcp"
		}},
		{Name: "resource", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			result, err := c.ReadResource(ctx, mcp.ReadResourceRequest{})
			if err != nil {
				return "", err
			}
			var texts []string
			for _, content := range result.Contents {
				if t, ok := content.(mcp.TextResourceContents); ok {
					texts = append(texts, t.Text)
				}
			}
			return strings.Join(texts, "\n"), nil // want "BC1002.*mcp"
		}},
		{Name: "probe", Function: okProbe(c)},
	}
}

func okProbe(c client.MCPClient) func(context.Context, json.RawMessage) (string, error) {
	return func(ctx context.Context, input json.RawMessage) (string, error) {
		result, err := c.CallTool(ctx, mcp.CallToolRequest{})
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%d parts, error: %t", len(result.Content), result.IsError), nil
	}
}
