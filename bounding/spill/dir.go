package spill

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Dir is what a [Local] store asks of a directory. [OpenDir] opens one of the operating system; the packages
// invariants/faultfs and invariants/crashfs have others, whose disks fail and whose power goes out.
//
// A name is one path element. No method follows a link: a name that is one is refused.
//
// spec: SPL-2
type Dir interface {
	Mkdir(name string, perm fs.FileMode) error
	OpenDir(name string) (Dir, error)
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	Lstat(name string) (fs.FileInfo, error) // of the directory itself for "."
	ReadDir() ([]fs.DirEntry, error)        // sorted by name
	Rename(from, to string) error
	Remove(name string) error // a file, or an empty directory
	Sync() error              // makes the names in the directory durable
	Close() error
}

// File is an open file of a [Dir].
type File interface {
	io.Reader
	io.ReaderAt
	io.Writer
	io.WriterAt
	io.StringWriter
	io.Closer
	Stat() (fs.FileInfo, error)
	Sync() error

	// TryLock takes the exclusive lock of the file, or reports that another open file has it. The lock goes with the
	// open file, so that no process that ends leaves it behind.
	TryLock() (bool, error)
	Unlock() error
}

// OpenDir opens a directory of the operating system, below which nothing outside is reachable.
func OpenDir(path string) (Dir, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, notDir(path, info)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return sameDir(root, path, info)
}

func notDir(name string, info fs.FileInfo) error {
	if info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%q is a symbolic link, and links are not followed: %w", name, fs.ErrInvalid)
	}
	return fmt.Errorf("%q is no directory: %w", name, fs.ErrInvalid)
}

// sameDir wraps an open directory if it is the one that was looked at before, and not one that took its name since.
func sameDir(root *os.Root, name string, looked fs.FileInfo) (Dir, error) {
	opened, err := root.Stat(".")
	if err == nil && !os.SameFile(looked, opened) {
		err = fmt.Errorf("%q was replaced while it was opened: %w", name, fs.ErrInvalid)
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return osDir{root}, nil
}

type osDir struct{ root *os.Root }

func (d osDir) Mkdir(name string, perm fs.FileMode) error { return d.root.Mkdir(name, perm) }
func (d osDir) Lstat(name string) (fs.FileInfo, error)    { return d.root.Lstat(name) }
func (d osDir) Rename(from, to string) error              { return d.root.Rename(from, to) }
func (d osDir) Remove(name string) error                  { return d.root.Remove(name) }
func (d osDir) ReadDir() ([]fs.DirEntry, error)           { return fs.ReadDir(d.root.FS(), ".") }
func (d osDir) Close() error                              { return d.root.Close() }

func (d osDir) OpenDir(name string) (Dir, error) {
	info, err := d.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, notDir(name, info)
	}
	root, err := d.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return sameDir(root, name, info)
}

// OpenFile opens a file. os.Root follows links that stay inside, whatever the flags say, so what was opened is compared
// with what the name stands for. Exclusive creation never opens what is there.
func (d osDir) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	const exclusive = os.O_CREATE | os.O_EXCL
	if flag&exclusive == exclusive {
		f, err := d.root.OpenFile(name, flag, perm)
		if err != nil {
			return nil, err
		}
		return osFile{f}, nil
	}
	looked, err := d.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !looked.Mode().IsRegular() { // before it is opened: opening a pipe waits for its other end
		return nil, fmt.Errorf("%q is no regular file: %w", name, fs.ErrInvalid)
	}
	f, err := d.root.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	opened, err := f.Stat()
	if err == nil && !os.SameFile(looked, opened) {
		err = fmt.Errorf("%q was replaced while it was opened: %w", name, fs.ErrInvalid)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return osFile{f}, nil
}

type osFile struct{ *os.File }

func (f osFile) TryLock() (bool, error) { return tryLock(f.File) }
func (f osFile) Unlock() error          { return unlock(f.File) }
