// Package testfiles has an agent with tests: only the agent is reported.
package testfiles

import (
	"os"

	"github.com/openai/openai-go/v3"
)

// message is the history's side.
type message = openai.ChatCompletionMessageParamUnion

func read(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(data)
}

func enter(path, id string) message {
	return openai.ToolMessage(read(path), id) // want "BC1001.*file"
}

func okEnterSize(path, id string) message {
	if read(path) == "" {
		return openai.ToolMessage("empty", id)
	}
	return openai.ToolMessage("not empty", id)
}
