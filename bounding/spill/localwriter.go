package spill

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

const hint = "Read it with your file reading tool, a part at a time."

// Save implements [Store]. A [QuotaError] says that there is no room.
//
// spec: SPL-1, OFF-10
func (l *Local) Save(ctx context.Context, req Request) (Ref, error) {
	ref, err := l.save(ctx, req)
	if err != nil {
		return Ref{}, fmt.Errorf("spill: save %q: %w", spoken(req.SuggestedName), err)
	}
	return ref, nil
}

func (l *Local) save(ctx context.Context, req Request) (_ Ref, err error) {
	w, err := l.begin(ctx, req, int64(len(req.Content)))
	if err != nil {
		return Ref{}, err
	}
	defer func() { err = errors.Join(err, w.abort()) }()
	// The digest takes about as long as a fast disk, so it is made meanwhile.
	sum := make(chan string, 1)
	go func() { sum <- digest(req.Content) }()
	_, err = w.file.WriteString(req.Content)
	if err == nil {
		w.written = w.reserved
		err = w.commit()
	}
	sha := <-sum
	if err != nil {
		return Ref{}, err
	}
	return w.ref(sha), nil
}

// Create implements [Creator]. Room is reserved while the text grows, a step ahead of it.
func (l *Local) Create(ctx context.Context, req Request) (_ Writer, err error) {
	w, err := l.begin(ctx, req, int64(len(req.Content)))
	if err != nil {
		return nil, fmt.Errorf("spill: create %q: %w", spoken(req.SuggestedName), err)
	}
	w.hash = sha256.New()
	created := false
	defer func() {
		if !created {
			err = errors.Join(err, w.Abort())
		}
	}()
	if _, err := io.WriteString(w, req.Content); err != nil {
		return nil, err
	}
	created = true
	return w, nil
}

// localWriter is an artifact that is being written.
type localWriter struct {
	l         *Local
	ctx       context.Context
	suggested string
	session   string // directory
	dir       Dir
	random    string
	file      File
	hash      hash.Hash

	mu       sync.Mutex // Abort may come from another goroutine
	written  int64
	reserved int64
	failed   error  // of a write: what came after it is missing, so there is nothing to commit any more
	name     string // of the artifact, once it is one
	state    writerState
}

type writerState uint8

const (
	writing writerState = iota
	committed
	aborted
)

// begin makes a partial file for which size bytes are reserved.
func (l *Local) begin(ctx context.Context, req Request, size int64) (_ *localWriter, err error) {
	if err := ArtifactScope.check(l.limits.Artifact, 0, size); err != nil {
		return nil, err
	}
	w := &localWriter{l: l, ctx: ctx, suggested: req.SuggestedName, session: sessionDir(req.Owner)}
	begun := false
	defer func() { // also when the directory panics
		if !begun {
			err = errors.Join(err, w.abort())
		}
	}()
	if err := w.begin(size); err != nil {
		return nil, err
	}
	begun = true
	return w, nil
}

