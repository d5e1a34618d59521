package stored

import (
	"context"
	"io"
	"net/http"
)

// Return is a step's result; nil means that it goes on.
type Return struct {
	Result *string
	Calls  map[string]Call
}

// StepTool returns its result by pointer.
type StepTool struct {
	Name string
	Run  func(ctx context.Context, input string) (*Return, error)
}

func fetchStep(ctx context.Context, input string) (*Return, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, input, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	content, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	s := string(content)
	return &Return{Result: &s}, nil // want "BC1002.*http"
}

func okFixedStep(ctx context.Context, input string) (*Return, error) {
	s := "nothing to do"
	return &Return{Result: &s}, nil
}

var stepTools = []StepTool{{Name: "fetch", Run: fetchStep}, {Name: "fixed", Run: okFixedStep}}

func runStep(ctx context.Context, tool StepTool, id string) (Message, error) {
	ret, err := tool.Run(ctx, "{}")
	if err != nil || ret.Result == nil {
		return Message{}, err
	}
	return Message{
		Role:       "tool",
		ToolCallID: id,
		Content:    *ret.Result, // want "BC1001.*tool"
	}, nil
}
