package stored

import (
	"context"
	"sync"
)

// result is a row that a goroutine fills.
type result struct {
	id     string
	output string
	err    error
}

type registry struct {
	tools map[string]Tool
}

func (r *registry) executeAll(ctx context.Context, calls []Call) []result {
	results := make([]result, len(calls))
	var wg sync.WaitGroup
	for i, call := range calls {
		wg.Add(1)
		go func(i int, call Call) {
			defer wg.Done()
			out, err := r.tools[call.Name].Execute(ctx, call.Args)
			results[i] = result{id: call.ID, output: out, err: err}
		}(i, call)
	}
	wg.Wait()
	return results
}

type session struct {
	registry *registry
	memory   []Message
}

func (s *session) addMessage(m Message) { s.memory = append(s.memory, m) }

func (s *session) turn(ctx context.Context, calls []Call, events chan<- string) {
	for _, res := range s.registry.executeAll(ctx, calls) {
		content := res.output
		if res.err != nil {
			content = "the tool failed"
		}
		events <- content
		s.addMessage(Message{
			Role:       "tool",
			Content:    content, // want "BC1001.*tool"
			ToolCallID: res.id,
		})
	}
}

func (s *session) okTurnWithoutOutput(ctx context.Context, calls []Call) {
	for _, res := range s.registry.executeAll(ctx, calls) {
		status := "done"
		if res.err != nil {
			status = "failed"
		}
		s.addMessage(Message{Role: "tool", Content: status, ToolCallID: res.id})
	}
}
