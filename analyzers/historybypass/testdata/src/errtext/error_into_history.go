package errtext

import (
	"context"
	"fmt"
	"os/exec"

	"github.com/openai/openai-go/v3"
)

// runMake is called by the loop itself, not through a tool, so the history entry is what counts.
func runMake(ctx context.Context, target string) error {
	out, err := exec.CommandContext(ctx, "make", target).CombinedOutput()
	if err != nil {
		return fmt.Errorf("make %s: %s", target, out)
	}
	return nil
}

func enterError(ctx context.Context, target, id string) openai.ChatCompletionMessageParamUnion {
	if err := runMake(ctx, target); err != nil {
		return openai.ToolMessage(err.Error(), id) // want "BC100[14].*process"
	}
	return openai.ToolMessage("made", id)
}

func enterFormattedError(ctx context.Context, target, id string) openai.ChatCompletionMessageParamUnion {
	if err := runMake(ctx, target); err != nil {
		return openai.ToolMessage(fmt.Sprintf("Error: %v", err), id) // want "BC100[14].*process"
	}
	return openai.ToolMessage("made", id)
}

func okEnterLookupError(ctx context.Context, name, id string) openai.ChatCompletionMessageParamUnion {
	if _, err := exec.LookPath(name); err != nil {
		return openai.ToolMessage(err.Error(), id)
	}
	return openai.ToolMessage("found", id)
}
