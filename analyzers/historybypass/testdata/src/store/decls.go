// Package store holds agents whose history is a store of messages: a database, a session service.
package store

import "context"

// Role says who speaks.
type Role string

const (
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
)

// ContentPart is a part of a message.
type ContentPart interface{ isPart() }

// TextContent is what somebody said.
type TextContent struct {
	Text string
}

func (TextContent) isPart() {}

// ToolResult is what a tool said.
type ToolResult struct {
	ToolCallID string
	Content    string
	IsError    bool
}

func (ToolResult) isPart() {}

// CreateParams describe a new message.
type CreateParams struct {
	Role  Role
	Parts []ContentPart
}

// Service stores messages.
type Service interface {
	Create(ctx context.Context, sessionID string, params CreateParams) error
}

// BaseTool is a tool.
type BaseTool interface {
	Run(ctx context.Context, call Call) (Response, error)
}

// Call is what the model asked for.
type Call struct {
	ID, Name, Input string
}

// Response is what a BaseTool returns.
type Response struct {
	Content string
	IsError bool
}
