// Package mcpkit talks to MCP servers for the tools next door.
package mcpkit

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Result is what a server's tool returned.
type Result struct {
	Type      string
	Content   string
	Data      []byte
	MediaType string
}

// RunTool calls a tool and joins the text of its answer.
func RunTool(ctx context.Context, session *mcp.ClientSession, name string, args map[string]any) (Result, error) {
	res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		return Result{}, err
	}
	var (
		texts     []string
		data      []byte
		mediaType string
	)
	for _, c := range res.Content {
		switch content := c.(type) {
		case *mcp.TextContent:
			texts = append(texts, content.Text)
		case *mcp.ImageContent:
			if data == nil {
				data, mediaType = content.Data, content.MIMEType
			}
		}
	}
	if data != nil {
		return Result{Type: "image", Content: strings.Join(texts, "\n"), Data: data, MediaType: mediaType}, nil
	}
	return Result{Type: "text", Content: strings.Join(texts, "\n")}, nil
}

// ReadResource returns what a resource holds.
func ReadResource(ctx context.Context, session *mcp.ClientSession, uri string) ([]*mcp.ResourceContents, error) {
	res, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		return nil, err
	}
	return res.Contents, nil
}
