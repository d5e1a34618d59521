package dyn

import (
	"encoding/json"

	openai "github.com/sashabaranov/go-openai"
)

func answerCall(def Definition, call openai.ToolCall) openai.ChatCompletionMessage {
	response, err := def.Function(json.RawMessage(call.Function.Arguments))
	if err != nil {
		response = "the tool failed"
	}
	return openai.ChatCompletionMessage{
		Role:       openai.ChatMessageRoleTool,
		Content:    response, // want "BC1001.*tool"
		ToolCallID: call.ID,
	}
}

func answerCallInParts(def Definition, call openai.ToolCall, history []openai.ChatCompletionMessage) []openai.ChatCompletionMessage {
	response, err := def.Function(json.RawMessage(call.Function.Arguments))
	if err != nil {
		return history
	}
	return append(history, openai.ChatCompletionMessage{
		Role:         openai.ChatMessageRoleTool,
		MultiContent: []openai.ChatMessagePart{{Type: openai.ChatMessagePartTypeText, Text: response}}, // want "BC1001.*tool"
		ToolCallID:   call.ID,
	})
}

// The same literal with what the model said.
func okModelReply(resp openai.ChatCompletionResponse, history []openai.ChatCompletionMessage) []openai.ChatCompletionMessage {
	return append(history, openai.ChatCompletionMessage{
		Role:    openai.ChatMessageRoleAssistant,
		Content: resp.Choices[0].Message.Content,
	})
}
