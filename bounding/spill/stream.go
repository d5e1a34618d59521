package spill

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// SaveFrom saves what a reader gives, to its end, after req.Content. With a [Creator] it takes constant memory; for other
// stores the text is read into memory first. A text of more than limit bytes, req.Content included, is not saved: the error
// wraps [ErrQuota]. [Unlimited] leaves it to the limits of the store, and for stores that are no Creator stands for 50 MiB.
// The context is looked at between two reads; it does not interrupt one.
func SaveFrom(ctx context.Context, s Store, req Request, r io.Reader, limit int64) (ref Ref, err error) {
	w, err := begin(ctx, s, req, limit)
	if err != nil {
		return Ref{}, err
	}
	committed := false
	defer func() { // also when the reader panics
		if committed {
			return
		}
		if aborted := w.Abort(); aborted != nil {
			err = errors.Join(err, aborted)
		}
	}()
	if _, err = io.CopyBuffer(struct{ io.Writer }{w}, reader{ctx, r}, make([]byte, 64<<10)); err != nil {
		return Ref{}, err
	}
	ref, err = w.Commit()
	committed = err == nil
	return ref, err
}

// begin returns a writer into any store.
func begin(ctx context.Context, s Store, req Request, limit int64) (_ *checkedWriter, err error) {
	defer contain(s, &err)
	c, streams := s.(Creator)
	if limit < 0 && !streams {
		limit = DefaultLimits().Artifact
	}
	size := int64(len(req.Content))
	if err := ArtifactScope.check(limit, 0, size); err != nil {
		return nil, err
	}
	w := &checkedWriter{store: s, limit: limit, written: size}
	if !streams {
		b := &bufferWriter{ctx: ctx, store: s, req: req}
		b.text.WriteString(req.Content)
		w.to = b
	} else if w.to, err = c.Create(ctx, req); err != nil {
		return nil, err
	}
	return w, nil
}

// contain makes an error of a store's panic. It tells the type of the value only, because the value may hold content.
func contain(s Store, err *error) {
	if cause := recover(); cause != nil {
		*err = fmt.Errorf("spill: the store %T panicked with a %T", s, cause)
	}
}

// checkedWriter refuses what is over a limit, and does not rely on what a store says.
type checkedWriter struct {
	to             Writer
	store          Store
	limit, written int64
}

func (w *checkedWriter) Write(p []byte) (n int, err error) {
	defer contain(w.store, &err)
	if err := ArtifactScope.check(w.limit, w.written, int64(len(p))); err != nil {
		return 0, err
	}
	n, err = w.to.Write(p)
	if n < 0 || n > len(p) || n < len(p) && err == nil {
		err = errors.Join(err, fmt.Errorf("spill: the store %T says that it wrote %d bytes of %d", w.store, n, len(p)))
	}
	n = max(0, min(n, len(p)))
	w.written += int64(n)
	return n, err
}

func (w *checkedWriter) Commit() (ref Ref, err error) {
	defer contain(w.store, &err)
	if ref, err = w.to.Commit(); err != nil {
		return Ref{}, err
	}
	return sized(w.store, ref, w.written)
}

// sized refuses an artifact that is not as long as what was given.
func sized(s Store, ref Ref, want int64) (Ref, error) {
	if ref.Bytes != want {
		return Ref{}, fmt.Errorf("spill: the store %T says that it saved %d bytes of %d", s, ref.Bytes, want)
	}
	return ref, nil
}

func (w *checkedWriter) Abort() (err error) {
	defer contain(w.store, &err)
	return w.to.Abort()
}

// ReadAt reads what was written, if the store can.
func (w *checkedWriter) ReadAt(p []byte, off int64) (n int, err error) {
	defer contain(w.store, &err)
	if r, ok := w.to.(io.ReaderAt); ok {
		return r.ReadAt(p, off)
	}
	return 0, fmt.Errorf("spill: what the store %T was given cannot be read back for the next one", w.store)
}

// bufferWriter saves in one piece what it was given in many. Whoever holds it uses it from one goroutine at a time, and not
// after the end.
type bufferWriter struct {
	ctx   context.Context
	store Store
	req   Request
	text  strings.Builder
}

func (w *bufferWriter) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.text.Write(p)
}

func (w *bufferWriter) Commit() (Ref, error) {
	w.req.Content = w.text.String()
	return w.store.Save(w.ctx, w.req)
}

func (w *bufferWriter) Abort() error {
	w.req.Content = ""
	w.text.Reset()
	return nil
}

// ReadAt reads what was written, so that another store can take over.
func (w *bufferWriter) ReadAt(p []byte, off int64) (int, error) {
	return strings.NewReader(w.text.String()).ReadAt(p, off)
}
