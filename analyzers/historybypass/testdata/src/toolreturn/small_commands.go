package toolreturn

import (
	"context"
	"encoding/json"
	"os/exec"
)

// What is large, and what nobody can know.
func commandsOfAnySize(program string) []ToolDefinition {
	return []ToolDefinition{
		{Name: "diff", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			out, err := exec.CommandContext(ctx, "git", "diff").Output()
			if err != nil {
				return "", err
			}
			return string(out), nil // want "BC1002.*process"
		}},
		{Name: "all", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			out, err := exec.CommandContext(ctx, "git", "rev-parse", "--all").Output()
			if err != nil {
				return "", err
			}
			return string(out), nil // want "BC1002.*process"
		}},
		{Name: "tags", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			out, err := exec.CommandContext(ctx, "git", "rev-parse", "--tags").Output()
			if err != nil {
				return "", err
			}
			return string(out), nil // want "BC1002.*process"
		}},
		{Name: "program", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			out, err := exec.CommandContext(ctx, program, "HEAD").Output()
			if err != nil {
				return "", err
			}
			return string(out), nil // want "BC1002.*process"
		}},
		{Name: "subcommand", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			args, err := decode[commandArgs](input)
			if err != nil {
				return "", err
			}
			out, err := exec.CommandContext(ctx, "git", args.Command, "HEAD").Output()
			if err != nil {
				return "", err
			}
			return string(out), nil // want "BC1002.*process"
		}},
		{Name: "go", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			out, err := exec.CommandContext(ctx, "go", "list", "./...").Output()
			if err != nil {
				return "", err
			}
			return string(out), nil // want "BC1002.*process"
		}},
	}
}

// A commit, a name and a version are a line each.
func okCommandsOfALine() []ToolDefinition {
	return []ToolDefinition{
		{Name: "commit", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			out, err := exec.CommandContext(ctx, "git", "rev-parse", "HEAD").Output()
			if err != nil {
				return "", err
			}
			return string(out), nil
		}},
		{Name: "branch", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			cmd := exec.Command("git", "branch", "--show-current")
			cmd.Dir = "repo"
			out, err := cmd.CombinedOutput()
			if err != nil {
				return "", err
			}
			return string(out), nil
		}},
		{Name: "user", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			out, err := exec.Command("whoami").Output()
			if err != nil {
				return "", err
			}
			return string(out), nil
		}},
		{Name: "version", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			out, err := exec.CommandContext(ctx, "go", "version").Output()
			if err != nil {
				return "", err
			}
			return string(out), nil
		}},
		{Name: "linter", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			out, err := exec.CommandContext(ctx, "linter", "--version").Output()
			if err != nil {
				return "", err
			}
			return string(out), nil
		}},
	}
}
