package spill_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// faults makes the n-th operation that changes something fail, or all from it on.
type faults struct {
	at    int64 // counted from 1; 0 is never
	on    bool  // all later ones fail, too
	err   error
	count atomic.Int64
	broke atomic.Bool
}

func (f *faults) next() error {
	n := f.count.Add(1)
	if f.at == 0 || n != f.at && !(f.on && n > f.at) {
		return nil
	}
	f.broke.Store(true)
	return f.err
}

type faultyDir struct {
	spill.Dir
	f *faults
}

type faultyFile struct {
	spill.File
	f *faults
}

func (d faultyDir) OpenDir(name string) (spill.Dir, error) {
	inner, err := d.Dir.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return faultyDir{inner, d.f}, nil
}

func (d faultyDir) Mkdir(name string, perm fs.FileMode) error {
	if err := d.f.next(); err != nil {
		return err
	}
	return d.Dir.Mkdir(name, perm)
}

func (d faultyDir) OpenFile(name string, flag int, perm fs.FileMode) (spill.File, error) {
	if flag&(os.O_CREATE|os.O_RDWR|os.O_WRONLY) != 0 {
		if err := d.f.next(); err != nil {
			return nil, err
		}
	}
	inner, err := d.Dir.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return faultyFile{inner, d.f}, nil
}

func (d faultyDir) Rename(from, to string) error {
	if err := d.f.next(); err != nil {
		return err
	}
	return d.Dir.Rename(from, to)
}

func (d faultyDir) Sync() error {
	if err := d.f.next(); err != nil {
		return err
	}
	return d.Dir.Sync()
}

// WriteString writes half of it before it fails, as a full disk does.
func (f faultyFile) WriteString(s string) (int, error) {
	if err := f.f.next(); err != nil {
		n, _ := f.File.WriteString(s[:len(s)/2])
		return n, err
	}
	return f.File.WriteString(s)
}

func (f faultyFile) Write(p []byte) (int, error) {
	if err := f.f.next(); err != nil {
		n, _ := f.File.Write(p[:len(p)/2])
		return n, err
	}
	return f.File.Write(p)
}

func (f faultyFile) Sync() error {
	if err := f.f.next(); err != nil {
		return err
	}
	return f.File.Sync()
}

func faulty(t *testing.T, root string, f *faults, limits spill.Limits) *spill.Local {
	t.Helper()
	l, err := spill.NewLocal(root, spill.WithLimits(limits), spill.WithDir(func(path string) (spill.Dir, error) {
		d, err := spill.OpenDir(path)
		if err != nil {
			return nil, err
		}
		return faultyDir{d, f}, nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// Every operation of a save fails once: nothing is left, the room is given back, and the content is not told.
//
// spec: SPL-3, OFF-10
func TestFailedSavesLeaveNothing(t *testing.T) {
	const size = 1_000
	limits := spill.Limits{Artifact: size, Session: size, Store: size}
	secret := strings.Repeat("qqqq", size/4)
	ways := map[string]func(s *spill.Local) error{
		"save": func(s *spill.Local) error {
			_, err := s.Save(t.Context(), spill.Request{Owner: "s", SuggestedName: "a", Content: secret})
			return err
		},
		"stream": func(s *spill.Local) error {
			_, err := spill.SaveFrom(t.Context(), s, spill.Request{Owner: "s", SuggestedName: "a"}, strings.NewReader(secret), spill.Unlimited)
			return err
		},
	}
	for way, save := range ways {
		steps := 0
		for at := int64(1); ; at++ {
			root := t.TempDir()
			f := &faults{at: at, err: syscall.ENOSPC}
			l := faulty(t, root, f, limits)
			err := save(l)
			if !f.broke.Load() {
				if err != nil {
					t.Errorf("%s: %v", way, err)
				}
				break
			}
			steps++
			saved, _ := filepath.Glob(filepath.Join(root, "session-*", "[.0-9a-f]*-*"))
			switch {
			case err == nil && len(saved) == 1: // what was not needed failed
				if u, err := l.Usage(t.Context(), "s"); err != nil || u != (spill.Usage{Artifacts: 1, Bytes: size}) {
					t.Errorf("%s, step %d: %+v, %v", way, at, u, err)
				}
				continue
			case err == nil || !errors.Is(err, syscall.ENOSPC):
				t.Errorf("%s, step %d: %v %q", way, at, err, saved)
			case strings.Contains(err.Error(), "qqq"):
				t.Errorf("%s, step %d: content in the error", way, at)
			case len(saved) != 0:
				t.Errorf("%s, step %d: left %q after %v", way, at, saved, err)
			}
			if err := save(l); err != nil { // it fits only if nothing is leaked
				t.Errorf("%s, step %d: the room is gone: %v", way, at, err)
			}
			if u, err := l.Usage(t.Context(), "s"); err != nil || u != (spill.Usage{Artifacts: 1, Bytes: size}) {
				t.Errorf("%s, step %d: %+v, %v", way, at, u, err)
			}
		}
		if steps < 5 {
			t.Errorf("%s: only %d steps can fail", way, steps)
		}
		t.Logf("%s: %d steps failed", way, steps)
	}
}

// Where nothing can be written, what is there can be read, listed and counted.
//
// spec: SPL-7
func TestReadOnlyRoot(t *testing.T) {
	root := t.TempDir()
	ref, err := openLocal(t, root, spill.DefaultLimits()).Save(t.Context(), spill.Request{Owner: "s", SuggestedName: "a", Content: "text"})
	if err != nil {
		t.Fatal(err)
	}
	l := faulty(t, root, &faults{at: 1, on: true, err: syscall.EROFS}, spill.DefaultLimits())
	if err := spill.Verify(t.Context(), l, ref); err != nil {
		t.Error(err)
	}
	if u, err := l.Usage(t.Context(), "s"); err != nil || u != (spill.Usage{Artifacts: 1, Bytes: 4}) {
		t.Errorf("%+v, %v", u, err)
	}
	if list, err := l.List(t.Context(), "s"); err != nil || len(list) != 1 || list[0].Locator != ref.Locator {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := l.Save(t.Context(), spill.Request{Owner: "s", Content: "b"}); !errors.Is(err, syscall.EROFS) {
		t.Error(err)
	}
	other := newLocal(t, spill.DefaultLimits())
	got, err := spill.Fallback(l, other).Save(t.Context(), spill.Request{Owner: "s", Content: "b"})
	if err != nil || spill.Verify(t.Context(), other, got) != nil {
		t.Errorf("no fallback: %+v, %v", got, err)
	}
}
