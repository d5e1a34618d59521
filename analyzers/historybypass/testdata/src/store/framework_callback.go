package store

import (
	"context"

	"charm.land/fantasy"
)

type callbackAgent struct {
	messages Service
	model    fantasy.Agent
}

// convert copies the framework's result into the agent's own type.
func (a *callbackAgent) convert(result fantasy.ToolResultContent) ToolResult {
	r := ToolResult{ToolCallID: result.ToolCallID}
	switch output := result.Result.(type) {
	case fantasy.ToolResultOutputContentText:
		r.Content = output.Text
	case fantasy.ToolResultOutputContentError:
		r.Content = "the tool failed"
		r.IsError = true
	}
	return r
}

// run gets its results through a callback: the parameter is tool output by contract.
func (a *callbackAgent) run(ctx context.Context, session, prompt string) error {
	_, err := a.model.Stream(ctx, fantasy.AgentStreamCall{
		Prompt: prompt,
		OnToolResult: func(result fantasy.ToolResultContent) error {
			toolResult := a.convert(result)
			return a.messages.Create(ctx, session, CreateParams{
				Role:  Tool,
				Parts: []ContentPart{toolResult}, // want "BC1001.*tool"
			})
		},
	})
	return err
}

// The text of the model comes through a callback as well.
func (a *callbackAgent) okDeltas(ctx context.Context, session, prompt string) error {
	text := ""
	_, err := a.model.Stream(ctx, fantasy.AgentStreamCall{
		Prompt: prompt,
		OnTextDelta: func(_, delta string) error {
			text += delta
			return nil
		},
	})
	if err != nil {
		return err
	}
	return a.messages.Create(ctx, session, CreateParams{Role: Assistant, Parts: []ContentPart{TextContent{Text: text}}})
}