func (w *localWriter) begin(size int64) (err error) {
	if err := w.l.enter(w.ctx); err != nil {
		return err
	}
	defer w.l.leave()
	if err := w.l.hold(w.session); err != nil {
		return err
	}
	if w.dir, err = w.l.makeSession(w.session); err != nil {
		return err
	}
	if err := w.l.reserve(w.dir, w.session, size); err != nil {
		return err
	}
	w.reserved = size
	for range attempts {
		if w.random, err = w.l.random(); err != nil {
			return err
		}
		w.file, err = w.dir.OpenFile(w.partial(), os.O_RDWR|os.O_CREATE|os.O_EXCL, fileMode)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return err
}

const attempts = 100 // of finding a free random name; two would be a rare event

func (w *localWriter) partial() string { return partialName(w.l.id, w.random, w.reserved) }

func (w *localWriter) ref(sha string) Ref {
	return Ref{Locator: filepath.Join(w.l.path, w.session, w.name), Bytes: w.written, SHA256: sha, RetrievalHint: hint}
}

// Write implements [Writer].
func (w *localWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	err := w.open()
	if err == nil {
		err = w.grow(int64(len(p)))
	}
	n := 0
	if err == nil {
		n, err = w.file.Write(p)
		w.hash.Write(p[:n])
		w.written += int64(n)
	}
	if err != nil {
		w.failed = err
		return n, fmt.Errorf("spill: write %q: %w", spoken(w.suggested), err)
	}
	return n, nil
}

func (w *localWriter) open() error {
	if w.state != writing {
		return fs.ErrClosed
	}
	if w.failed != nil {
		return fmt.Errorf("an earlier write failed: %w", w.failed)
	}
	return w.ctx.Err()
}

// growth is how much is reserved at once for a text of unknown length.
const growth = 1 << 20

// grow makes sure that n bytes more are reserved.
func (w *localWriter) grow(n int64) error {
	need := w.written + n - w.reserved
	if need <= 0 {
		return nil
	}
	if err := ArtifactScope.check(w.l.limits.Artifact, w.written, n); err != nil {
		return err
	}
	if err := w.l.enter(w.ctx); err != nil {
		return err
	}
	defer w.l.leave()
	step := max(need, growth)
	if limit := w.l.limits.Artifact; limit >= 0 {
		step = min(step, limit-w.reserved)
	}
	err := w.extend(step)
	if errors.Is(err, ErrQuota) && step > need {
		err = w.extend(need)
	}
	return err
}

// extend reserves n bytes more. The reservation is in the name of the partial file, so that others can count it.
func (w *localWriter) extend(n int64) error {
	if err := w.l.reserve(w.dir, w.session, n); err != nil {
		return err
	}
	if err := w.dir.Rename(w.partial(), partialName(w.l.id, w.random, w.reserved+n)); err != nil {
		return errors.Join(err, w.l.reserve(w.dir, w.session, -n))
	}
	w.reserved += n
	return nil
}

// ReadAt reads what has been written, so that another store can take over, also when Commit has failed.
func (w *localWriter) ReadAt(p []byte, off int64) (int, error) { return w.file.ReadAt(p, off) }

// Commit implements [Writer].
func (w *localWriter) Commit() (Ref, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	err := w.open()
	if err == nil {
		err = w.commit()
	}
	if err != nil {
		return Ref{}, fmt.Errorf("spill: save %q: %w", spoken(w.suggested), err)
	}
	return w.ref(hex.EncodeToString(w.hash.Sum(nil))), nil
}

// commit makes the file durable, then its name, and only then is it an artifact. A sync that failed is not tried again:
// the second one may succeed without having written what the first one lost.
//
// spec: SPL-3
func (w *localWriter) commit() error {
	if err := w.file.Sync(); err != nil {
		return err
	}
	if err := w.publish(); err != nil {
		return err
	}
	if err := w.dir.Sync(); err != nil {
		return err
	}
	w.state = committed
	w.file.Close() // whatever these say, the artifact is there
	w.dir.Close()
	return nil
}

// publish gives the file its name. Names are looked for under the lock, so that no two processes find the same one free.
func (w *localWriter) publish() error {
	if err := w.l.enter(w.ctx); err != nil {
		return err
	}
	defer w.l.leave()
	for range attempts {
		random, err := w.l.random()
		if err != nil {
			return err
		}
		name := artifactName(random, w.suggested)
		if _, err := w.dir.Lstat(name); err == nil {
			continue
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := w.dir.Rename(w.partial(), name); err != nil {
			return err
		}
		w.name = name
		return w.l.reserve(w.dir, w.session, w.written-w.reserved)
	}
	return fmt.Errorf("no free name after %d attempts", attempts)
}

// Abort implements [Writer].
func (w *localWriter) Abort() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.abort(); err != nil {
		return fmt.Errorf("spill: give up %q: %w", spoken(w.suggested), err)
	}
	return nil
}

// abortWait is how long giving up waits for the lock. What cannot be given back then is found by the next count.
const abortWait = 2 * time.Second

// abort removes the file and gives its room back, also when the context is at its end. Both are done under one lock: a
// count of the files in between would give the same room back a second time.
func (w *localWriter) abort() error {
	if w.state != writing {
		return nil
	}
	w.state = aborted
	if w.dir == nil {
		return nil
	}
	name, size := w.partial(), w.reserved
	if w.name != "" {
		name, size = w.name, w.written
	}
	var err, removed error
	if w.file != nil {
		err = w.file.Close()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(w.ctx), abortWait)
	defer cancel()
	entered := w.l.enter(ctx)
	if entered == nil {
		defer w.l.leave()
	}
	if w.file != nil {
		removed = w.dir.Remove(name)
	}
	switch {
	case errors.Is(removed, fs.ErrNotExist): // whoever removed it has counted the rest
		removed = nil
	case removed == nil && entered == nil:
		err = errors.Join(err, w.l.reserve(w.dir, w.session, -size))
	}
	return errors.Join(err, removed, w.dir.Close())
}
