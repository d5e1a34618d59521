// Package lang holds one flow in the constructs of the language: each way a value can take from a command to a history.
package lang

import (
	"context"
	"os/exec"

	"github.com/openai/openai-go/v3"
)

// message is the history's side.
type message = openai.ChatCompletionMessageParamUnion

// output is the source of every file here.
func output(ctx context.Context, command string) string {
	out, err := exec.CommandContext(ctx, "sh", "-c", command).CombinedOutput()
	if err != nil {
		return ""
	}
	return string(out)
}

// head is the bound of every file here.
func head(s string) string {
	if len(s) > 2000 {
		return s[:2000]
	}
	return s
}
