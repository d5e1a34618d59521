package blob

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"strings"
	"sync"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// Save implements [spill.Store]. A [spill.QuotaError] says that there is no room.
//
// spec: SPL-1, OFF-10
func (s *Store) Save(ctx context.Context, req spill.Request) (spill.Ref, error) {
	ref, err := s.save(ctx, req)
	if err != nil {
		return spill.Ref{}, fmt.Errorf("spill/blob: save %q: %w", spoken(req.SuggestedName), err)
	}
	return ref, nil
}

func (s *Store) save(ctx context.Context, req spill.Request) (_ spill.Ref, err error) {
	w, err := s.begin(ctx, req)
	if err != nil {
		return spill.Ref{}, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.abort())
		}
	}()
	if err := w.put(req.Content); err != nil {
		return spill.Ref{}, err
	}
	return w.commit()
}

// Create implements [spill.Creator]. Room is reserved while the text grows, a step ahead of it. Memory is taken as the
// driver takes it: S3 and Azure hold a few parts of some MiB each, mem all of it.
func (s *Store) Create(ctx context.Context, req spill.Request) (spill.Writer, error) {
	w, err := s.begin(ctx, req)
	if err == nil {
		if err = w.put(req.Content); err != nil {
			err = errors.Join(err, w.abort())
		}
	}
	if err != nil {
		return nil, fmt.Errorf("spill/blob: create %q: %w", spoken(req.SuggestedName), err)
	}
	return w, nil
}

// writer is an artifact that is being written. Its object appears when it is closed, and never once its context is
// cancelled.
type writer struct {
	s         *Store
	ctx       context.Context
	cancel    context.CancelFunc
	suggested string
	session   string
	random    string
	key       string
	hash      hash.Hash

	mu       sync.Mutex // Abort may come from another goroutine
	out      *blob.Writer
	written  int64
	reserved int64
	rooms    []string // keys of the reservations
	failed   error    // of a write: what came after it is missing, so there is nothing to commit any more
	foreign  bool     // the key belongs to another one
	state    writerState
}

type writerState uint8

const (
	writing writerState = iota
	closed
	committed
	aborted
)

// begin reserves room for the content of a request, and opens an object for it.
func (s *Store) begin(ctx context.Context, req spill.Request) (*writer, error) {
	size := int64(len(req.Content))
	if err := fits(spill.ArtifactScope, s.config.limits.Artifact, 0, size); err != nil {
		return nil, err
	}
	w := &writer{s: s, suggested: req.SuggestedName, session: sessionOf(req.Owner), random: random(), hash: sha256.New()}
	w.key = w.session + "/" + w.random + "-" + escape(req.SuggestedName, nameRoom)
	w.ctx, w.cancel = context.WithCancel(ctx)
	err := s.hold(ctx, w.session)
	if err == nil {
		err = w.extend(size)
	}
	if err == nil {
		w.out, err = s.writer(w.ctx, w.key, true)
	}
	if err != nil {
		return nil, errors.Join(w.explain(err), w.abort())
	}
	return w, nil
}

// explain adds to an error that the context has ended, which not every driver says.
func (w *writer) explain(err error) error {
	if ended := w.ctx.Err(); err != nil && ended != nil && !errors.Is(err, ended) {
		return fmt.Errorf("%w: %w", ended, err)
	}
	return err
}

