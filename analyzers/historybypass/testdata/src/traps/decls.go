// Package traps holds code that looks as if it bounded something, beside code that does.
package traps

import (
	"context"
	"os/exec"

	"github.com/openai/openai-go/v3"
)

// message is the history's side.
type message = openai.ChatCompletionMessageParamUnion

func shell(ctx context.Context, command string) (string, error) {
	out, err := exec.CommandContext(ctx, "sh", "-c", command).CombinedOutput()
	return string(out), err
}

const maxOutput = 30_000

// truncate is a real bound.
func truncate(s string) string {
	if len(s) > maxOutput {
		return s[:maxOutput] + "…"
	}
	return s
}
