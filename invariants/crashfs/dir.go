package crashfs

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// dir is an open directory.
type dir struct {
	disk *Disk
	node *node
	path string
}

// begin takes the lock for an operation on a name, and counts it.
func (d *dir) begin(operation, name string) (unlock func(), err error) {
	d.disk.mu.Lock()
	if name != "." && (name == "" || name == ".." || len(name) > 255 || strings.ContainsAny(name, "/\\\x00")) {
		err = fmt.Errorf("%s %q: not one path element: %w", operation, name, fs.ErrInvalid)
	} else {
		err = d.disk.do("%s %s", operation, path.Join(d.path, name))
	}
	if err != nil {
		d.disk.mu.Unlock()
		return nil, err
	}
	return d.disk.mu.Unlock, nil
}

func pathError(op, name string, err error) error { return &fs.PathError{Op: op, Path: name, Err: err} }

func (d *dir) Mkdir(name string, perm fs.FileMode) error {
	unlock, err := d.begin("mkdir", name)
	if err != nil {
		return err
	}
	defer unlock()
	if d.node.names[name] != nil {
		return pathError("mkdir", name, fs.ErrExist)
	}
	d.node.set(name, d.disk.newDir(perm.Perm()))
	d.node.modified = d.disk.now
	return nil
}

func (d *dir) OpenDir(name string) (spill.Dir, error) {
	unlock, err := d.begin("opendir", name)
	if err != nil {
		return nil, err
	}
	defer unlock()
	n := d.node.names[name]
	switch {
	case n == nil:
		return nil, pathError("open", name, fs.ErrNotExist)
	case !n.mode.IsDir():
		return nil, fmt.Errorf("%q is no directory: %w", name, fs.ErrInvalid)
	}
	return &dir{d.disk, n, path.Join(d.path, name)}, nil
}

func (d *dir) OpenFile(name string, flag int, perm fs.FileMode) (spill.File, error) {
	operation := "open"
	if flag&os.O_CREATE != 0 {
		operation = "create"
	}
	unlock, err := d.begin(operation, name)
	if err != nil {
		return nil, err
	}
	defer unlock()
	n := d.node.names[name]
	switch {
	case n == nil && flag&os.O_CREATE == 0:
		return nil, pathError("open", name, fs.ErrNotExist)
	case n == nil:
		n = d.disk.newFile(perm.Perm())
		d.node.set(name, n)
		d.node.modified = d.disk.now
	case flag&os.O_EXCL != 0:
		return nil, pathError("open", name, fs.ErrExist)
	case !n.mode.IsRegular():
		return nil, fmt.Errorf("%q is no regular file: %w", name, fs.ErrInvalid)
	}
	return &file{disk: d.disk, node: n, path: path.Join(d.path, name), writable: flag&(os.O_RDWR|os.O_WRONLY) != 0}, nil
}

func (d *dir) Lstat(name string) (fs.FileInfo, error) {
	unlock, err := d.begin("lstat", name)
	if err != nil {
		return nil, err
	}
	defer unlock()
	n := d.node
	if name != "." {
		n = n.names[name]
	}
	if n == nil {
		return nil, pathError("lstat", name, fs.ErrNotExist)
	}
	return n.info(name), nil
}

func (d *dir) ReadDir() ([]fs.DirEntry, error) {
	unlock, err := d.begin("readdir", ".")
	if err != nil {
		return nil, err
	}
	defer unlock()
	var entries []fs.DirEntry
	for _, name := range slices.Sorted(maps.Keys(d.node.names)) {
		entries = append(entries, fs.FileInfoToDirEntry(d.node.names[name].info(name)))
	}
	return entries, nil
}

func (d *dir) Rename(from, to string) error {
	unlock, err := d.begin("rename", from)
	if err != nil {
		return err
	}
	defer unlock()
	n := d.node.names[from]
	if n == nil {
		return pathError("rename", from, fs.ErrNotExist)
	}
	d.node.apply(change{from: from, to: to, node: n})
	d.node.modified = d.disk.tick()
	return nil
}

