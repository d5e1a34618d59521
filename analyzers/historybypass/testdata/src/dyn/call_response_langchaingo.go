package dyn

import (
	"context"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/tools"
)

func langchainResponse(ctx context.Context, tool tools.Tool, call Call) (llms.MessageContent, error) {
	out, err := tool.Call(ctx, call.Arguments)
	if err != nil {
		return llms.MessageContent{}, err
	}
	return llms.MessageContent{
		Role: llms.ChatMessageTypeTool,
		Parts: []llms.ContentPart{
			llms.ToolCallResponse{
				ToolCallID: call.ID,
				Name:       call.Name,
				Content:    out, // want "BC1001.*tool"
			},
		},
	}, nil
}

func langchainFunctionMessage(ctx context.Context, tool tools.Tool, call Call, history []llms.ChatMessage) []llms.ChatMessage {
	out, err := tool.Call(ctx, call.Arguments)
	if err != nil {
		return history
	}
	return append(history, llms.FunctionChatMessage{
		Name:    call.Name,
		Content: out, // want "BC1001.*tool"
	})
}

// A mock that knows its answers by heart.
func okMockWeather(call Call) llms.ToolCallResponse {
	answers := map[string]string{"Boston": "72 and sunny", "Chicago": "65 and windy"}
	return llms.ToolCallResponse{ToolCallID: call.ID, Name: call.Name, Content: answers[call.Arguments]}
}
