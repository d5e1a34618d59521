package errtext

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
)

// toolError is an error with details, which the agent prints for the model.
type toolError struct {
	Code    string
	Message string
	Details map[string]any
}

func (e *toolError) Error() string { return fmt.Sprintf("%s: %s %v", e.Code, e.Message, e.Details) }

func newToolError(code, message string) *toolError {
	return &toolError{Code: code, Message: message, Details: map[string]any{}}
}

func (e *toolError) with(key string, value any) *toolError {
	e.Details[key] = value
	return e
}

func detailed(ctx context.Context, input json.RawMessage) (string, error) {
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, "sh", "-c", string(input))
	cmd.Stdout = &out
	cmd.Stderr = &out
	if err := cmd.Run(); err != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return "", newToolError("TIMEOUT", "the command took too long").with("output", out.String()) // want "BC1004.*process"
		}
		return "", newToolError("FAILED", "the command failed").with("bytes", out.Len())
	}
	return "done", nil
}

func okDetailed(ctx context.Context, input json.RawMessage) (string, error) {
	if err := exec.CommandContext(ctx, "sh", "-c", string(input)).Run(); err != nil {
		return "", newToolError("FAILED", "the command failed").with("error", err.Error()).with("command", string(input))
	}
	return "done", nil
}

var detailTools = []ToolDefinition{{Name: "detailed", Function: detailed}, {Name: "ok", Function: okDetailed}}
