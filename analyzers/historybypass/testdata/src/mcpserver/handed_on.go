package mcpserver

import (
	"context"
	"encoding/json"
	"os"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// A server that wraps the SDK: what its helpers are given becomes a tool, whatever they are called.

// typedHandler is what a tool of this server is.
type typedHandler func(ctx context.Context, args PathArgs) (any, error)

// addHandler decodes the arguments for a handler and encodes what it gives.
func addHandler(s *server.MCPServer, name string, handler typedHandler) {
	s.AddTool(mcp.NewTool(name), func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		result, err := handler(ctx, PathArgs{Path: request.Params.Name})
		if err != nil {
			return nil, err
		}
		data, err := json.Marshal(result)
		if err != nil {
			return nil, err
		}
		return mcp.NewToolResultText(string(data)), nil
	})
}

// addToolOnce adds one more step.
func addToolOnce(s *server.MCPServer, name string, handler typedHandler) {
	addHandler(s, name, handler)
}

func addHandedOn(s *server.MCPServer) {
	addHandler(s, "whole", handedWhole)
	addHandler(s, "size", okHandedSize)
	addToolOnce(s, "twice", handedTwice)
}

func handedWhole(ctx context.Context, args PathArgs) (any, error) {
	data, err := os.ReadFile(args.Path)
	if err != nil {
		return nil, err
	}
	return map[string]string{"text": string(data)}, nil // want "BC1003.*file"
}

func okHandedSize(ctx context.Context, args PathArgs) (any, error) {
	data, err := os.ReadFile(args.Path)
	if err != nil {
		return nil, err
	}
	return map[string]int{"size": len(data)}, nil
}

func handedTwice(ctx context.Context, args PathArgs) (any, error) {
	data, err := os.ReadFile(args.Path)
	if err != nil {
		return nil, err
	}
	return string(data), nil // want "BC1003.*file"
}

// okNeverAdded has the shape of a handler and is given to nobody.
func okNeverAdded(ctx context.Context, args PathArgs) (any, error) {
	data, err := os.ReadFile(args.Path)
	return string(data), err
}
