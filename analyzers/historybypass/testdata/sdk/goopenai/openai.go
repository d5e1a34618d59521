// Package openai is a stub: only names and signatures of the SDK matter to the analysis.
package openai

import "context"

const (
	ChatMessageRoleSystem    = "system"
	ChatMessageRoleUser      = "user"
	ChatMessageRoleAssistant = "assistant"
	ChatMessageRoleFunction  = "function"
	ChatMessageRoleTool      = "tool"
)

type ChatMessagePartType string

const ChatMessagePartTypeText ChatMessagePartType = "text"

type ChatMessagePart struct {
	Type ChatMessagePartType
	Text string
}

type FunctionCall struct {
	Name      string
	Arguments string
}

type ToolCall struct {
	ID       string
	Function FunctionCall
}

type ChatCompletionMessage struct {
	Role         string
	Content      string
	MultiContent []ChatMessagePart
	Name         string
	ToolCalls    []ToolCall
	ToolCallID   string
}

type ChatCompletionRequest struct {
	Model    string
	Messages []ChatCompletionMessage
}

type ChatCompletionChoice struct {
	Message ChatCompletionMessage
}

type ChatCompletionResponse struct {
	Choices []ChatCompletionChoice
}

type ToolOutput struct {
	ToolCallID string
	Output     any
}

type Client struct{}

func NewClient(authToken string) *Client { return &Client{} }

func (c *Client) CreateChatCompletion(ctx context.Context, request ChatCompletionRequest) (ChatCompletionResponse, error) {
	return ChatCompletionResponse{}, nil
}
