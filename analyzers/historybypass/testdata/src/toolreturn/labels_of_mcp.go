package toolreturn

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

// article is what a server writes down.
type article struct {
	Title, ImageURL, Link, Text string
}

func readArticle(ctx context.Context, c client.MCPClient) (article, error) {
	var a article
	result, err := c.CallTool(ctx, mcp.CallToolRequest{})
	if err != nil {
		return a, err
	}
	for _, content := range result.Content {
		if text, ok := content.(mcp.TextContent); ok {
			err = json.Unmarshal([]byte(text.Text), &a)
		}
	}
	return a, err
}

// Its text is of any size.
func articleTools(c client.MCPClient) []ToolDefinition {
	return []ToolDefinition{{Name: "text", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
		a, err := readArticle(ctx, c)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s\n%s", a.Title, a.Text), nil // want "BC1002.*mcp"
	}}}
}

// Its title, and where it and its picture are, are short.
func okArticleTools(c client.MCPClient) []ToolDefinition {
	return []ToolDefinition{{Name: "title", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
		a, err := readArticle(ctx, c)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("[%s](%s) ![](%s)", a.Title, a.Link, a.ImageURL), nil
	}}}
}
