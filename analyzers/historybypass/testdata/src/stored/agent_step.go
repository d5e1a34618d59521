package stored

import (
	"context"
	"fmt"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/schema"
	"github.com/tmc/langchaingo/tools"
)

func doAction(ctx context.Context, steps []schema.AgentStep, byName map[string]tools.Tool, action schema.AgentAction) ([]schema.AgentStep, error) {
	tool, ok := byName[action.Tool]
	if !ok {
		return append(steps, schema.AgentStep{
			Action:      action,
			Observation: fmt.Sprintf("%s is not a tool, try another one", action.Tool),
		}), nil
	}
	observation, err := tool.Call(ctx, action.ToolInput)
	if err != nil {
		return nil, err
	}
	return append(steps, schema.AgentStep{
		Action:      action,
		Observation: observation, // want "BC1001.*tool"
	}), nil
}

// The steps come back from the executor some time later.
func stepMessages(steps []schema.AgentStep) []llms.ChatMessage {
	messages := make([]llms.ChatMessage, 0, 2*len(steps))
	for _, step := range steps {
		messages = append(messages, llms.AIChatMessage{Content: step.Action.Log})
		messages = append(messages, llms.ToolChatMessage{
			ID:      step.Action.ToolID,
			Content: step.Observation, // want "BC1001.*tool"
		})
	}
	return messages
}

// What the model thought is model text.
func okThoughts(steps []schema.AgentStep) []llms.ChatMessage {
	var messages []llms.ChatMessage
	for _, step := range steps {
		messages = append(messages, llms.AIChatMessage{Content: step.Action.Log})
	}
	return messages
}
