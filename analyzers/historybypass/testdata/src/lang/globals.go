package lang

import (
	"context"

	"github.com/openai/openai-go/v3"
)

var (
	lastOutput string
	lastName   string
)

func remember(ctx context.Context, command string) {
	lastOutput = output(ctx, command)
	lastName = command
}

func recall(id string) message {
	return openai.ToolMessage(lastOutput, id) // want "BC1001.*process"
}

func okRecallName(id string) message {
	return openai.ToolMessage("last: "+lastName, id)
}
