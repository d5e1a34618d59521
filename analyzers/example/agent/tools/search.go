package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// Search finds the lines that hold a text.
type Search struct{ Dir string }

// Name is how the model calls it.
func (Search) Name() string { return "search" }

// Call searches every file.
func (t Search) Call(ctx context.Context, args json.RawMessage) (string, error) {
	in, err := decode[struct {
		Text string `json:"text"`
	}](args)
	if err != nil {
		return "", err
	}
	root, err := os.OpenRoot(t.Dir)
	if err != nil {
		return "", fmt.Errorf("searching: %w", err)
	}
	defer root.Close()
	var found strings.Builder
	err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := root.ReadFile(path)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(data)) {
			if strings.Contains(line, in.Text) {
				fmt.Fprintf(&found, "%s: %s", path, line)
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return "", fmt.Errorf("searching for %q: %w", in.Text, err)
	}
	return spill(found.String())
}
