package stored

import (
	"context"

	openai "github.com/sashabaranov/go-openai"
)

// Fragment is a piece of conversation that is passed by value.
type Fragment struct {
	Messages []openai.ChatCompletionMessage
}

// AddResult is exported, so it answers for its callers, and its callers in this package answer for what they pass.
func (f Fragment) AddResult(content, toolCallID string) Fragment {
	f.Messages = append(f.Messages, openai.ChatCompletionMessage{
		Role:       "tool",
		Content:    content, // want "BC1001"
		ToolCallID: toolCallID,
	})
	return f
}

type execution struct {
	call   Call
	result string
}

func runParallel(ctx context.Context, tools map[string]Tool, calls []Call, f Fragment) Fragment {
	var executions []execution
	done := make(chan execution)
	for _, call := range calls {
		go func() {
			var result string
			for range 3 {
				out, err := tools[call.Name].Execute(ctx, call.Args)
				result = out
				if err == nil {
					break
				}
			}
			done <- execution{call: call, result: result}
		}()
	}
	for range calls {
		executions = append(executions, <-done)
	}
	for _, e := range executions {
		f = f.AddResult(e.result, e.call.ID) // want "BC1001.*tool"
	}
	return f
}

func okAddNames(f Fragment, calls []Call) Fragment {
	for _, call := range calls {
		f = f.AddResult("called "+call.Name, call.ID)
	}
	return f
}
