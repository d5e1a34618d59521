package spill

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// Fallback is a store that saves in the first of several stores that can, and opens what any of them has.
//
// A limit on an artifact or a session holds for all of them: what one store refuses for its size, the next is not asked to
// take. A store that is full, or fails, is passed over. When all of them fail, the error tells what each one said, and the
// text is best shown without a pointer.
//
// spec: OFF-10
func Fallback(stores ...Store) Creator { return fallback(stores) }

type fallback []Store

var errNoStores = errors.New("spill: there is no store to save in")

func (f fallback) Save(ctx context.Context, req Request) (Ref, error) {
	failures := errNoStores
	for i, s := range f {
		ref, err := s.Save(ctx, req)
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
	return Ref{}, failures
}

// final reports whether the next store need not be tried.
func final(ctx context.Context, err error) bool {
	var quota *QuotaError
	return ctx.Err() != nil || errors.As(err, &quota) && quota.Scope != StoreScope
}

func (f fallback) Open(ctx context.Context, locator string) (Artifact, error) {
	failures := fmt.Errorf("spill: open %q: %w", clip(locator), ErrNotFound)
	for _, s := range f {
		a, err := s.Open(ctx, locator)
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

// Create writes to the first store that can. If that fails later on, and can still read what it was given, the next one
// takes over.
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
	ctx     context.Context
	req     Request
	rest    []Store
	current Writer
	written int64
	err     error // of the stores so far
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
	return w.err
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
	from, ok := w.current.(io.ReaderAt)
	if !ok {
		return errors.New("spill: what the first store was given cannot be read back for the next one")
	}
	n, err := io.Copy(struct{ io.Writer }{to}, io.NewSectionReader(from, 0, w.written))
	if err == nil && n < w.written {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// replace goes on at the next store after an error of the current one.
func (w *fallbackWriter) replace(err error) error {
	w.failed(err)
	if final(w.ctx, err) {
		return w.err
	}
	old := w.current
	err = w.next()
	if err == nil {
		// The text is safe elsewhere; what the old store cannot clean up it finds at the next sweep.
		w.failed(old.Abort())
	}
	return err
}

func (w *fallbackWriter) Write(p []byte) (int, error) {
	done := 0
	for {
		n, err := w.current.Write(p[done:])
		done += n
		w.written += int64(n)
		if err == nil {
			return done, nil
		}
		if err := w.replace(err); err != nil {
			return done, err
		}
	}
}

func (w *fallbackWriter) Commit() (Ref, error) {
	for {
		ref, err := w.current.Commit()
		if err == nil {
			return ref, nil
		}
		if err := w.replace(err); err != nil {
			return Ref{}, err
		}
	}
}

func (w *fallbackWriter) Abort() error { return w.current.Abort() }
