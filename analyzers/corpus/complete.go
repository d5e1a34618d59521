package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// incomplete reports whether a run was stopped by a go.sum that lacks lines, as those of examples often do.
func (r moduleRun) incomplete() bool {
	return slices.ContainsFunc(r.problems, func(p problem) bool { return strings.Contains(p.Message, "missing go.sum entry") })
}

// completing returns the environment in which the go command adds missing lines to copies of go.mod and go.sum
// in scratch, while those of the module in dir stay as they are.
func completing(ctx context.Context, dir, scratch string) ([]string, error) {
	for _, ext := range []string{".mod", ".sum"} {
		text, err := os.ReadFile(filepath.Join(dir, "go"+ext))
		if err != nil && !(ext == ".sum" && errors.Is(err, os.ErrNotExist)) {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(scratch, "go"+ext), text, 0o644); err != nil {
			return nil, err
		}
	}
	// The variable hides what "go env -w" has set, so that is asked for as well.
	flags, err := exec.CommandContext(ctx, "go", "env", "GOFLAGS").Output()
	if err != nil {
		return nil, err
	}
	all := strings.TrimSpace(string(flags)) + " -mod=mod -modfile=" + filepath.Join(scratch, "go.mod")
	return []string{"GOFLAGS=" + strings.TrimSpace(all)}, nil
}
