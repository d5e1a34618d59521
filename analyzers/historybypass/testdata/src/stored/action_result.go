package stored

import (
	"context"

	openai "github.com/sashabaranov/go-openai"
)

// ActionResult is what an Action produces.
type ActionResult struct {
	Result   string
	Image    string
	Metadata map[string]any
}

// Action is this agent's word for a tool.
type Action interface {
	Run(ctx context.Context, params map[string]any) (ActionResult, error)
	Name() string
}

type actionAgent struct {
	conv []openai.ChatCompletionMessage
}

// record gets the result as a parameter and reads a field of it.
func (a *actionAgent) record(result ActionResult, action Action) {
	a.conv = append(a.conv, openai.ChatCompletionMessage{
		Role:       openai.ChatMessageRoleTool,
		Content:    result.Result, // want "BC1001.*tool"
		Name:       action.Name(),
		ToolCallID: action.Name(),
	})
}

func (a *actionAgent) act(ctx context.Context, action Action) error {
	result, err := action.Run(ctx, nil)
	if err != nil {
		return err
	}
	a.record(result, action)
	return nil
}

func (a *actionAgent) okRecordImage(result ActionResult, action Action) {
	text := "there is no image"
	if result.Image != "" {
		text = "an image was made"
	}
	a.conv = append(a.conv, openai.ChatCompletionMessage{
		Role:       openai.ChatMessageRoleTool,
		Content:    text,
		ToolCallID: action.Name(),
	})
}
