package toolreturn

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// Library answers questions over the network.
type Library interface {
	Fetch(ctx context.Context, title string) (*volume, error)
}

type volume struct {
	Body string
}

// What a call has given when it did not fail is of any size.
func answeredTools(lib Library) []ToolDefinition {
	return []ToolDefinition{
		{Name: "fetched", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			v, err := lib.Fetch(ctx, string(input))
			if err == nil {
				return fmt.Sprintf("fetched: %s", v.Body), nil // want "BC1002.*remote"
			}
			return "failed", nil
		}},
		{Name: "header", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			resp, err := http.Get(string(input))
			if err != nil {
				return "failed", nil
			}
			defer resp.Body.Close()
			return fmt.Sprintf("answered: %v", resp), nil // want "BC1002.*http"
		}},
		{Name: "unlooked", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			v, err := lib.Fetch(ctx, string(input))
			return fmt.Sprintf("%v %v", v, err), nil // want "BC1002.*remote"
		}},
	}
}

// A call that has failed has given nothing.
func okFailedTools(lib Library) []ToolDefinition {
	return []ToolDefinition{
		{Name: "fetch", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			v, err := lib.Fetch(ctx, string(input))
			if err != nil {
				return fmt.Sprintf("failed: %v (%v)", err, v), nil
			}
			return "fetched", nil
		}},
		{Name: "get", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			resp, err := http.Get(string(input))
			if err != nil {
				return fmt.Sprintf("failed: %v (%v)", err, resp), nil
			}
			return "answered", resp.Body.Close()
		}},
	}
}

// post gives the body even if the server has refused.
func post(ctx context.Context, url string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, nil)
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode >= http.StatusBadRequest {
		err = fmt.Errorf("status %d", resp.StatusCode)
	}
	return string(body), err
}

// A function of one's own may give an answer beside an error, and so does what reads until it fails.
var refusedTools = []ToolDefinition{
	{Name: "post", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
		body, err := post(ctx, string(input))
		if err != nil {
			return fmt.Sprintf("failed: %v\n%s", err, body), nil // want "BC1002.*http"
		}
		return "posted", nil
	}},
	{Name: "read", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
		resp, err := http.Get(string(input))
		if err != nil {
			return "", err
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			return fmt.Sprintf("failed: %v\n%s", err, body), nil // want "BC1002.*http"
		}
		return "read", nil
	}},
}
