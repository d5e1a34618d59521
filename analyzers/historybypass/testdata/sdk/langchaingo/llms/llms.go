// Package llms is a stub: only names and signatures of the framework matter to the analysis.
package llms

import "context"

type ChatMessageType string

const (
	ChatMessageTypeAI     ChatMessageType = "ai"
	ChatMessageTypeHuman  ChatMessageType = "human"
	ChatMessageTypeSystem ChatMessageType = "system"
	ChatMessageTypeTool   ChatMessageType = "tool"
)

type ContentPart interface{ isPart() }

type TextContent struct {
	Text string
}

func (TextContent) isPart() {}

type ToolCallResponse struct {
	ToolCallID string
	Name       string
	Content    string
}

func (ToolCallResponse) isPart() {}

type MessageContent struct {
	Role  ChatMessageType
	Parts []ContentPart
}

type ChatMessage interface {
	GetType() ChatMessageType
	GetContent() string
}

type ToolChatMessage struct {
	ID      string
	Content string
}

func (m ToolChatMessage) GetType() ChatMessageType { return ChatMessageTypeTool }

func (m ToolChatMessage) GetContent() string { return m.Content }

type AIChatMessage struct {
	Content string
}

func (m AIChatMessage) GetType() ChatMessageType { return ChatMessageTypeAI }

func (m AIChatMessage) GetContent() string { return m.Content }

type FunctionChatMessage struct {
	Name    string
	Content string
}

func (m FunctionChatMessage) GetType() ChatMessageType { return "function" }

func (m FunctionChatMessage) GetContent() string { return m.Content }

type CallOption struct{}

type ContentChoice struct {
	Content string
}

type ContentResponse struct {
	Choices []*ContentChoice
}

type Model interface {
	GenerateContent(ctx context.Context, messages []MessageContent, options ...CallOption) (*ContentResponse, error)
	Call(ctx context.Context, prompt string, options ...CallOption) (string, error)
}

func GenerateFromSinglePrompt(ctx context.Context, llm Model, prompt string, options ...CallOption) (string, error) {
	return "", nil
}

func TextParts(role ChatMessageType, parts ...string) MessageContent { return MessageContent{} }
