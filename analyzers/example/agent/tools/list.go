package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// List names the files below a directory.
type List struct{ Dir string }

// Name is how the model calls it.
func (List) Name() string { return "list" }

// Call lists the files.
func (t List) Call(ctx context.Context, args json.RawMessage) (string, error) {
	in, err := decode[struct {
		Path string `json:"path"`
	}](args)
	if err != nil {
		return "", err
	}
	root, err := os.OpenRoot(t.Dir)
	if err != nil {
		return "", fmt.Errorf("listing %s: %w", in.Path, err)
	}
	defer root.Close()
	var names []string
	err = fs.WalkDir(root.FS(), filepath.Clean(in.Path), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() {
			names = append(names, path)
		}
		return ctx.Err()
	})
	if err != nil {
		return "", fmt.Errorf("listing %s: %w", in.Path, err)
	}
	return clip(strings.Join(names, "\n")), nil
}
