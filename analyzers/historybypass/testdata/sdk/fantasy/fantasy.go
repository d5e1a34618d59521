// Package fantasy is a stub: only names and signatures of the SDK matter to the analysis.
package fantasy

import "context"

type MessageRole string

const (
	MessageRoleSystem    MessageRole = "system"
	MessageRoleUser      MessageRole = "user"
	MessageRoleAssistant MessageRole = "assistant"
	MessageRoleTool      MessageRole = "tool"
)

type MessagePart interface{ isMessagePart() }

type Message struct {
	Role    MessageRole
	Content []MessagePart
}

type TextPart struct {
	Text string
}

func (TextPart) isMessagePart() {}

type ToolResultOutputContent interface{ isToolResultOutput() }

type ToolResultOutputContentText struct {
	Text string
}

func (ToolResultOutputContentText) isToolResultOutput() {}

type ToolResultOutputContentError struct {
	Error error
}

func (ToolResultOutputContentError) isToolResultOutput() {}

type ToolResultPart struct {
	ToolCallID string
	Output     ToolResultOutputContent
}

func (ToolResultPart) isMessagePart() {}

// ToolResultContent is what the agent loop hands to its callbacks.
type ToolResultContent struct {
	ToolCallID string
	ToolName   string
	Result     ToolResultOutputContent
}

func AsToolResultOutputType[T ToolResultOutputContent](content ToolResultOutputContent) (T, bool) {
	t, ok := content.(T)
	return t, ok
}

type AgentStreamCall struct {
	Prompt       string
	Messages     []Message
	OnTextDelta  func(id, text string) error
	OnToolResult func(result ToolResultContent) error
}

type AgentCall struct {
	Prompt   string
	Messages []Message
}

type AgentResult struct {
	Text string
}

type Agent interface {
	Generate(ctx context.Context, call AgentCall) (*AgentResult, error)
	Stream(ctx context.Context, call AgentStreamCall) (*AgentResult, error)
}
