package errtext

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"charm.land/fantasy"
)

type queryParams struct {
	URL string
}

func newQueryTool(client *http.Client) fantasy.AgentTool {
	return fantasy.NewAgentTool("query", "", func(ctx context.Context, params queryParams, call fantasy.ToolCall) (fantasy.ToolResponse, error) {
		resp, err := client.Get(params.URL)
		if err != nil {
			return fantasy.ToolResponse{}, fmt.Errorf("the server cannot be reached: %w", err)
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			body, _ := io.ReadAll(resp.Body)
			if len(body) > 0 {
				return fantasy.NewTextErrorResponse(fmt.Sprintf("status %d: %s", resp.StatusCode, string(body))), nil // want "BC1004.*http"
			}
			return fantasy.NewTextErrorResponse(fmt.Sprintf("status %d", resp.StatusCode)), nil
		}
		return fantasy.NewTextResponse("reached"), nil
	})
}

func fetchError(ctx context.Context, input json.RawMessage) (string, error) {
	resp, err := http.Get(string(input))
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 400 {
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			return "", err
		}
		return "", fmt.Errorf("the server says %s: %s", resp.Status, body) // want "BC1004.*http"
	}
	return resp.Status, nil
}

func okFetchStatus(ctx context.Context, input json.RawMessage) (string, error) {
	resp, err := http.Get(string(input))
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 400 {
		body, err := io.ReadAll(io.LimitReader(resp.Body, 2<<10))
		if err != nil {
			return "", err
		}
		return "", fmt.Errorf("the server says %s: %s", resp.Status, body)
	}
	return resp.Status, nil
}

var fetchTools = []ToolDefinition{{Name: "fetch", Function: fetchError}, {Name: "status", Function: okFetchStatus}}
