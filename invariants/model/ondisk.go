package model

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/boundcheck/boundcheck/invariants/subject"
)

// OnDisk is the reference model with a store in a directory of this machine, for what a disk in memory does not have:
// links. Its disk does not fail, does not crash, and its time is the machine's.
type OnDisk struct {
	*Subject
	dir string
}

// NewOnDisk returns a model whose store is below a directory, which must be there and empty. What links lead to is there, too.
func NewOnDisk(dir string) *OnDisk {
	s := New()
	s.storage.path = filepath.Join(dir, "store")
	return &OnDisk{s, dir}
}

// Caps implements [subject.Limiter].
func (s *OnDisk) Caps() subject.Caps {
	caps := subject.Caps{subject.CapLinks}
	for _, name := range subject.CapsOf(s.Subject) {
		switch name {
		case subject.CapReopen, subject.CapFault, subject.CapClock, subject.CapSweep:
		default:
			caps = append(caps, name)
		}
	}
	slices.Sort(caps)
	return caps
}

// List implements [subject.Spiller].
func (s *OnDisk) List(ctx context.Context, session string) ([]subject.Stored, error) {
	store, err := s.storage.opened()
	if err != nil {
		return nil, err
	}
	return listed(ctx, store, session)
}

// Files implements [subject.Files]. What is behind the links is outside of the store.
func (s *OnDisk) Files() ([]subject.File, error) {
	var files []subject.File
	err := filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == s.dir || path == s.storage.path || path == s.outside() || d.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(s.storage.path, path)
		files = append(files, subject.File{Path: filepath.ToSlash(relative), Mode: uint32(info.Mode().Perm()), Dir: d.IsDir()})
		return err
	})
	return files, err
}

func (s *OnDisk) outside() string { return filepath.Join(s.dir, "outside") }

// Plant implements [subject.Planter]: a link to an empty directory stands for each directory of a session, or one to a file
// that is not there for each artifact.
func (s *OnDisk) Plant(_ context.Context, place string) error {
	if err := os.MkdirAll(s.outside(), 0o700); err != nil {
		return err
	}
	pattern, target := filepath.Join(s.storage.path, "session-*"), s.outside()
	switch place {
	case "session":
	case "artifact":
		pattern, target = filepath.Join(pattern, "[0-9a-f]*"), filepath.Join(s.outside(), "file")
	default:
		return fmt.Errorf("model: no links are planted for %q", place)
	}
	paths, err := filepath.Glob(pattern)
	if err != nil {
		return err
	}
	for _, path := range paths {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
		if err := os.Symlink(target, path); err != nil {
			return err
		}
	}
	return nil
}