func (d *dir) Remove(name string) error {
	unlock, err := d.begin("remove", name)
	if err != nil {
		return err
	}
	defer unlock()
	n := d.node.names[name]
	switch {
	case n == nil:
		return pathError("remove", name, fs.ErrNotExist)
	case len(n.names) > 0:
		return pathError("remove", name, errNotEmpty)
	}
	d.node.apply(change{to: name})
	d.node.modified = d.disk.tick()
	return nil
}

var errNotEmpty = fmt.Errorf("the directory is not empty: %w", fs.ErrInvalid)

func (d *dir) Sync() error {
	unlock, err := d.begin("syncdir", ".")
	if err != nil {
		return err
	}
	defer unlock()
	d.node.sync()
	return nil
}

// Close does nothing that can fail, and works after a crash: it is what a process does that ends.
func (d *dir) Close() error { return nil }

// file is an open file.
type file struct {
	disk     *Disk
	node     *node
	path     string
	writable bool
	offset   int64
	closed   bool
}

func (f *file) begin(operation string) (unlock func(), err error) {
	f.disk.mu.Lock()
	if f.closed {
		err = pathError(operation, f.path, fs.ErrClosed)
	} else {
		err = f.disk.do("%s %s", operation, f.path)
	}
	if err != nil {
		f.disk.mu.Unlock()
		return nil, err
	}
	return f.disk.mu.Unlock, nil
}

func (f *file) Read(p []byte) (int, error) {
	n, err := f.ReadAt(p, f.offset)
	f.offset += int64(n)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

func (f *file) ReadAt(p []byte, at int64) (int, error) {
	unlock, err := f.begin("read")
	if err != nil {
		return 0, err
	}
	defer unlock()
	if at < 0 {
		return 0, pathError("read", f.path, fs.ErrInvalid)
	}
	n := 0
	if at < int64(len(f.node.data)) {
		n = copy(p, f.node.data[at:])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (f *file) Write(p []byte) (int, error) {
	n, err := f.WriteAt(p, f.offset)
	f.offset += int64(n)
	return n, err
}

func (f *file) WriteString(s string) (int, error) { return f.Write([]byte(s)) }

func (f *file) WriteAt(p []byte, at int64) (int, error) {
	unlock, err := f.begin("write")
	if err != nil {
		return 0, err
	}
	defer unlock()
	if !f.writable || at < 0 {
		return 0, pathError("write", f.path, fs.ErrPermission)
	}
	f.node.writeAt(p, at)
	f.node.modified = f.disk.tick()
	return len(p), nil
}

func (f *file) Stat() (fs.FileInfo, error) {
	unlock, err := f.begin("stat")
	if err != nil {
		return nil, err
	}
	defer unlock()
	return f.node.info(path.Base(f.path)), nil
}

func (f *file) Sync() error {
	unlock, err := f.begin("sync")
	if err != nil {
		return err
	}
	defer unlock()
	f.node.sync()
	return nil
}

func (f *file) TryLock() (bool, error) {
	unlock, err := f.begin("lock")
	if err != nil {
		return false, err
	}
	defer unlock()
	if f.node.lock != nil && f.node.lock != f {
		return false, nil
	}
	f.node.lock = f
	return true, nil
}

func (f *file) Unlock() error {
	unlock, err := f.begin("unlock")
	if err != nil {
		return err
	}
	defer unlock()
	f.release()
	return nil
}

func (f *file) release() {
	if f.node.lock == f {
		f.node.lock = nil
	}
}

// Close works after a crash, too.
func (f *file) Close() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if f.closed {
		return pathError("close", f.path, fs.ErrClosed)
	}
	f.closed = true
	f.release()
	return nil
}

// info describes a node.
func (n *node) info(name string) fs.FileInfo {
	return info{name, int64(len(n.data)), n.mode, n.modified}
}

type info struct {
	name     string
	size     int64
	mode     fs.FileMode
	modified time.Time
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return i.modified }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }
