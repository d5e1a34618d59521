package errtext

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"

	"example.com/agent/errtext/place"
)

// A function next door makes an error of a text.
func checkNextDoor(ctx context.Context, input json.RawMessage) (string, error) {
	said, err := exec.CommandContext(ctx, "lint").CombinedOutput()
	if err != nil {
		return "", place.Reject(string(said)) // want "BC1004.*process"
	}
	return "clean", nil
}

// A function next door names a key of what it was given.
func okWriteNextDoor(ctx context.Context, input json.RawMessage) (string, error) {
	data, err := os.ReadFile("template.txt")
	if err != nil {
		return "", err
	}
	if err := place.Write(map[string]place.Text{"out.txt": {Content: string(data), Mode: 0o600}}); err != nil {
		return "", err
	}
	return "written", nil
}

var nextDoorTools = []ToolDefinition{{Name: "check", Function: checkNextDoor}, {Name: "write", Function: okWriteNextDoor}}
