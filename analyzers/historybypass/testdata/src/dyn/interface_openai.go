package dyn

import (
	"context"

	"github.com/openai/openai-go/v3"
)

func runOpenAITools(ctx context.Context, tools map[string]Tool, calls []Call, params *openai.ChatCompletionNewParams) {
	for _, call := range calls {
		result, err := tools[call.Name].Execute(ctx, call.Arguments)
		if err != nil {
			params.Messages = append(params.Messages, openai.ToolMessage("the tool failed", call.ID))
			continue
		}
		params.Messages = append(params.Messages, openai.ToolMessage(result, call.ID)) // want "BC1001.*tool"
	}
}

// runner retries work; its Execute returns no output.
type runner interface {
	Execute(ctx context.Context, args string) error
}

func okExecuteWithoutOutput(ctx context.Context, r runner, call Call, params *openai.ChatCompletionNewParams) {
	status := "done"
	if err := r.Execute(ctx, call.Arguments); err != nil {
		status = "failed"
	}
	params.Messages = append(params.Messages, openai.ToolMessage(status, call.ID))
}
