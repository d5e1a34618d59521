// Package schema is a stub: only names and signatures of the framework matter to the analysis.
package schema

type RoleType string

const (
	Assistant RoleType = "assistant"
	User      RoleType = "user"
	System    RoleType = "system"
	Tool      RoleType = "tool"
)

type Message struct {
	Role       RoleType
	Content    string
	Name       string
	ToolCallID string
	ToolName   string
}

type ToolInfo struct {
	Name string
	Desc string
}

type ToolMessageOption func(*Message)

func WithToolName(name string) ToolMessageOption { return nil }

func ToolMessage(content string, toolCallID string, opts ...ToolMessageOption) *Message {
	return &Message{}
}

func UserMessage(content string) *Message { return &Message{} }

func AssistantMessage(content string, toolCalls []string) *Message { return &Message{} }

// StreamReader is a stream of chunks.
type StreamReader[T any] struct{}

func (sr *StreamReader[T]) Recv() (T, error) {
	var zero T
	return zero, nil
}

func (sr *StreamReader[T]) Close() {}

func StreamReaderFromArray[T any](arr []T) *StreamReader[T] { return nil }

func StreamReaderWithConvert[T, D any](sr *StreamReader[T], convert func(T) (D, error)) *StreamReader[D] {
	return nil
}
