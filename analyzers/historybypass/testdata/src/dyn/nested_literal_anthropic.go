package dyn

import (
	"context"

	"github.com/anthropics/anthropic-sdk-go"
)

func anthropicLiteral(ctx context.Context, tool Tool, call Call) anthropic.ContentBlockParamUnion {
	out, err := tool.Execute(ctx, call.Arguments)
	if err != nil {
		out = "the tool failed"
	}
	return anthropic.ContentBlockParamUnion{
		OfToolResult: &anthropic.ToolResultBlockParam{
			ToolUseID: call.ID,
			Content:   []anthropic.ToolResultBlockParamContentUnion{{OfText: &anthropic.TextBlockParam{Text: out}}}, // want "BC1001.*tool"
		},
	}
}

func anthropicBeta(ctx context.Context, tool Tool, call Call, params *anthropic.BetaMessageNewParams) {
	out, err := tool.Execute(ctx, call.Arguments)
	if err != nil {
		out = "the tool failed"
	}
	params.Messages = append(params.Messages,
		anthropic.NewBetaUserMessage(
			anthropic.NewBetaToolResultBlock(call.ID, out, err != nil), // want "BC1001.*tool"
		),
	)
}

func anthropicBetaText(ctx context.Context, tool Tool, call Call) anthropic.BetaToolResultBlockParam {
	out, _ := tool.Execute(ctx, call.Arguments)
	return anthropic.NewBetaToolResultTextBlockParam(call.ID, out, false) // want "BC1001.*tool"
}

// The same text block in the assistant's own message.
func okAssistantText(msg anthropic.Message) anthropic.MessageParam {
	var text string
	for _, block := range msg.Content {
		text += block.Text
	}
	return anthropic.NewAssistantMessage(anthropic.NewTextBlock(text))
}