// put writes a text a block at a time, without a copy of all of it.
func (w *writer) put(content string) error {
	_, err := io.CopyBuffer(writerFunc(w.write), struct{ io.Reader }{strings.NewReader(content)}, make([]byte, 64<<10))
	return err
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// Write implements [spill.Writer].
func (w *writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, err := w.write(p)
	if err != nil {
		w.failed = err
		return n, fmt.Errorf("spill/blob: write %q: %w", spoken(w.suggested), err)
	}
	return n, nil
}

func (w *writer) write(p []byte) (int, error) {
	if err := w.open(); err != nil {
		return 0, err
	}
	if err := w.grow(int64(len(p))); err != nil {
		return 0, err
	}
	n, err := w.out.Write(p)
	w.hash.Write(p[:n])
	w.written += int64(n)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	return n, w.explain(err)
}

func (w *writer) open() error {
	if w.state != writing {
		return fs.ErrClosed
	}
	if w.failed != nil {
		return fmt.Errorf("an earlier write failed: %w", w.failed)
	}
	return w.ctx.Err()
}

// Bytes that are reserved at once for a text of unknown length: as many as there are already, within these.
const (
	leastGrowth = 1 << 20
	mostGrowth  = 16 << 20
)

// grow makes sure that n bytes more are reserved.
func (w *writer) grow(n int64) error {
	limit := w.s.config.limits.Artifact
	if err := fits(spill.ArtifactScope, limit, w.written, n); err != nil {
		return err
	}
	need := w.written + n - w.reserved
	if need <= 0 {
		return nil
	}
	step := max(need, min(max(w.written, leastGrowth), mostGrowth))
	if limit >= 0 {
		step = min(step, limit-w.reserved)
	}
	err := w.extend(step)
	if errors.Is(err, spill.ErrQuota) && step > need {
		err = w.extend(need)
	}
	return err
}

func (w *writer) extend(n int64) error {
	key, err := w.s.reserve(w.ctx, w.session, w.random, n)
	if err != nil {
		return w.explain(err)
	}
	if key != "" {
		w.rooms = append(w.rooms, key)
	}
	w.reserved += n
	return nil
}

// Commit implements [spill.Writer].
func (w *writer) Commit() (spill.Ref, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	err := w.open()
	var ref spill.Ref
	if err == nil {
		if ref, err = w.commit(); err != nil {
			err = errors.Join(err, w.abort())
		}
	}
	if err != nil {
		return spill.Ref{}, fmt.Errorf("spill/blob: save %q: %w", spoken(w.suggested), err)
	}
	return ref, nil
}

// commit completes the object, makes sure that it is whole, and gives the reservations back. If one is not there any more,
// this process was taken for dead, and what it had reserved may be in use: then the artifact must not stay.
//
// spec: SPL-3, SPL-5
func (w *writer) commit() (spill.Ref, error) {
	if w.s.isClosed() {
		return spill.Ref{}, errClosed
	}
	if err := w.ctx.Err(); err != nil {
		return spill.Ref{}, err
	}
	w.state = closed
	if err := w.out.Close(); err != nil {
		// If a request that was sent again met its own first try, an object stays that nobody points to, until it expires.
		w.foreign = gcerrors.Code(err) == gcerrors.FailedPrecondition
		return spill.Ref{}, w.explain(err)
	}
	attrs, err := w.s.bucket.Attributes(w.ctx, w.key)
	if err == nil && attrs.Size != w.written {
		err = fmt.Errorf("the bucket has %d of %d bytes: %w", attrs.Size, w.written, io.ErrShortWrite)
	}
	if err != nil {
		return spill.Ref{}, w.explain(err)
	}
	for _, room := range w.rooms {
		err := w.s.bucket.Delete(w.ctx, room)
		if gcerrors.Code(err) == gcerrors.NotFound {
			err = fmt.Errorf("this process gave no sign of life for %v, and others took its reservation away; save it again", w.s.life)
		}
		if err != nil {
			return spill.Ref{}, w.explain(err)
		}
	}
	w.state = committed
	w.cancel()
	return spill.Ref{
		Locator: w.s.locator(w.key), Bytes: w.written, SHA256: hex.EncodeToString(w.hash.Sum(nil)), RetrievalHint: w.s.config.hint,
	}, nil
}

// Abort implements [spill.Writer].
func (w *writer) Abort() error {
	w.cancel() // a write that waits for the network holds the lock
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.abort(); err != nil {
		return fmt.Errorf("spill/blob: give up %q: %w", spoken(w.suggested), err)
	}
	return nil
}

// abort makes sure that there is no object, and gives the room back after that.
func (w *writer) abort() error {
	if w.state == committed || w.state == aborted {
		return nil
	}
	w.cancel()
	if w.out != nil && w.state == writing {
		w.out.Close() // cancelled: it tells of nothing else
	}
	begun := w.out != nil && !w.foreign
	w.state = aborted
	var err error
	if begun {
		err = w.s.remove(w.ctx, w.key)
	}
	for _, room := range w.rooms {
		err = errors.Join(err, w.s.remove(w.ctx, room))
	}
	return err
}
