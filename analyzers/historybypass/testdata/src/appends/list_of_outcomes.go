package appends

import (
	"context"
	"strconv"
)

// outcome is how a call went.
type outcome struct {
	name, text string
}

func carryOut(ctx context.Context, tool Tool, call Call) outcome {
	out, err := tool.Call(ctx, call.Input)
	if err != nil {
		out = "the tool failed"
	}
	return outcome{name: call.Name, text: out}
}

// A list that is called a history is one.
func keepHistory(ctx context.Context, tool Tool, calls []Call) []outcome {
	var history []outcome
	for _, call := range calls {
		history = append(history, carryOut(ctx, tool, call)) // want "BC1001.*tool"
	}
	return history
}

// A list of results is on its way to somewhere.
func okCountResults(ctx context.Context, tool Tool, calls []Call) string {
	var toolResults []outcome
	for _, call := range calls {
		toolResults = append(toolResults, carryOut(ctx, tool, call))
	}
	total := 0
	for _, r := range toolResults {
		total += len(r.text)
	}
	return strconv.Itoa(total)
}
