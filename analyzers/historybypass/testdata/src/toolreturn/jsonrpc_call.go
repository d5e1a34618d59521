package toolreturn

import (
	"context"
	"encoding/json"
	"strings"
)

// rpcClient speaks JSON-RPC by hand; the answer comes back through a pointer.
type rpcClient interface {
	call(ctx context.Context, method string, params, out any) error
}

type rpcResult struct {
	Content []rpcContent
	IsError bool
}

type rpcContent struct {
	Type, Text string
}

func renderRPC(contents []rpcContent) string {
	var b strings.Builder
	for _, c := range contents {
		if c.Type == "text" {
			b.WriteString(c.Text)
		}
	}
	return b.String()
}

func rpcTool(client rpcClient) ToolDefinition {
	return ToolDefinition{Name: "rpc", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
		var result rpcResult
		if err := client.call(ctx, "tools/call", map[string]any{"arguments": input}, &result); err != nil {
			return "", err
		}
		return renderRPC(result.Content), nil // want "BC1002.*(mcp|remote)"
	}}
}

func okPing(client rpcClient) ToolDefinition {
	return ToolDefinition{Name: "ping", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
		if err := client.call(ctx, "ping", nil, nil); err != nil {
			return "", err
		}
		return "pong", nil
	}}
}
