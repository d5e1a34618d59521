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

// Executor runs commands somewhere.
type Executor interface {
	Execute(ctx context.Context, command string, env []string, dir string) (*Result, error)
}

// Local runs them here.
type Local struct{}

// Execute runs a command to its end.
func (Local) Execute(ctx context.Context, command string, env []string, dir string) (*Result, error) {
	cmd := exec.CommandContext(ctx, "bash", "-c", command)
	cmd.Dir = dir
	cmd.Env = env
	var stdout, stderr bytes.Buffer
	cmd.Stdout = &stdout
	cmd.Stderr = &stderr
	err := cmd.Run()
	result := &Result{Command: command, Stdout: stdout.String(), Stderr: stderr.String()}
	if cmd.ProcessState != nil {
		result.ExitCode = cmd.ProcessState.ExitCode()
	}
	return result, err
}

// Exec is the plain form: standard output, standard error, exit code.
func Exec(ctx context.Context, command string) (string, string, int, error) {
	result, err := Local{}.Execute(ctx, command, nil, "")
	return result.Stdout, result.Stderr, result.ExitCode, err
}
