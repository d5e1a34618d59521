//go:build !windows

package spill

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Sync makes the names in the directory durable.
func (d osDir) Sync() error {
	f, err := d.root.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

const othersWrite = 0o022

// untrusted says why a directory is not safe to store in: someone else could change what is in it.
//
// spec: SPL-2, SPL-6
func untrusted(info fs.FileInfo) error {
	if mode := info.Mode(); mode.Perm()&othersWrite != 0 {
		return fmt.Errorf("its mode is %v: others may write to it; chmod 700 it or choose another one", mode)
	}
	if !owned(info) {
		return errors.New("it belongs to another user; choose another one")
	}
	return nil
}

// ancestors says why a path is not safe: someone else could put another directory in the place of one on the way.
func ancestors(path string) error {
	child, err := os.Lstat(path)
	if err != nil {
		return err
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		info, err := os.Lstat(dir)
		if err != nil {
			return err
		}
		sticky := info.Mode()&fs.ModeSticky != 0
		if info.Mode().Perm()&othersWrite != 0 && !(sticky && (owned(child) || ownedByRoot(child))) {
			return fmt.Errorf("others may write to %q (%v) and replace what is below; choose a directory elsewhere", dir, info.Mode())
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
		child = info
	}
}
