package fantasy

import "context"

type ToolCall struct {
	ID    string
	Name  string
	Input string
}

type ToolInfo struct {
	Name        string
	Description string
}

type ToolResponse struct {
	Type      string
	Content   string
	Data      []byte
	MediaType string
	Metadata  string
	IsError   bool
}

type AgentTool interface {
	Info() ToolInfo
	Run(ctx context.Context, params ToolCall) (ToolResponse, error)
}

func NewTextResponse(content string) ToolResponse { return ToolResponse{} }

func NewTextErrorResponse(content string) ToolResponse { return ToolResponse{} }

func NewImageResponse(data []byte, mediaType string) ToolResponse { return ToolResponse{} }

func WithResponseMetadata(response ToolResponse, metadata any) ToolResponse { return response }

func NewAgentTool[TInput any](name string, description string, fn func(ctx context.Context, input TInput, call ToolCall) (ToolResponse, error)) AgentTool {
	return nil
}

func NewParallelAgentTool[TInput any](name string, description string, fn func(ctx context.Context, input TInput, call ToolCall) (ToolResponse, error)) AgentTool {
	return nil
}
