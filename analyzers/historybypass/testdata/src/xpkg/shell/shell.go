// Package shell runs commands for the tools next door.
package shell

import (
	"bytes"
	"context"
	"os/exec"
)

// Result is what a command printed.
type Result struct {
	Command  string
	Stdout   string
	Stderr   string
	ExitCode int
}

func capture(ctx context.Context, command string) (Result, error) {
	cmd := exec.CommandContext(ctx, "bash", "-c", command)
	var stdout, stderr bytes.Buffer
	cmd.Stdout = &stdout
	cmd.Stderr = &stderr
	err := cmd.Run()
	result := Result{Command: command, Stdout: stdout.String(), Stderr: stderr.String()}
	if cmd.ProcessState != nil {
		result.ExitCode = cmd.ProcessState.ExitCode()
	}
	return result, err
}

// Exec returns standard output, standard error and the exit code.
func Exec(ctx context.Context, command string) (string, string, int, error) {
	result, err := capture(ctx, command)
	return result.Stdout, result.Stderr, result.ExitCode, err
}

// Executor runs commands somewhere else: in a container, on another machine.
type Executor interface {
	Execute(ctx context.Context, command string, env []string, dir string) (*Result, error)
}
