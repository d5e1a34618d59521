// Package bounds holds the ways in which real agents bound what a tool says, each beside a near miss. Nothing here is known
// by its name: what a function does is read from its body.
package bounds

import (
	"context"
	"os"
	"os/exec"

	"github.com/openai/openai-go/v3"
)

// message is the history's side.
type message = openai.ChatCompletionMessageParamUnion

// shell is the source of most files here.
func shell(ctx context.Context, command string) string {
	out, err := exec.CommandContext(ctx, "sh", "-c", command).CombinedOutput()
	if err != nil {
		return string(out) + "\n(failed)"
	}
	return string(out)
}

// file is the other one.
func file(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return "the file cannot be read"
	}
	return string(data)
}

const maxOutput = 30_000
