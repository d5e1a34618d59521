package errtext

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// edit is what is to be written where.
type edit struct {
	path    string
	content string
}

// apply says which file it could not write. The content of the file is no part of that.
func apply(edits []edit, write func(path, content string) error) error {
	for _, e := range edits {
		if err := write(e.path, e.content); err != nil {
			return fmt.Errorf("%s cannot be written: %w", e.path, err)
		}
	}
	return nil
}

// rejected says what the checker said, all of it.
func rejected(said string) error { return errors.New("the change is rejected: " + said) }

func okApply(ctx context.Context, input json.RawMessage) (string, error) {
	data, err := os.ReadFile("template.txt")
	if err != nil {
		return "", err
	}
	edits := []edit{{path: "out.txt", content: string(data)}}
	if err := apply(edits, func(path, content string) error { return os.WriteFile(path, []byte(content), 0o600) }); err != nil {
		return "", err
	}
	return "written", nil
}

func check(ctx context.Context, input json.RawMessage) (string, error) {
	said, err := exec.CommandContext(ctx, "lint").CombinedOutput()
	if err != nil {
		return "", rejected(string(said)) // want "BC1004.*process"
	}
	return "clean", nil
}

func partTools() []ToolDefinition {
	return []ToolDefinition{{Name: "apply", Function: okApply}, {Name: "check", Function: check}}
}
