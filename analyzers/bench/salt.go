//go:build unix

package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// A salter makes copies of a vettool that cmd/go takes for other tools.
type salter struct {
	bin string
	dir string // where the copies go; each replaces the one before
	id  string // what bin answers to -V=full
}

func newSalter(ctx context.Context, bin, dir string) (*salter, error) {
	id, err := identity(ctx, bin)
	if err != nil {
		return nil, err
	}
	// cmd/go may use the name of the tool in its identity, hence one name for all copies, that of the tool.
	return &salter{bin: bin, dir: dir, id: id}, nil
}

// identity asks a vettool what cmd/go asks it.
func identity(ctx context.Context, bin string) (string, error) {
	out, err := exec.CommandContext(ctx, bin, "-V=full").Output()
	if err != nil {
		return "", fmt.Errorf("%s does not answer -V=full as a vettool does: %w", bin, err)
	}
	return string(out), nil
}

// next returns a copy with an identity of its own. Trailing bytes change no section of an executable.
func (s *salter) next(ctx context.Context) (string, error) {
	text, err := os.ReadFile(s.bin)
	if err != nil {
		return "", fmt.Errorf("the tool cannot be copied: %w", err)
	}
	name := filepath.Join(s.dir, filepath.Base(s.bin))
	// A new file each time: a running executable cannot be written to.
	if err := os.RemoveAll(name); err != nil {
		return "", fmt.Errorf("the last copy of the tool cannot be removed: %w", err)
	}
	if err := os.WriteFile(name, append(text, rand.Text()...), 0o755); err != nil {
		return "", fmt.Errorf("the tool cannot be copied: %w", err)
	}
	id, err := identity(ctx, name)
	if err != nil {
		return "", err
	}
	if id == s.id {
		return "", fmt.Errorf("%s has the same identity as a copy with other bytes (%q), so a cold run cannot be had", s.bin, id)
	}
	return name, nil
}
