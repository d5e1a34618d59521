package stored

import (
	"context"
	"sync"

	"github.com/anthropics/anthropic-sdk-go"
)

type outcome struct {
	id, text string
	failed   bool
}

// worker sends, collect receives: two functions and the channel between them.
func worker(ctx context.Context, tool Tool, call Call, out chan<- outcome) {
	text, err := tool.Execute(ctx, call.Args)
	out <- outcome{id: call.ID, text: text, failed: err != nil}
}

func fanOut(ctx context.Context, tools map[string]Tool, calls []Call) []anthropic.ContentBlockParamUnion {
	out := make(chan outcome, len(calls))
	var wg sync.WaitGroup
	for _, call := range calls {
		wg.Go(func() { worker(ctx, tools[call.Name], call, out) })
	}
	wg.Wait()
	close(out)
	var blocks []anthropic.ContentBlockParamUnion
	for o := range out {
		blocks = append(blocks, anthropic.NewToolResultBlock(o.id, o.text, o.failed)) // want "BC1001.*tool"
	}
	return blocks
}

func okOutcomeState(out chan outcome) []anthropic.ContentBlockParamUnion {
	var blocks []anthropic.ContentBlockParamUnion
	for o := range out {
		text := "done"
		if o.failed {
			text = "failed"
		}
		blocks = append(blocks, anthropic.NewToolResultBlock(o.id, text, o.failed))
	}
	return blocks
}
