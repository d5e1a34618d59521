package spill

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
)

// Fallback is a store that saves in the first of several stores that can, and opens what any of them has.
//
// A limit on an artifact or a session holds for all of them: what one store refuses for its size, the next is not asked to
// take. A store that is full, or fails, or panics, or says that it saved another number of bytes, is passed over. When all
// of them fail, the error tells what each one said, and the text is best shown without a pointer.
//
// What is written piece by piece moves to the next store when one fails, even at the end, with all that came before: for a
// [Local] store and for stores that are no [Creator]. The writers of other stores must be an [io.ReaderAt] for that;
// without it, and without anything that could be read again, the artifact fails when the first store does.
//
// spec: OFF-10
func Fallback(stores ...Store) Creator { return fallback(stores) }

type fallback []Store

var errNoStores = errors.New("spill: there is no store to save in")

func (f fallback) Save(ctx context.Context, req Request) (Ref, error) {
	failures := errNoStores
	for i, s := range f {
		ref, err := saveIn(ctx, s, req)
		if err == nil {
			return ref, nil
		}
		if i == 0 {
			failures = err
		} else {
			failures = errors.Join(failures, err)
		}
		if final(ctx, err) {
			break
		}
	}
	return Ref{}, withCause(ctx, failures)
}

// withCause adds why no other store was asked, when the one that failed has another reason.
func withCause(ctx context.Context, err error) error {
	if cause := ctx.Err(); cause != nil && !errors.Is(err, cause) {
		return errors.Join(err, cause)
	}
	return err
}

func saveIn(ctx context.Context, s Store, req Request) (ref Ref, err error) {
	defer contain(s, &err)
	if ref, err = s.Save(ctx, req); err != nil {
		return Ref{}, err
	}
	return sized(s, ref, int64(len(req.Content)))
}

func openIn(ctx context.Context, s Store, locator string) (a Artifact, err error) {
	defer contain(s, &err)
	return s.Open(ctx, locator)
}

// final reports whether the next store need not be tried.
func final(ctx context.Context, err error) bool {
	var quota *QuotaError
	return ctx.Err() != nil || errors.As(err, &quota) && quota.Scope != StoreScope
}

func (f fallback) Open(ctx context.Context, locator string) (Artifact, error) {
	failures := fmt.Errorf("spill: open %q: %w", clip(locator), ErrNotFound)
	for _, s := range f {
		a, err := openIn(ctx, s, locator)
		if err == nil {
			return a, nil
		}
		// What one store knows of an artifact says more than that the others know nothing.
		if !errors.Is(err, ErrNotFound) || errors.Is(err, ErrExpired) && !errors.Is(failures, ErrExpired) {
			failures = err
		}
	}
	return nil, failures
}

// Create implements [Creator].
func (f fallback) Create(ctx context.Context, req Request) (Writer, error) {
	w := &fallbackWriter{ctx: ctx, req: req, rest: f, err: errNoStores}
	w.req.Content = ""
	if err := w.next(); err != nil {
		return nil, err
	}
	if _, err := io.WriteString(w, req.Content); err != nil {
		return nil, errors.Join(err, w.Abort())
	}
	return w, nil
}

type fallbackWriter struct {
	ctx context.Context
	req Request

	mu      sync.Mutex // Abort may come from another goroutine
	rest    []Store
	current *checkedWriter
	written int64
	err     error // of the stores so far
	over    error // why nothing can be written any more
}

// next begins at the next store, with what was written so far.
func (w *fallbackWriter) next() error {
	for len(w.rest) > 0 {
		s := w.rest[0]
		w.rest = w.rest[1:]
		to, err := begin(w.ctx, s, w.req, Unlimited)
		if err == nil {
			if err = w.copy(to); err == nil {
				w.current = to
				return nil
			}
			err = errors.Join(err, to.Abort())
		}
		w.failed(err)
		if final(w.ctx, err) {
			break
		}
	}
	return withCause(w.ctx, w.err)
}

func (w *fallbackWriter) failed(err error) {
	if errors.Is(w.err, errNoStores) {
		w.err = err
	} else {
		w.err = errors.Join(w.err, err)
	}
}

func (w *fallbackWriter) copy(to Writer) error {
	if w.written == 0 {
		return nil
	}
	n, err := io.Copy(struct{ io.Writer }{to}, io.NewSectionReader(w.current, 0, w.written))
	if err == nil && n < w.written {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// replace goes on at the next store after an error of the current one.
func (w *fallbackWriter) replace(err error) {
	w.failed(err)
	if final(w.ctx, err) {
		w.over = withCause(w.ctx, w.err)
		return
	}
	old := w.current
	if w.over = w.next(); w.over == nil {
		// The text is safe elsewhere; what the old store cannot clean up it finds at the next sweep.
		w.failed(old.Abort())
	}
}

func (w *fallbackWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	done := 0
	for {
		if w.over != nil {
			return done, w.over
		}
		n, err := w.current.Write(p[done:])
		done += n
		w.written += int64(n)
		if err == nil {
			return done, nil
		}
		w.replace(err)
	}
}

func (w *fallbackWriter) Commit() (Ref, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		if w.over != nil {
			return Ref{}, w.over
		}
		ref, err := w.current.Commit()
		if err == nil {
			w.over = errEnded
			return ref, nil
		}
		w.replace(err)
	}
}

func (w *fallbackWriter) Abort() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over == nil {
		w.over = errEnded
	}
	return w.current.Abort()
}

var errEnded = fmt.Errorf("spill: the artifact is complete or given up: %w", fs.ErrClosed)
