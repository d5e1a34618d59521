// Package chat holds what an agent and a model say to each other.
package chat

import (
	"context"
	"encoding/json"
	"slices"
)

// A Role says who speaks.
type Role string

const (
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
)

// A ToolCall is the model's wish to have a tool run.
type ToolCall struct {
	ID   string          `json:"id"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

// A Message is one entry of the conversation.
type Message struct {
	Role       Role       `json:"role"`
	Content    string     `json:"content"`
	ToolCalls  []ToolCall `json:"toolCalls,omitempty"`
	ToolCallID string     `json:"toolCallId,omitempty"` // which call a message of role Tool answers
}

// A History is a conversation. All of it is sent with every request, so what enters it is paid for on every turn.
type History struct {
	messages []Message
}

// Add appends messages.
func (h *History) Add(m ...Message) { h.messages = append(h.messages, m...) }

// Messages returns the conversation so far.
func (h *History) Messages() []Message { return slices.Clone(h.messages) }

// A Provider is a language model.
type Provider interface {
	Complete(ctx context.Context, history []Message) (Message, error)
}
