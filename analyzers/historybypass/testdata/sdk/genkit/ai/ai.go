// Package ai is a stub: only names and signatures of the framework matter to the analysis.
package ai

import "context"

type Role string

const (
	RoleModel Role = "model"
	RoleTool  Role = "tool"
	RoleUser  Role = "user"
)

type ToolRequest struct {
	Name  string
	Ref   string
	Input any
}

type ToolResponse struct {
	Name    string
	Ref     string
	Output  any
	Content []*Part
}

type Part struct {
	Text         string
	ToolRequest  *ToolRequest
	ToolResponse *ToolResponse
}

type Message struct {
	Role    Role
	Content []*Part
}

type ToolContext struct {
	context.Context
}

type Tool interface {
	Name() string
	RunRaw(ctx context.Context, input any) (any, error)
}

func NewTextPart(text string) *Part { return &Part{Text: text} }

func NewToolResponsePart(r *ToolResponse) *Part { return &Part{ToolResponse: r} }

func NewResponseForToolRequest(p *Part, output any) *Part { return &Part{} }

func NewTool[In, Out any](name, description string, fn func(ctx *ToolContext, input In) (Out, error)) Tool {
	return nil
}
