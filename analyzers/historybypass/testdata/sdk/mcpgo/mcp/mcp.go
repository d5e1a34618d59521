// Package mcp is a stub: only names and signatures of the SDK matter to the analysis.
package mcp

type Content interface{ isContent() }

type TextContent struct {
	Type string
	Text string
}

func (TextContent) isContent() {}

type ImageContent struct {
	Type     string
	Data     string
	MIMEType string
}

func (ImageContent) isContent() {}

type CallToolResult struct {
	Content           []Content
	StructuredContent any
	IsError           bool
}

type CallToolParams struct {
	Name      string
	Arguments any
}

type CallToolRequest struct {
	Params CallToolParams
}

func (r CallToolRequest) GetString(key string, defaultValue string) string { return defaultValue }

func (r CallToolRequest) GetInt(key string, defaultValue int) int { return defaultValue }

type ReadResourceParams struct {
	URI string
}

type ReadResourceRequest struct {
	Params ReadResourceParams
}

type ResourceContents interface{ isResourceContents() }

type TextResourceContents struct {
	URI  string
	Text string
}

func (TextResourceContents) isResourceContents() {}

type ReadResourceResult struct {
	Contents []ResourceContents
}

type Tool struct {
	Name        string
	Description string
}

func NewTool(name string) Tool { return Tool{Name: name} }

func AsTextContent(content any) (*TextContent, bool) { return nil, false }

func NewTextContent(text string) TextContent { return TextContent{} }

func NewToolResultText(text string) *CallToolResult { return &CallToolResult{} }

func NewToolResultError(text string) *CallToolResult { return &CallToolResult{} }

func NewToolResultErrorf(format string, a ...any) *CallToolResult { return &CallToolResult{} }

func NewToolResultErrorFromErr(text string, err error) *CallToolResult { return &CallToolResult{} }

func NewToolResultStructured(structured any, fallbackText string) *CallToolResult {
	return &CallToolResult{}
}

func NewToolResultStructuredOnly(structured any) *CallToolResult { return &CallToolResult{} }
