package dyn

import (
	"context"

	"github.com/ollama/ollama/api"
)

func ollamaHistory(ctx context.Context, tools map[string]Tool, calls []Call, req *api.ChatRequest) {
	for _, call := range calls {
		out, err := tools[call.Name].Execute(ctx, call.Arguments)
		if err != nil {
			out = "the tool failed"
		}
		req.Messages = append(req.Messages, api.Message{
			Role:     "tool",
			Content:  out, // want "BC1001.*tool"
			ToolName: call.Name,
		})
	}
}

func okOllamaQuestion(req *api.ChatRequest, question string) {
	req.Messages = append(req.Messages, api.Message{Role: "user", Content: question})
}
