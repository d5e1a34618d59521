package stored

import (
	"context"
	"encoding/json"
	"fmt"
)

// FunctionCallResult answers one function call.
type FunctionCallResult struct {
	ID     string
	Name   string
	Result map[string]any
}

// Chat is the provider's side.
type Chat interface {
	Send(ctx context.Context, contents ...any) (string, error)
}

// AnyTool returns whatever it likes.
type AnyTool interface {
	Run(ctx context.Context, args map[string]any) (any, error)
}

type chatAgent struct {
	chat        Chat
	chatContent []any
	tools       map[string]AnyTool
}

func (a *chatAgent) invoke(ctx context.Context, name string, args map[string]any) (any, error) {
	return a.tools[name].Run(ctx, args)
}

// toMap turns any value into a map by way of JSON.
func toMap(v any) (map[string]any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	m := map[string]any{}
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, err
	}
	return m, nil
}

func (a *chatAgent) answer(ctx context.Context, call Call) error {
	out, err := a.invoke(ctx, call.Name, nil)
	if err != nil {
		return err
	}
	result, err := toMap(out)
	if err != nil {
		return err
	}
	a.chatContent = append(a.chatContent, FunctionCallResult{
		ID:     call.ID,
		Name:   call.Name,
		Result: result, // want "BC1001.*tool"
	})
	return nil
}

func (a *chatAgent) answerAsText(ctx context.Context, call Call) error {
	out, err := a.invoke(ctx, call.Name, nil)
	if err != nil {
		return err
	}
	a.chatContent = append(a.chatContent, fmt.Sprintf("Result of running %q:\n%v", call.Name, out)) // want "BC100[15].*tool"
	return nil
}

func (a *chatAgent) send(ctx context.Context) error {
	_, err := a.chat.Send(ctx, a.chatContent...)
	a.chatContent = nil
	return err
}

func (a *chatAgent) okQuestion(question string) {
	a.chatContent = append(a.chatContent, question)
}
