//go:build unix

package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// An editor pretends that a comment was added to a file, by way of the -overlay flag of cmd/go.
type editor struct {
	file string // absolute
	text []byte
	dir  string // where the overlays go; each replaces the one before
}

func newEditor(file, dir string) (*editor, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("the file to be edited cannot be read: %w; choose another with -edit", err)
	}
	return &editor{file: file, text: text, dir: dir}, nil
}

// next returns the overlay of an edit that was never made before.
func (e *editor) next() (string, error) {
	edited, overlay := filepath.Join(e.dir, "edited.go"), filepath.Join(e.dir, "overlay.json")
	text := append(bytes.TrimRight(e.text, "\n"), "\n\n// "+rand.Text()+"\n"...)
	list, err := json.Marshal(map[string]map[string]string{"Replace": {e.file: edited}})
	if err != nil {
		return "", fmt.Errorf("the overlay cannot be encoded: %w", err)
	}
	if err := errors.Join(os.WriteFile(edited, text, 0o644), os.WriteFile(overlay, list, 0o644)); err != nil {
		return "", fmt.Errorf("the overlay cannot be written: %w", err)
	}
	return overlay, nil
}

// coreFile chooses the largest file of the package that most packages of the module import.
func coreFile(ctx context.Context, dir string, patterns []string) (string, error) {
	args := slices.Concat([]string{"list", "-e", "-json=ImportPath,Dir,GoFiles,Imports"}, patterns)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go list cannot tell the packages of %s: %w; choose a file with -edit", dir, err)
	}
	return mostImported(bytes.NewReader(out))
}

// mostImported reads a stream of packages as go list prints them.
func mostImported(list io.Reader) (string, error) {
	type pkg struct {
		ImportPath string
		Dir        string
		GoFiles    []string
		Imports    []string
	}
	var pkgs []pkg
	importers := map[string]int{}
	for dec := json.NewDecoder(list); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return "", fmt.Errorf("go list printed something unexpected: %w", err)
		}
		for _, i := range p.Imports {
			importers[i]++
		}
		if len(p.GoFiles) > 0 {
			pkgs = append(pkgs, p)
		}
	}
	if len(pkgs) == 0 {
		return "", errors.New("no package with Go files matches; see -pkgs")
	}
	core := slices.MinFunc(pkgs, func(a, b pkg) int {
		return cmp.Or(cmp.Compare(importers[b.ImportPath], importers[a.ImportPath]), cmp.Compare(a.ImportPath, b.ImportPath))
	})
	var largest string
	var size int64 = -1
	for _, name := range slices.Sorted(slices.Values(core.GoFiles)) {
		file := filepath.Join(core.Dir, name)
		info, err := os.Stat(file)
		if err != nil {
			return "", fmt.Errorf("%s of go list: %w", core.ImportPath, err)
		}
		if info.Size() > size {
			largest, size = file, info.Size()
		}
	}
	return largest, nil
}
