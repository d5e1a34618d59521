package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
)

// ReadFile returns the content of a file.
type ReadFile struct{ Dir string }

// Name is how the model calls it.
func (ReadFile) Name() string { return "read_file" }

// Call reads the file.
func (t ReadFile) Call(ctx context.Context, args json.RawMessage) (string, error) {
	in, err := decode[struct {
		Path string `json:"path"`
	}](args)
	if err != nil {
		return "", err
	}
	root, err := os.OpenRoot(t.Dir)
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", in.Path, err)
	}
	defer root.Close()
	data, err := root.ReadFile(in.Path)
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", in.Path, err)
	}
	text := string(data)
	slog.DebugContext(ctx, "read_file", "path", in.Path, "text", clipTo(text, 200))
	return text, nil
}
