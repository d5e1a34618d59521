package xpkg

import (
	"context"

	"charm.land/fantasy"

	"example.com/agent/xpkg/limits"
	"example.com/agent/xpkg/mcpkit"
)

// remoteTool is a tool of an MCP server.
type remoteTool struct {
	server Server
	name   string
}

func (t *remoteTool) Info() fantasy.ToolInfo { return fantasy.ToolInfo{Name: t.name} }

func (t *remoteTool) Run(ctx context.Context, params fantasy.ToolCall) (fantasy.ToolResponse, error) {
	result, err := mcpkit.RunTool(ctx, t.server.Session, t.name, nil)
	if err != nil {
		return fantasy.NewTextErrorResponse("the server failed"), nil
	}
	switch result.Type {
	case "image":
		var response fantasy.ToolResponse
		response.MediaType = result.MediaType
		response.Content = result.Content // want "BC1002.*mcp"
		return response, nil
	default:
		return fantasy.NewTextResponse(result.Content), nil // want "BC1002.*mcp"
	}
}

// okRemoteTool is the same behind a bound.
type okRemoteTool struct {
	server Server
	name   string
}

func (t *okRemoteTool) Info() fantasy.ToolInfo { return fantasy.ToolInfo{Name: t.name} }

func (t *okRemoteTool) Run(ctx context.Context, params fantasy.ToolCall) (fantasy.ToolResponse, error) {
	result, err := mcpkit.RunTool(ctx, t.server.Session, t.name, nil)
	if err != nil {
		return fantasy.NewTextErrorResponse("the server failed"), nil
	}
	return fantasy.NewTextResponse(limits.Output(result.Content)), nil
}
