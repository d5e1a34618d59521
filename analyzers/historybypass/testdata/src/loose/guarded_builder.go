package loose

import (
	"context"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/openai/openai-go/v3"
)

func looseBuilder(ctx context.Context, c client.MCPClient, id string) (message, error) {
	result, err := c.CallTool(ctx, mcp.CallToolRequest{})
	if err != nil {
		return message{}, err
	}
	var text strings.Builder
	for _, content := range result.Content {
		item, ok := content.(mcp.TextContent)
		if !ok {
			continue
		}
		if text.Len()+len(item.Text) > megabyte {
			return openai.ToolMessage(fmt.Sprintf("the output is longer than %d bytes", megabyte), id), nil
		}
		text.WriteString(item.Text)
	}
	return openai.ToolMessage(text.String(), id), nil // want "BC1001.*loose"
}

func okTightBuilder(ctx context.Context, c client.MCPClient, id string) (message, error) {
	result, err := c.CallTool(ctx, mcp.CallToolRequest{})
	if err != nil {
		return message{}, err
	}
	var text strings.Builder
	for _, content := range result.Content {
		item, ok := content.(mcp.TextContent)
		if !ok {
			continue
		}
		if text.Len()+len(item.Text) > 64<<10 {
			break
		}
		text.WriteString(item.Text)
	}
	return openai.ToolMessage(text.String(), id), nil
}
