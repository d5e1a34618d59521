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

func fetchReturn(ctx context.Context, url string) (*Return, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
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
	return &Return{Result: &s}, nil
}

func returned(ctx context.Context, url, id string) (Message, error) {
	ret, err := fetchReturn(ctx, url)
	if err != nil || ret.Result == nil {
		return Message{}, err
	}
	return Message{
		Role:       "tool",
		ToolCallID: id,
		Content:    *ret.Result, // want "BC1001.*http"
	}, nil
}

func okReturnedFixed(id string) Message {
	s := "nothing to do"
	ret := &Return{Result: &s}
	return Message{Role: "tool", ToolCallID: id, Content: *ret.Result}
}
