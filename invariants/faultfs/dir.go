package faultfs

import (
	"io/fs"
	"os"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

var operationNames = []string{"mkdir", "opendir", "create", "open", "lstat", "readdir", "rename", "remove", "syncdir",
	"write", "read", "stat", "sync", "lock", "unlock", "close"}

// Open is for [spill.WithDir]: it opens directories as open does, and makes them fail as the program says.
func Open(open func(path string) (spill.Dir, error), p *Program) func(path string) (spill.Dir, error) {
	return func(path string) (spill.Dir, error) {
		d, err := open(path)
		if err != nil {
			return nil, err
		}
		return Wrap(d, p), nil
	}
}

// Wrap returns a directory that fails as the program says, and so does all below it.
func Wrap(d spill.Dir, p *Program) spill.Dir { return dir{d, p} }

type dir struct {
	spill.Dir
	p *Program
}

// done asks the program about an operation, and reports whether it was decided without doing it.
func (p *Program) done(op, name string) (bool, error) {
	r := p.decide(op, name, 0)
	switch {
	case r == nil, r.action == "flip":
		return false, nil
	case r.action == "lie":
		return true, nil
	}
	return true, r.fault(op, name)
}

func (d dir) Mkdir(name string, perm fs.FileMode) error {
	if done, err := d.p.done("mkdir", name); done {
		return err
	}
	return d.Dir.Mkdir(name, perm)
}

func (d dir) OpenDir(name string) (spill.Dir, error) {
	if done, err := d.p.done("opendir", name); done && err != nil {
		return nil, err
	}
	inner, err := d.Dir.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return dir{inner, d.p}, nil
}

func (d dir) OpenFile(name string, flag int, perm fs.FileMode) (spill.File, error) {
	op := "open"
	if flag&os.O_CREATE != 0 {
		op = "create"
	}
	if done, err := d.p.done(op, name); done && err != nil {
		return nil, err
	}
	inner, err := d.Dir.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return file{inner, d.p, name}, nil
}

func (d dir) Lstat(name string) (fs.FileInfo, error) {
	if done, err := d.p.done("lstat", name); done && err != nil {
		return nil, err
	}
	return d.Dir.Lstat(name)
}

func (d dir) ReadDir() ([]fs.DirEntry, error) {
	if done, err := d.p.done("readdir", "."); done && err != nil {
		return nil, err
	}
	return d.Dir.ReadDir()
}

func (d dir) Rename(from, to string) error {
	if done, err := d.p.done("rename", to); done {
		return err
	}
	return d.Dir.Rename(from, to)
}

func (d dir) Remove(name string) error {
	if done, err := d.p.done("remove", name); done {
		return err
	}
	return d.Dir.Remove(name)
}

func (d dir) Sync() error {
	if done, err := d.p.done("syncdir", "."); done {
		return err
	}
	return d.Dir.Sync()
}

// Close closes the directory even if it fails, so that no test leaks it.
func (d dir) Close() error {
	_, err := d.p.done("close", ".")
	if closed := d.Dir.Close(); err == nil {
		err = closed
	}
	return err
}

type file struct {
	spill.File
	p    *Program
	name string
}

// write writes, or less than that.
func (f file) write(bytes int, write func(n int) (int, error)) (int, error) {
	r := f.p.decide("write", f.name, bytes)
	switch {
	case r == nil, r.action == "flip":
		return write(bytes)
	case r.action == "lie":
		return bytes, nil
	case r.action == "short":
		n, err := write(min(r.number, bytes))
		if err != nil {
			return n, err
		}
		return n, r.fault("write", f.name)
	}
	return 0, r.fault("write", f.name)
}

func (f file) Write(p []byte) (int, error) {
	return f.write(len(p), func(n int) (int, error) { return f.File.Write(p[:n]) })
}

func (f file) WriteString(s string) (int, error) {
	return f.write(len(s), func(n int) (int, error) { return f.File.WriteString(s[:n]) })
}

func (f file) WriteAt(p []byte, at int64) (int, error) {
	return f.write(len(p), func(n int) (int, error) { return f.File.WriteAt(p[:n], at) })
}

// read reads, or less, or something else.
func (f file) read(p []byte, read func(p []byte) (int, error)) (int, error) {
	r := f.p.decide("read", f.name, 0)
	switch {
	case r == nil, r.action == "lie":
		return read(p)
	case r.action == "flip":
		n, err := read(p)
		if r.number < n {
			p[r.number] ^= 1
		}
		return n, err
	case r.action == "short":
		n, err := read(p[:min(r.number, len(p))])
		if err != nil {
			return n, err
		}
		return n, r.fault("read", f.name)
	}
	return 0, r.fault("read", f.name)
}

func (f file) Read(p []byte) (int, error) { return f.read(p, f.File.Read) }

func (f file) ReadAt(p []byte, at int64) (int, error) {
	return f.read(p, func(p []byte) (int, error) { return f.File.ReadAt(p, at) })
}

func (f file) Stat() (fs.FileInfo, error) {
	if done, err := f.p.done("stat", f.name); done && err != nil {
		return nil, err
	}
	return f.File.Stat()
}

func (f file) Sync() error {
	if done, err := f.p.done("sync", f.name); done {
		return err
	}
	return f.File.Sync()
}

func (f file) TryLock() (bool, error) {
	if done, err := f.p.done("lock", f.name); done {
		return err == nil, err
	}
	return f.File.TryLock()
}

func (f file) Unlock() error {
	if done, err := f.p.done("unlock", f.name); done {
		return err
	}
	return f.File.Unlock()
}

// Close closes the file even if it fails, so that no test leaks it.
func (f file) Close() error {
	_, err := f.p.done("close", f.name)
	if closed := f.File.Close(); err == nil {
		err = closed
	}
	return err
}
