package traps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/openai/openai-go/v3"
)

// run returns what there is when the time is up, and only the normal way is bounded.
func run(ctx context.Context, command string) (string, error) {
	var buf bytes.Buffer
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Stdout = &buf
	cmd.Stderr = &buf
	err := cmd.Run()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return "timed out:\n" + buf.String(), nil
	}
	if err != nil {
		return "", err
	}
	return truncate(buf.String()), nil
}

func timeoutPath(ctx context.Context, command, id string) message {
	out, err := run(ctx, command)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	return openai.ToolMessage(out, id) // want "BC1001.*process"
}

func errorBranch(ctx context.Context, command, id string) message {
	out, err := shell(ctx, command)
	if err != nil {
		return openai.ToolMessage(fmt.Sprintf("failed: %v\n%s", err, out), id) // want "BC1001.*process"
	}
	return openai.ToolMessage(truncate(out), id)
}

func exemptKind(ctx context.Context, path, id string) message {
	out, err := shell(ctx, "cat "+path)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	if !strings.HasSuffix(path, "SKILL.md") {
		out = truncate(out)
	}
	return openai.ToolMessage(out, id) // want "BC1001.*process"
}

// settings turn a cap on and off.
type settings struct {
	Cap  bool
	Chat bool
}

func flagOff(ctx context.Context, s settings, command, id string) message {
	out, err := shell(ctx, command)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	if s.Cap && len(out) > maxOutput {
		out = out[:maxOutput]
	}
	return openai.ToolMessage(out, id) // want "BC1001.*process"
}

func onlyInChat(ctx context.Context, s settings, command, id string) message {
	out, err := shell(ctx, command)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	if s.Chat {
		out = truncate(out)
	}
	return openai.ToolMessage(out, id) // want "BC1001.*process"
}

// Every branch has its own bound.
func okEveryBranch(ctx context.Context, s settings, command, id string) message {
	out, err := shell(ctx, command)
	switch {
	case err != nil:
		return openai.ToolMessage(fmt.Sprintf("failed: %v\n%s", err, truncate(out)), id)
	case s.Chat:
		out = truncate(out)
	default:
		if len(out) > 500 {
			out = out[:500]
		}
	}
	return openai.ToolMessage(out, id)
}
