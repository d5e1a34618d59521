package stored

import (
	"context"

	"github.com/firebase/genkit/go/ai"
)

type indexed struct {
	index int
	value string
	err   error
}

func viaChannel(ctx context.Context, tools map[string]Tool, calls []Call) ([]*ai.Part, error) {
	results := make(chan indexed)
	for i, call := range calls {
		go func() {
			out, err := tools[call.Name].Execute(ctx, call.Args)
			if err != nil {
				results <- indexed{i, "", err}
				return
			}
			results <- indexed{i, out, nil}
		}()
	}
	var parts []*ai.Part
	for range calls {
		res := <-results
		if res.err != nil {
			return nil, res.err
		}
		parts = append(parts, ai.NewToolResponsePart(&ai.ToolResponse{
			Ref:    calls[res.index].ID,
			Output: res.value, // want "BC1001.*tool"
		}))
	}
	return parts, nil
}

// Only how long each call took travels here.
func okTimesViaChannel(ctx context.Context, tools map[string]Tool, calls []Call) []*ai.Part {
	sizes := make(chan int)
	for _, call := range calls {
		go func() {
			out, _ := tools[call.Name].Execute(ctx, call.Args)
			sizes <- len(out)
		}()
	}
	var parts []*ai.Part
	for range calls {
		parts = append(parts, ai.NewToolResponsePart(&ai.ToolResponse{Output: <-sizes}))
	}
	return parts
}
