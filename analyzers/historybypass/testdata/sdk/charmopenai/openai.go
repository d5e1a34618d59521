// Package openai is a stub of a fork: the names are those of the original.
package openai

type ChatCompletionMessageParamUnion struct{}

func ToolMessage[T string | []byte](content T, toolCallID string) ChatCompletionMessageParamUnion {
	return ChatCompletionMessageParamUnion{}
}
