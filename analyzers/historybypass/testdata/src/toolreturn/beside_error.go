package toolreturn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// Output that is returned without an error, or with one that may be nil, is looked at.
func outputTools() []ToolDefinition {
	return []ToolDefinition{
		{Name: "nil", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			out, err := exec.CommandContext(ctx, "make").CombinedOutput()
			if err != nil {
				return string(out), nil // want "BC1002.*process"
			}
			return "made", nil
		}},
		{Name: "maybe", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			out, err := exec.CommandContext(ctx, "make").CombinedOutput()
			return string(out), err // want "BC1002.*process"
		}},
		{Name: "otherwise", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			out, err := exec.CommandContext(ctx, "make").CombinedOutput()
			if err != nil {
				return "", err
			}
			return string(out), err // want "BC1002.*process"
		}},
	}
}

// notebook has a method that is called New and may well succeed.
type notebook struct {
	notes []string
}

func (n *notebook) New(note string) error {
	n.notes = append(n.notes, note)
	return nil
}

func (n *notebook) noteTools() []ToolDefinition {
	return []ToolDefinition{{Name: "note", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
		out, err := exec.CommandContext(ctx, "make").CombinedOutput()
		if err != nil {
			return "", err
		}
		return string(out), n.New("made") // want "BC1002.*process"
	}}}
}

// What a command printed is often shown beside the error.
func printedTools() []ToolDefinition {
	return []ToolDefinition{
		{Name: "printed", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			out, err := exec.CommandContext(ctx, "make").CombinedOutput()
			if err != nil {
				return string(out), err // want "BC1002.*process"
			}
			return "made", nil
		}},
	}
}

// A tool that returns an error returns nothing else that it has read, whatever stands beside it.
func okErrorTools() []ToolDefinition {
	return []ToolDefinition{
		{Name: "checked", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			data, err := os.ReadFile("make.log")
			if err != nil {
				return string(data), err
			}
			return "made", nil
		}},
		{Name: "wrapped", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			data, err := os.ReadFile("make.log")
			if err != nil {
				return string(data), fmt.Errorf("make: %w", err)
			}
			return "made", nil
		}},
		{Name: "new", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			data, _ := os.ReadFile("make.log")
			if len(data) > 0 {
				return string(data), errors.New("make has said something")
			}
			return "made", nil
		}},
	}
}

// CommandResult is what a command has given.
type CommandResult struct {
	Output string
}

// A result that is filled in is looked at like any other.
func commandResult(ctx context.Context, command string) (*CommandResult, error) {
	out, err := exec.CommandContext(ctx, "sh", "-c", command).CombinedOutput()
	if err != nil {
		return &CommandResult{Output: string(out)}, nil // want "BC1002.*process"
	}
	return nil, nil
}

// One that is only returned beside an error is dropped like any other.
func okCommandResult(ctx context.Context, command string) (*CommandResult, error) {
	out, err := os.ReadFile(command)
	if err != nil {
		return &CommandResult{Output: string(out)}, fmt.Errorf("%s: %w", command, err)
	}
	return &CommandResult{}, nil
}

func okCommandResultByValue(ctx context.Context, command string) (CommandResult, error) {
	out, err := os.ReadFile(command)
	if err != nil {
		return CommandResult{Output: string(out)}, err
	}
	return CommandResult{}, nil
}
