package spill

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
)

// SaveFrom saves what a reader gives, to its end, after req.Content. With a [Creator] it takes constant memory; for other
// stores the text is read into memory first. A text of more than limit bytes is not saved: the error wraps [ErrQuota].
// [Unlimited] leaves it to the limits of the store, and for stores that are no Creator stands for 50 MiB.
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
func begin(ctx context.Context, s Store, req Request, limit int64) (Writer, error) {
	if c, ok := s.(Creator); ok {
		w, err := c.Create(ctx, req)
		if err != nil || limit < 0 {
			return w, err
		}
		return &limitedWriter{Writer: w, limit: limit, written: int64(len(req.Content))}, nil
	}
	if limit < 0 {
		limit = DefaultLimits().Artifact
	}
	w := &limitedWriter{Writer: &bufferWriter{ctx: ctx, store: s, req: req}, limit: limit}
	_, err := io.WriteString(w, req.Content)
	return w, err
}

// limitedWriter refuses what is over a limit.
type limitedWriter struct {
	Writer
	limit, written int64
}

func (w *limitedWriter) Write(p []byte) (int, error) {
	if err := ArtifactScope.check(w.limit, w.written, int64(len(p))); err != nil {
		return 0, err
	}
	n, err := w.Writer.Write(p)
	w.written += int64(n)
	return n, err
}

// bufferWriter saves in one piece what it was given in many.
type bufferWriter struct {
	ctx   context.Context
	store Store
	req   Request

	mu   sync.Mutex
	text strings.Builder
}

func (w *bufferWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

func (w *bufferWriter) Commit() (Ref, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.req.Content = w.text.String()
	return w.store.Save(w.ctx, w.req)
}

func (w *bufferWriter) Abort() error { return nil }
