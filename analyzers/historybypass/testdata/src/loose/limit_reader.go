package loose

import (
	"context"
	"io"
	"net/http"
	"os"

	"charm.land/fantasy"
	"github.com/openai/openai-go/v3"
)

const maxDownload = 5 * 1024 * 1024

func looseBody(resp *http.Response, id string) (message, error) {
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxDownload))
	if err != nil {
		return message{}, err
	}
	return openai.ToolMessage(string(body), id), nil // want "BC1001.*loose"
}

type fetchParams struct {
	URL string
}

func newLooseFetch(client *http.Client) fantasy.AgentTool {
	return fantasy.NewAgentTool("fetch", "", func(ctx context.Context, params fetchParams, call fantasy.ToolCall) (fantasy.ToolResponse, error) {
		resp, err := client.Get(params.URL)
		if err != nil {
			return fantasy.ToolResponse{}, err
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(io.LimitReader(resp.Body, maxDownload))
		if err != nil {
			return fantasy.ToolResponse{}, err
		}
		content := string(body)
		if params.URL == "" {
			return fantasy.NewTextResponse("```\n" + content + "\n```"), nil // want "BC1002.*loose"
		}
		return fantasy.NewTextResponse(content), nil // want "BC1002.*loose"
	})
}

func okTightBody(resp *http.Response, id string) (message, error) {
	body, err := io.ReadAll(io.LimitReader(resp.Body, 100_000))
	if err != nil {
		return message{}, err
	}
	return openai.ToolMessage(string(body), id), nil
}

// A loose reader and a tight cut are tight.
func okLooseThenTight(path, id string) (message, error) {
	f, err := os.Open(path)
	if err != nil {
		return message{}, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxDownload))
	if err != nil {
		return message{}, err
	}
	if len(data) > 50_000 {
		data = data[:50_000]
	}
	return openai.ToolMessage(string(data), id), nil
}
