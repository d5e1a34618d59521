package testfiles

import (
	"os"
	"testing"

	"github.com/openai/openai-go/v3"
)

// Nothing is reported in a test file, but an ignore in it is not stale: it counts when the file is looked at.
func okIgnoredInTest(path, id string) message {
	data, err := os.ReadFile(path)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	return openai.ToolMessage(string(data), id) //boundcheck:ignore BC1001 a file of this package
}

func TestIgnored(t *testing.T) {
	okIgnoredInTest("agent.go", "1")
}
