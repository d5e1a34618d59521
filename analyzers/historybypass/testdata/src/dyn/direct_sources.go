package dyn

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/openai/openai-go/v3"
)

// An agent with the tool built into its loop.
func runShellInline(ctx context.Context, call Call, params *openai.ChatCompletionNewParams) error {
	out, err := exec.CommandContext(ctx, "sh", "-c", call.Arguments).CombinedOutput()
	if err != nil {
		return err
	}
	params.Messages = append(params.Messages, openai.ToolMessage(string(out), call.ID)) // want "BC1001.*process"
	return nil
}

// The content is edited in the loop and then shown again as a whole.
func editInline(path string, calls []Call) ([]anthropic.ContentBlockParamUnion, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	content := string(data)
	var results []anthropic.ContentBlockParamUnion
	for _, call := range calls {
		var response any
		switch call.Name {
		case "view":
			response = content
		case "replace":
			content = strings.ReplaceAll(content, "\t", "  ")
			response = "replaced"
		}
		b, err := json.Marshal(response)
		if err != nil {
			return nil, err
		}
		results = append(results, anthropic.NewToolResultBlock(call.ID, string(b), false)) // want "BC1001.*file"
	}
	return results, nil
}

func callServerInline(ctx context.Context, c client.MCPClient, call Call) (openai.ChatCompletionMessageParamUnion, error) {
	req := mcp.CallToolRequest{Params: mcp.CallToolParams{Name: call.Name, Arguments: call.Arguments}}
	res, err := c.CallTool(ctx, req)
	if err != nil {
		return openai.ChatCompletionMessageParamUnion{}, err
	}
	text := ""
	for _, content := range res.Content {
		if t, ok := content.(mcp.TextContent); ok {
			text = t.Text
		}
	}
	return openai.ToolMessage(text, call.ID), nil // want "BC1001.*mcp"
}

// Version strings and the exit of a command are small by construction.
func okRunStatus(ctx context.Context, call Call) openai.ChatCompletionMessageParamUnion {
	cmd := exec.CommandContext(ctx, "sh", "-c", call.Arguments)
	if err := cmd.Run(); err != nil {
		return openai.ToolMessage("the command failed", call.ID)
	}
	return openai.ToolMessage("exit "+cmd.ProcessState.String(), call.ID)
}
