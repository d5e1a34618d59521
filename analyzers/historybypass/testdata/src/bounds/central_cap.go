package bounds

import (
	"context"
	"fmt"

	"github.com/openai/openai-go/v3"
)

// tool is what the dispatcher calls.
type tool interface {
	Execute(ctx context.Context, args string) (result, error)
}

type result struct {
	CallID  string
	Content string
	Failed  bool
}

// executor runs tools for everybody.
type executor struct {
	tools map[string]tool
	limit int
	store func(id, content string) string
}

// enforce returns a result that fits.
func (e *executor) enforce(r result) result {
	if len(r.Content) <= e.limit {
		return r
	}
	handle := e.store(r.CallID, r.Content)
	r.Content = fmt.Sprintf("%s\n[all of it: %s]", r.Content[:e.limit], handle)
	return r
}

func (e *executor) run(ctx context.Context, name, args, id string) result {
	r, err := e.tools[name].Execute(ctx, args)
	if err != nil {
		return result{CallID: id, Content: "the tool failed", Failed: true}
	}
	r.CallID = id
	return e.enforce(r)
}

func (e *executor) okByValue(ctx context.Context, name, args, id string) message {
	r := e.run(ctx, name, args, id)
	return openai.ToolMessage(r.Content, r.CallID)
}

// cap changes the result it is called on.
func (r *result) cap(limit int) {
	if len(r.Content) > limit {
		r.Content = r.Content[:limit] + "…"
	}
}

func (e *executor) okByPointer(ctx context.Context, name, args, id string) message {
	r, err := e.tools[name].Execute(ctx, args)
	if err != nil {
		return openai.ToolMessage("the tool failed", id)
	}
	r.cap(16 << 10)
	return openai.ToolMessage(r.Content, id)
}

func (e *executor) okChannel(ctx context.Context, names []string) []message {
	results := make(chan result)
	go func() {
		defer close(results)
		for _, name := range names {
			results <- e.run(ctx, name, "{}", name)
		}
	}()
	var messages []message
	for r := range results {
		messages = append(messages, openai.ToolMessage(r.Content, r.CallID))
	}
	return messages
}

// The capped result is thrown away.
func (e *executor) capLost(ctx context.Context, name, args, id string) message {
	r, err := e.tools[name].Execute(ctx, args)
	if err != nil {
		return openai.ToolMessage("the tool failed", id)
	}
	short := e.enforce(r)
	fmt.Println(short.Content)
	return openai.ToolMessage(r.Content, id) // want "BC1001.*tool"
}
