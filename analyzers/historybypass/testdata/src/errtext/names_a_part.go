package errtext

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// edit is what is to be written.
type edit struct {
	content string
	mode    os.FileMode
}

// first is the edit of one place, whatever the place is called.
func first(edits map[string]edit) any {
	for place := range edits {
		return place
	}
	return nil
}

// apply says which place it could not write. The content is no part of that.
func apply(edits map[string]edit) error {
	for place, e := range edits {
		if err := os.WriteFile(place, []byte(e.content), e.mode); err != nil {
			return fmt.Errorf("%v cannot be written: %w", first(edits), err)
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
	if err := apply(map[string]edit{"out.txt": {content: string(data), mode: 0o600}}); err != nil {
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
