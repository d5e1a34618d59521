package spill_test

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// secret is part of every content, and must be in no error.
const secret = "sk-SECRET-qqqq"

var errDisk = errors.New("the disk is gone")

// phase is where a flaky store fails.
type phase int

const (
	never phase = iota
	atCreate
	atWrite // the write that comes to more than after bytes
	atCommit
	published // when it says that it has failed, the artifact is there
	shorter   // it says that it saved less
)

// flaky is a store that fails in one phase, with an error, or with a panic whose value holds content.
type flaky struct {
	spill.Creator
	phase  phase
	after  int
	err    error
	panics bool
	blind  bool // its writers cannot be read back
}

func (f *flaky) fail(at phase) error {
	if f.phase != at {
		return nil
	}
	if f.panics {
		panic("content: " + secret)
	}
	return f.err
}

func (f *flaky) Save(ctx context.Context, req spill.Request) (spill.Ref, error) {
	for _, at := range []phase{atCreate, atWrite, atCommit} {
		if err := f.fail(at); err != nil {
			return spill.Ref{}, err
		}
	}
	ref, err := f.Creator.Save(ctx, req)
	return f.answer(ref, err)
}

func (f *flaky) answer(ref spill.Ref, err error) (spill.Ref, error) {
	if f.phase == shorter {
		ref.Bytes--
	}
	if failed := f.fail(published); failed != nil {
		return ref, failed
	}
	return ref, err
}

func (f *flaky) Open(ctx context.Context, locator string) (spill.Artifact, error) {
	if f.panics {
		panic("content: " + secret)
	}
	return f.Creator.Open(ctx, locator)
}

func (f *flaky) Create(ctx context.Context, req spill.Request) (spill.Writer, error) {
	if err := f.fail(atCreate); err != nil {
		return nil, err
	}
	w, err := f.Creator.Create(ctx, req)
	if err != nil {
		return nil, err
	}
	fw := &flakyWriter{Writer: w, f: f}
	if f.blind {
		return fw, nil
	}
	return struct {
		*flakyWriter
		io.ReaderAt
	}{fw, w.(io.ReaderAt)}, nil
}

type flakyWriter struct {
	spill.Writer
	f       *flaky
	written int
}

func (w *flakyWriter) Write(p []byte) (int, error) {
	if w.f.phase == atWrite && w.written+len(p) > w.f.after {
		n, _ := w.Writer.Write(p[:max(0, w.f.after-w.written)])
		w.written += n
		return n, w.f.fail(atWrite)
	}
	n, err := w.Writer.Write(p)
	w.written += n
	return n, err
}

func (w *flakyWriter) Commit() (spill.Ref, error) {
	if err := w.f.fail(atCommit); err != nil {
		return spill.Ref{}, err
	}
	return w.f.answer(w.Writer.Commit())
}

// plain is a store that is nothing but a Store.
type plain struct{ spill.Store }

// leftovers are the artifacts and partial files below the root of a local store.
func leftovers(t testing.TB, root string) []string {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(root, "session-*", "[.0-9a-f]*-*"))
	if err != nil {
		t.Fatal(err)
	}
	return left
}

func quiet(t testing.TB, err error) {
	t.Helper()
	if err != nil && strings.Contains(err.Error(), secret) {
		t.Errorf("content in the error %.200q", err)
	}
}
