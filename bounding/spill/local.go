package spill

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Local is a store of files below one directory, one directory for each session. Directories are accessible and files are
// readable for their owner only, from the first byte. Nothing outside the directory is ever opened, whatever a session, a
// name or a locator says.
//
// A file appears under its name only once all of it is on the disk, so that a crash leaves a whole artifact or none.
//
// spec: SPL-2, SPL-3, SPL-4
type Local struct {
	root *os.Root
	path string // absolute
}

// hint is for models: every agent has a tool that reads a part of a file, whatever its name.
const hint = "Read it with your file reading tool, a part at a time."

// NewLocal returns the store below dir, which is created when it is not there. It must be a directory that nobody else may
// write to. Close releases it.
func NewLocal(dir string) (*Local, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("spill: directory %q: %w", dir, err)
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("spill: create the directory of the store: %w", err)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("spill: open the directory of the store: %w", err)
	}
	info, err := root.Stat(".")
	if err == nil && info.Mode().Perm()&0o022 != 0 {
		err = fmt.Errorf("its mode is %v: others may write to it; chmod 700 it or choose another one", info.Mode())
	}
	if err != nil {
		root.Close()
		return nil, fmt.Errorf("spill: directory %q cannot hold artifacts: %w", path, err)
	}
	return &Local{root: root, path: path}, nil
}

// Close releases the directory. Artifacts stay.
func (l *Local) Close() error {
	if err := l.root.Close(); err != nil {
		return fmt.Errorf("spill: close the store: %w", err)
	}
	return nil
}

// Save implements [Store].
func (l *Local) Save(ctx context.Context, req Request) (Ref, error) {
	if err := ctx.Err(); err != nil {
		return Ref{}, fmt.Errorf("spill: save %q: %w", req.SuggestedName, err)
	}
	name, err := l.write(sessionDir(req.Owner), req)
	if err != nil {
		return Ref{}, fmt.Errorf("spill: save %q: %w", req.SuggestedName, err)
	}
	return Ref{
		Locator:       filepath.Join(l.path, name),
		Bytes:         int64(len(req.Content)),
		SHA256:        digest(req.Content),
		RetrievalHint: hint,
	}, nil
}

const (
	partial    = ".partial"
	randomLen  = 12 // hexadecimal digits
	maxNameLen = 255
	attempts   = 100 // of finding a free random name; two would be a rare event
)

// write stores the content and returns its path below the root.
func (l *Local) write(dir string, req Request) (string, error) {
	if err := l.root.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	if info, err := l.root.Lstat(dir); err != nil || !info.IsDir() {
		return "", fmt.Errorf("%s is no directory of the store: %w", dir, errors.Join(err, fs.ErrInvalid))
	}
	suffix := "-" + shortName(req.SuggestedName, maxNameLen-randomLen-1-len(partial))
	for range attempts {
		var random [randomLen / 2]byte
		rand.Read(random[:]) // never fails
		name := filepath.Join(dir, hex.EncodeToString(random[:])+suffix)
		// Whoever has the partial name has the final one, too: nobody else renames to it, and it is free.
		f, err := l.root.OpenFile(name+partial, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		taken, err := l.complete(f, name, req.Content)
		if err != nil || taken {
			err = errors.Join(err, l.root.Remove(name+partial))
		}
		if err != nil {
			return "", err
		}
		if taken {
			continue
		}
		if err := l.sync(dir); err != nil {
			return "", errors.Join(err, l.root.Remove(name))
		}
		return name, nil
	}
	return "", fmt.Errorf("no free name in %s after %d attempts", dir, attempts)
}

// complete fills a partial file and gives it its name, unless that is taken.
func (l *Local) complete(f *os.File, name, content string) (taken bool, err error) {
	_, err = f.WriteString(content)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return false, err
	}
	if _, err := l.root.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return err == nil, err
	}
	return false, l.root.Rename(name+partial, name)
}

// sync makes the names in a directory durable.
func (l *Local) sync(dir string) error {
	d, err := l.root.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Open implements [Store].
func (l *Local) Open(ctx context.Context, locator string) (Artifact, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("spill: open %q: %w", locator, err)
	}
	name, err := filepath.Rel(l.path, locator)
	if err != nil || !filepath.IsLocal(name) {
		return nil, fmt.Errorf("spill: open %q: it is not below %q: %w", locator, l.path, ErrNotFound)
	}
	info, err := l.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("spill: open %q: %w", locator, ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("spill: open: %w", err)
	}
	f, err := l.root.Open(name)
	if err != nil {
		return nil, fmt.Errorf("spill: open: %w", err)
	}
	return localArtifact{f, info.Size()}, nil
}

type localArtifact struct {
	*os.File
	size int64
}

func (a localArtifact) Size() int64 { return a.size }
