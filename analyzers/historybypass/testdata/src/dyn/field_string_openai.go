package dyn

import (
	"context"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
)

func openaiToolParam(ctx context.Context, tool Tool, call Call) openai.ChatCompletionMessageParamUnion {
	out, err := tool.Execute(ctx, call.Arguments)
	if err != nil {
		out = "the tool failed"
	}
	return openai.ChatCompletionMessageParamUnion{
		OfTool: &openai.ChatCompletionToolMessageParam{
			ToolCallID: call.ID,
			Content:    openai.ChatCompletionToolMessageParamContentUnion{OfString: openai.String(out)}, // want "BC1001.*tool"
		},
	}
}

func openaiToolParts(ctx context.Context, tool Tool, call Call) openai.ChatCompletionMessageParamUnion {
	out, err := tool.Execute(ctx, call.Arguments)
	if err != nil {
		out = "the tool failed"
	}
	return openai.ToolMessage([]openai.ChatCompletionContentPartTextParam{{Text: out}}, call.ID) // want "BC1001.*tool"
}

// Field assignment after the literal.
func openaiToolAssigned(ctx context.Context, tool Tool, call Call) *openai.ChatCompletionToolMessageParam {
	msg := &openai.ChatCompletionToolMessageParam{ToolCallID: call.ID}
	out, err := tool.Execute(ctx, call.Arguments)
	if err != nil {
		return msg
	}
	msg.Content.OfString = param.NewOpt(out) // want "BC1001.*tool"
	return msg
}

func okOpenAIUserParam(question string) openai.ChatCompletionMessageParamUnion {
	return openai.ChatCompletionMessageParamUnion{
		OfUser: &openai.ChatCompletionUserMessageParam{Content: openai.String(question)},
	}
}
