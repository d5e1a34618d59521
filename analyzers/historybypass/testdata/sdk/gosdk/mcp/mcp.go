// Package mcp is a stub: only names and signatures of the SDK matter to the analysis.
package mcp

import (
	"context"
	"encoding/json"
)

type Content interface{ isContent() }

type TextContent struct {
	Text string
}

func (*TextContent) isContent() {}

type ImageContent struct {
	Data     []byte
	MIMEType string
}

func (*ImageContent) isContent() {}

type CallToolParams struct {
	Name      string
	Arguments any
}

type CallToolParamsRaw struct {
	Name      string
	Arguments json.RawMessage
}

type CallToolRequest struct {
	Params *CallToolParamsRaw
}

type CallToolResult struct {
	Content           []Content
	StructuredContent any
	IsError           bool
}

type ReadResourceParams struct {
	URI string
}

type ResourceContents struct {
	URI  string
	Text string
	Blob []byte
}

type ReadResourceResult struct {
	Contents []*ResourceContents
}

type ClientSession struct{}

func (cs *ClientSession) CallTool(ctx context.Context, params *CallToolParams) (*CallToolResult, error) {
	return nil, nil
}

func (cs *ClientSession) ReadResource(ctx context.Context, params *ReadResourceParams) (*ReadResourceResult, error) {
	return nil, nil
}

type Tool struct {
	Name        string
	Description string
}

type ToolHandler func(ctx context.Context, req *CallToolRequest) (*CallToolResult, error)

type ToolHandlerFor[In, Out any] func(ctx context.Context, req *CallToolRequest, input In) (result *CallToolResult, output Out, err error)

type Server struct{}

func NewServer(name string) *Server { return &Server{} }

func (s *Server) AddTool(t *Tool, h ToolHandler) {}

func AddTool[In, Out any](s *Server, t *Tool, h ToolHandlerFor[In, Out]) {}
