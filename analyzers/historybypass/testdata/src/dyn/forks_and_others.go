package dyn

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/ai/azopenai"
	fork "github.com/charmbracelet/openai-go"
	"github.com/cohesion-org/deepseek-go"
	"github.com/google/generative-ai-go/genai"
	"trpc.group/trpc-go/trpc-agent-go/model"
)

func forked(ctx context.Context, tool Tool, call Call) fork.ChatCompletionMessageParamUnion {
	out, err := tool.Execute(ctx, call.Arguments)
	if err != nil {
		out = "the tool failed"
	}
	return fork.ToolMessage(out, call.ID) // want "BC1001.*tool"
}

func deepseekMessage(ctx context.Context, tool Tool, call Call) deepseek.ChatCompletionMessage {
	out, err := tool.Execute(ctx, call.Arguments)
	if err != nil {
		out = "the tool failed"
	}
	return deepseek.ChatCompletionMessage{
		Role:       deepseek.ChatMessageRoleTool,
		Content:    out, // want "BC1001.*tool"
		ToolCallID: call.ID,
	}
}

func azureMessage(ctx context.Context, tool Tool, call Call, options *azopenai.ChatCompletionsOptions) {
	out, err := tool.Execute(ctx, call.Arguments)
	if err != nil {
		out = "the tool failed"
	}
	options.Messages = append(options.Messages, &azopenai.ChatRequestToolMessage{
		Content:    azopenai.NewChatRequestToolMessageContent(out), // want "BC1001.*tool"
		ToolCallID: &call.ID,
	})
}

func olderGenai(ctx context.Context, session *genai.ChatSession, tool Tool, call Call) error {
	out, err := tool.Execute(ctx, call.Arguments)
	if err != nil {
		out = "the tool failed"
	}
	_, err = session.SendMessage(ctx, genai.FunctionResponse{
		Name:     call.Name,
		Response: map[string]any{"result": out}, // want "BC1001.*tool"
	})
	return err
}

func trpcMessage(ctx context.Context, tool Tool, call Call) model.Message {
	out, err := tool.Execute(ctx, call.Arguments)
	if err != nil {
		out = "the tool failed"
	}
	return model.NewToolMessage(call.ID, call.Name, out) // want "BC1001.*tool"
}

func okOthers(ctx context.Context, session *genai.ChatSession, question string) (model.Message, error) {
	_, err := session.SendMessage(ctx, genai.Text(question))
	return model.NewUserMessage(question), err
}
