package testfiles_test

import (
	"os"
	"testing"

	"github.com/openai/openai-go/v3"
)

func okEntryInExternalTest(path, id string) openai.ChatCompletionMessageParamUnion {
	data, err := os.ReadFile(path)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	return openai.ToolMessage(string(data), id)
}

func TestExternal(t *testing.T) {
	if okEntryInExternalTest("agent.go", "1").OfUser != nil {
		t.Error("a tool message is a user message")
	}
}
