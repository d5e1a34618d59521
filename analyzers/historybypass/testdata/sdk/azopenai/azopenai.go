// Package azopenai is a stub: only names and signatures of the SDK matter to the analysis.
package azopenai

type ChatRequestMessageClassification interface{ isChatRequestMessage() }

type ChatRequestToolMessageContent struct{}

type ChatRequestToolMessage struct {
	Content    *ChatRequestToolMessageContent
	ToolCallID *string
}

func (*ChatRequestToolMessage) isChatRequestMessage() {}

type ChatCompletionsOptions struct {
	Messages []ChatRequestMessageClassification
}

func NewChatRequestToolMessageContent[T string | []byte](value T) *ChatRequestToolMessageContent {
	return nil
}
