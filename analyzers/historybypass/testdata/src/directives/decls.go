// Package directives holds code whose author says what the analysis cannot see, and what it should not say.
package directives

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
