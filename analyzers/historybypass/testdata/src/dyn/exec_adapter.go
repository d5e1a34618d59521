package dyn

import (
	"context"
	"os/exec"

	"example.org/htmltext"
)

// ExecResult is what a command gives.
type ExecResult struct {
	Output string
	Code   int
}

// SandboxRunner runs commands somewhere.
type SandboxRunner interface {
	Run(ctx context.Context, command string) (*ExecResult, error)
}

// LocalShell runs commands itself.
type LocalShell struct{}

func (LocalShell) Run(ctx context.Context, command string) (*ExecResult, error) {
	out, err := exec.CommandContext(ctx, "sh", "-c", command).Output()
	if err != nil {
		return nil, err
	}
	return &ExecResult{Output: string(out)}, nil // want "BC1002.*process"
}

// ConvertingShell runs commands itself, too, and has what they print converted by something unknown.
type ConvertingShell struct{}

func (ConvertingShell) Run(ctx context.Context, command string) (*ExecResult, error) {
	out, err := exec.CommandContext(ctx, "sh", "-c", command).Output()
	if err != nil {
		return nil, err
	}
	text, err := htmltext.FromString(string(out))
	if err != nil {
		return nil, err
	}
	return &ExecResult{Output: text}, nil // want "BC1002.*process"
}

// okShellAdapter has another run them and hands on what that gave.
type okShellAdapter struct {
	inner SandboxRunner
}

func (a *okShellAdapter) Execute(ctx context.Context, command string) (*ExecResult, error) {
	result, err := a.inner.Run(ctx, command)
	if err != nil {
		return nil, err
	}
	return result, nil
}
