package testfiles

import (
	"os"
	"testing"

	"github.com/openai/openai-go/v3"
)

func okEntryInTest(path, id string) message {
	data, err := os.ReadFile(path)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	return openai.ToolMessage(string(data), id)
}

func TestEnter(t *testing.T) {
	if okEntryInTest("agent.go", "1") != enter("agent.go", "1") {
		t.Error("the two differ")
	}
}
