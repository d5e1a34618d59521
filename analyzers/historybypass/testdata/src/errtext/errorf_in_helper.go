package errtext

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
)

// ripgrep is no tool, but its error becomes a tool's error unchanged.
func ripgrep(ctx context.Context, term string) (string, error) {
	cmd := exec.CommandContext(ctx, "rg", "-C", "3", term)
	out, err := cmd.CombinedOutput()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() == 1 {
			return "no matches", nil
		}
		return "", fmt.Errorf("the search failed: %v\n%s", err, out) // want "BC1004.*process"
	}
	return "matches", nil
}

func search(ctx context.Context, input json.RawMessage) (string, error) {
	found, err := ripgrep(ctx, string(input))
	if err != nil {
		return "", err
	}
	return found, nil
}

// okVersion has a helper whose error is only wrapped.
func okVersion(ctx context.Context, input json.RawMessage) (string, error) {
	if err := exec.CommandContext(ctx, "rg", "--version").Run(); err != nil {
		return "", fmt.Errorf("rg is not installed: %w", err)
	}
	return "installed", nil
}

var searchTools = []ToolDefinition{{Name: "search", Function: search}, {Name: "version", Function: okVersion}}
