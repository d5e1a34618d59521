package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"time"
)

const shellTimeout = 2 * time.Minute

// Shell runs a command.
type Shell struct{ Dir string }

// Name is how the model calls it.
func (Shell) Name() string { return "shell" }

// Call runs the command and returns what it writes. A command that fails is not an error of the tool.
func (t Shell) Call(ctx context.Context, args json.RawMessage) (string, error) {
	in, err := decode[struct {
		Command string `json:"command"`
	}](args)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, shellTimeout)
	defer cancel()
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, "sh", "-c", in.Command)
	cmd.Dir = t.Dir
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return fmt.Sprintf("%s\n[%v]", clip(out.String()), err), nil
	}
	return out.String(), nil
}
