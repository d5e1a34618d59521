package xpkg

import (
	"github.com/anthropics/anthropic-sdk-go"
	"github.com/openai/openai-go/v3"

	"example.com/agent/xpkg/stream"
)

// provider keeps its request between two turns.
type provider struct {
	toolCall func(name string, data []byte) (string, error)
	openai   openai.ChatCompletionNewParams
	claude   anthropic.MessageNewParams
}

func (p *provider) callOpenAI(id, name string, args []byte) {
	msg, _ := stream.CallTool(id, name, args, p.toolCall)
	resp := openai.ToolMessage(msg.Content, id) // want "BC1001.*tool"
	p.openai.Messages = append(p.openai.Messages, resp)
}

// resultBlock is the provider's own spelling of the SDK's constructor.
func resultBlock(id, content string, isError bool) anthropic.ContentBlockParamUnion {
	block := anthropic.ToolResultBlockParam{
		ToolUseID: id,
		IsError:   anthropic.Bool(isError),
		Content: []anthropic.ToolResultBlockParamContentUnion{
			{OfText: &anthropic.TextBlockParam{Text: content}},
		},
	}
	return anthropic.ContentBlockParamUnion{OfToolResult: &block}
}

func (p *provider) callClaude(id, name string, args []byte) {
	msg, err := stream.CallTool(id, name, args, p.toolCall)
	p.claude.Messages = append(p.claude.Messages, anthropic.NewUserMessage(
		resultBlock(
			id,
			msg.Content, // want "BC1001.*tool"
			err != nil,
		),
	))
}

func (p *provider) okRefused(id, name string) {
	p.claude.Messages = append(p.claude.Messages, anthropic.NewUserMessage(resultBlock(id, "refused: "+name, true)))
}
