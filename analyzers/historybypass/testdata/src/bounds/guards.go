package bounds

import (
	"context"
	"errors"

	"github.com/openai/openai-go/v3"
)

func okGuardReturnsError(ctx context.Context, command, id string) (message, error) {
	out := shell(ctx, command)
	if len(out) > maxOutput {
		return message{}, errors.New("the output is too long")
	}
	return openai.ToolMessage(out, id), nil
}

func okGuardReturnsNote(ctx context.Context, command, id string) message {
	out := shell(ctx, command)
	if maxOutput < len(out) {
		return openai.ToolMessage("the output is too long", id)
	}
	return openai.ToolMessage(out, id)
}

func okGuardPositive(ctx context.Context, command, id string) message {
	out := shell(ctx, command)
	if len(out) <= maxOutput {
		return openai.ToolMessage(out, id)
	}
	return openai.ToolMessage(out[:maxOutput], id)
}

func okGuardNegated(ctx context.Context, command, id string) message {
	out := shell(ctx, command)
	if !(len(out) <= maxOutput) {
		out = "too long"
	}
	return openai.ToolMessage(out, id)
}

func okGuardSwitch(ctx context.Context, command, id string) message {
	out := shell(ctx, command)
	switch {
	case out == "":
		return openai.ToolMessage("no output", id)
	case len(out) > maxOutput:
		return openai.ToolMessage(out[:maxOutput], id)
	default:
		return openai.ToolMessage(out, id)
	}
}

func okGuardConjunction(ctx context.Context, command, id string) message {
	out := shell(ctx, command)
	if out != "" && len(out) < maxOutput {
		return openai.ToolMessage(out, id)
	}
	return openai.ToolMessage("nothing, or too much", id)
}

func okGuardDisjunction(ctx context.Context, command, id string) message {
	out := shell(ctx, command)
	if out == "" || len(out) >= maxOutput {
		return openai.ToolMessage("nothing, or too much", id)
	}
	return openai.ToolMessage(out, id)
}

func okGuardContinue(ctx context.Context, commands []string, id string) []message {
	var messages []message
	for _, command := range commands {
		out := shell(ctx, command)
		if len(out) > maxOutput {
			messages = append(messages, openai.ToolMessage("too long", id))
			continue
		}
		messages = append(messages, openai.ToolMessage(out, id))
	}
	return messages
}

func okGuardOfDifference(ctx context.Context, command, id string) message {
	out := shell(ctx, command)
	if over := len(out) - maxOutput; over > 0 {
		out = out[over:]
	}
	return openai.ToolMessage(out, id)
}

func okGuardInt64(ctx context.Context, command, id string) message {
	out := shell(ctx, command)
	if int64(len(out)) >= int64(maxOutput) {
		out = out[:maxOutput]
	}
	return openai.ToolMessage(out, id)
}

func okGuardVariable(ctx context.Context, command, id string) message {
	out := shell(ctx, command)
	tooLong := len(out) > maxOutput
	if tooLong {
		out = out[:maxOutput]
	}
	return openai.ToolMessage(out, id)
}

// The guard asks whether there is enough, not whether there is too much.
func guardUpsideDown(ctx context.Context, command, id string) message {
	out := shell(ctx, command)
	if len(out) < 10 {
		return openai.ToolMessage("hardly any output", id)
	}
	return openai.ToolMessage(out, id) // want "BC1001.*process"
}

// The guard notices and goes on.
func guardOnlyCounts(ctx context.Context, command, id string, tooLong *int) message {
	out := shell(ctx, command)
	if len(out) > maxOutput {
		*tooLong++
	}
	return openai.ToolMessage(out, id) // want "BC1001.*process"
}

// The guard measures something else.
func guardOfAnother(ctx context.Context, command, id string) message {
	out := shell(ctx, command)
	if len(command) > maxOutput {
		return openai.ToolMessage("the command is too long", id)
	}
	return openai.ToolMessage(out, id) // want "BC1001.*process"
}

// Either of two conditions lets it pass.
func guardTooWeak(ctx context.Context, command, id string, verbose bool) message {
	out := shell(ctx, command)
	if verbose || len(out) < maxOutput {
		return openai.ToolMessage(out, id) // want "BC1001.*process"
	}
	return openai.ToolMessage("too long", id)
}
