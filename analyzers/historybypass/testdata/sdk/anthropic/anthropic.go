// Package anthropic is a stub: only names and signatures of the SDK matter to the analysis.
package anthropic

import (
	"context"
	"encoding/json"

	"github.com/anthropics/anthropic-sdk-go/packages/param"
)

type MessageParamRole string

const (
	MessageParamRoleUser      MessageParamRole = "user"
	MessageParamRoleAssistant MessageParamRole = "assistant"
)

type MessageParam struct {
	Content []ContentBlockParamUnion
	Role    MessageParamRole
}

type ContentBlockParamUnion struct {
	OfText       *TextBlockParam
	OfToolUse    *ToolUseBlockParam
	OfToolResult *ToolResultBlockParam
}

type TextBlockParam struct {
	Text string
}

type ToolUseBlockParam struct {
	ID    string
	Name  string
	Input any
}

type ToolResultBlockParam struct {
	ToolUseID string
	IsError   param.Opt[bool]
	Content   []ToolResultBlockParamContentUnion
}

type ToolResultBlockParamContentUnion struct {
	OfText *TextBlockParam
}

type ToolParam struct {
	Name        string
	Description param.Opt[string]
}

type MessageNewParams struct {
	Model     string
	MaxTokens int64
	Messages  []MessageParam
	System    []TextBlockParam
	Tools     []ToolParam
}

type ContentBlockUnion struct {
	Type  string
	Text  string
	ID    string
	Name  string
	Input json.RawMessage
}

type Message struct {
	ID      string
	Content []ContentBlockUnion
}

func (m Message) ToParam() MessageParam {
	return MessageParam{Role: MessageParamRoleAssistant}
}

type MessageService struct{}

func (r *MessageService) New(ctx context.Context, body MessageNewParams) (*Message, error) {
	return &Message{}, nil
}

type Client struct {
	Messages MessageService
}

func NewClient() Client { return Client{} }

func NewToolResultBlock(toolUseID string, content string, isError bool) ContentBlockParamUnion {
	return ContentBlockParamUnion{}
}

func NewTextBlock(text string) ContentBlockParamUnion { return ContentBlockParamUnion{} }

func NewToolUseBlock(id string, input any, name string) ContentBlockParamUnion {
	return ContentBlockParamUnion{}
}

func NewUserMessage(blocks ...ContentBlockParamUnion) MessageParam {
	return MessageParam{Content: blocks, Role: MessageParamRoleUser}
}

func NewAssistantMessage(blocks ...ContentBlockParamUnion) MessageParam {
	return MessageParam{Content: blocks, Role: MessageParamRoleAssistant}
}

func String(s string) param.Opt[string] { return param.NewOpt(s) }

func Bool(b bool) param.Opt[bool] { return param.NewOpt(b) }
