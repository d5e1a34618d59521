package bounds

import (
	"context"

	"charm.land/fantasy"
	"github.com/openai/openai-go/v3"
	"github.com/tmc/langchaingo/llms"
)

// What a model says is limited by the model.
func okModelAnswer(ctx context.Context, llm llms.Model, question, id string) (message, error) {
	answer, err := llm.Call(ctx, question)
	if err != nil {
		return message{}, err
	}
	return openai.ToolMessage(answer, id), nil
}

func okSubAgent(ctx context.Context, agent fantasy.Agent, task, id string) (message, error) {
	result, err := agent.Generate(ctx, fantasy.AgentCall{Prompt: task})
	if err != nil {
		return message{}, err
	}
	return openai.ToolMessage(result.Text, id), nil
}

// The sub-agent's final text comes over a channel.
func okSubAgentChannel(ctx context.Context, agent fantasy.Agent, task, id string) message {
	answers := make(chan string, 1)
	go func() {
		defer close(answers)
		result, err := agent.Generate(ctx, fantasy.AgentCall{Prompt: task})
		if err == nil {
			answers <- result.Text
		}
	}()
	return openai.ToolMessage(<-answers, id)
}

// A completion of the SDK, read field by field.
func okCompletion(completion *openai.ChatCompletion, id string) message {
	if len(completion.Choices) == 0 {
		return openai.ToolMessage("no answer", id)
	}
	return openai.ToolMessage(completion.Choices[0].Message.Content, id)
}

// The model's text with the file it is about.
func answerWithFile(ctx context.Context, llm llms.Model, path, id string) (message, error) {
	answer, err := llm.Call(ctx, "What is in "+path+"?")
	if err != nil {
		return message{}, err
	}
	return openai.ToolMessage(answer+"\n\n"+file(path), id), nil // want "BC1001.*file"
}
