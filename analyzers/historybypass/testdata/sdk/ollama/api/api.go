// Package api is a stub: only names and signatures of the SDK matter to the analysis.
package api

import "context"

type Message struct {
	Role       string
	Content    string
	ToolName   string
	ToolCallID string
}

type ChatRequest struct {
	Model    string
	Messages []Message
}

type ChatResponse struct {
	Message Message
}

type ChatResponseFunc func(ChatResponse) error

type Client struct{}

func (c *Client) Chat(ctx context.Context, req *ChatRequest, fn ChatResponseFunc) error { return nil }
