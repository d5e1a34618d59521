package errtext

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

var commandTools = []ToolDefinition{
	{Name: "build", Function: build},
	{Name: "lint", Function: lint},
	{Name: "format", Function: okFormat},
	{Name: "test", Function: okTest},
	{Name: "vet", Function: okStderrOfOutput},
}

func build(ctx context.Context, input json.RawMessage) (string, error) {
	out, err := exec.CommandContext(ctx, "make").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("the build failed: %w\n%s", err, out) // want "BC1004.*process"
	}
	return "built", nil
}

func lint(ctx context.Context, input json.RawMessage) (string, error) {
	out, err := exec.CommandContext(ctx, "golint", "./...").CombinedOutput()
	if err != nil {
		return "", errors.New("lint: " + strings.TrimSpace(string(out))) // want "BC1004.*process"
	}
	return "clean", nil
}

// Wrapping an error of the library is no output.
func okFormat(ctx context.Context, input json.RawMessage) (string, error) {
	if _, err := exec.CommandContext(ctx, "gofmt", "-l", ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("gofmt cannot be run: %w", err)
	}
	return "formatted", nil
}

const maxError = 4 << 10

func clipped(s string) string {
	if len(s) > maxError {
		return s[:maxError/2] + " … " + s[len(s)-maxError/2:]
	}
	return s
}

func okTest(ctx context.Context, input json.RawMessage) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "test", "./...").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("the tests failed: %w\n%s", err, clipped(string(out)))
	}
	return "passed", nil
}

// Output keeps no more than 64 KB of standard error in its error.
func okStderrOfOutput(ctx context.Context, input json.RawMessage) (string, error) {
	_, err := exec.CommandContext(ctx, "go", "vet", "./...").Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return "", fmt.Errorf("vet: %s", exit.Stderr)
	}
	return "fine", err
}
