package xpkg

import (
	"context"
	"fmt"
	"strings"

	"charm.land/fantasy"

	"example.com/agent/xpkg/mcpkit"
)

// ReadParams are the arguments of the resource tool.
type ReadParams struct {
	URI string
}

func newResourceTool(server Server) fantasy.AgentTool {
	return fantasy.NewParallelAgentTool("read_resource", "", func(ctx context.Context, params ReadParams, call fantasy.ToolCall) (fantasy.ToolResponse, error) {
		contents, err := mcpkit.ReadResource(ctx, server.Session, params.URI)
		if err != nil {
			return fantasy.NewTextErrorResponse("the resource cannot be read"), nil
		}
		var texts []string
		for _, content := range contents {
			switch {
			case content == nil:
			case content.Text != "":
				texts = append(texts, content.Text)
			case len(content.Blob) > 0:
				texts = append(texts, string(content.Blob))
			}
		}
		if len(texts) == 0 {
			return fantasy.NewTextResponse(""), nil
		}
		return fantasy.NewTextResponse(strings.Join(texts, "\n")), nil // want "BC1002.*mcp"
	})
}

func okCountResources(server Server) fantasy.AgentTool {
	return fantasy.NewAgentTool("count_resources", "", func(ctx context.Context, params ReadParams, call fantasy.ToolCall) (fantasy.ToolResponse, error) {
		contents, err := mcpkit.ReadResource(ctx, server.Session, params.URI)
		if err != nil {
			return fantasy.NewTextErrorResponse("the resource cannot be read"), nil
		}
		return fantasy.NewTextResponse(fmt.Sprintf("%d contents", len(contents))), nil
	})
}
