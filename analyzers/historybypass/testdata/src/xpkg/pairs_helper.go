package xpkg

import (
	"context"
	"net/http"

	"example.com/agent/xpkg/fetch"
	"example.com/agent/xpkg/tool"
)

// PairTool is a tool whose result is built from pairs.
type PairTool interface {
	Call(ctx context.Context, callID string, args map[string]any) tool.Response
}

type pageTool struct {
	client *http.Client
}

func (t *pageTool) Call(ctx context.Context, callID string, args map[string]any) tool.Response {
	url, _ := args["url"].(string)
	page, err := fetch.Page(ctx, t.client, url)
	if err != nil {
		return tool.Success(callID, "error", "the page cannot be had")
	}
	return tool.Success(callID, "url", url, "page", page) // want "BC1002.*http"
}

type okHeadTool struct {
	client *http.Client
}

func (t *okHeadTool) Call(ctx context.Context, callID string, args map[string]any) tool.Response {
	url, _ := args["url"].(string)
	page, err := fetch.Head(ctx, t.client, url)
	if err != nil {
		return tool.Success(callID, "error", "the page cannot be had")
	}
	return tool.Success(callID, "url", url, "page", page)
}

var pairTools = map[string]PairTool{"page": &pageTool{}, "head": &okHeadTool{}}
