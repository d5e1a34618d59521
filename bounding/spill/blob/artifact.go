package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"gocloud.dev/blob"
)

// artifact reads an object: a stream for Read, and a window of it for ReadAt.
type artifact struct {
	ctx    context.Context
	bucket *blob.Bucket
	key    string
	size   int64

	stream *blob.Reader
	read   int64 // by the stream
	closed bool

	mu     sync.Mutex
	window []byte
	at     int64 // where the window begins
	ahead  int64 // bytes to ask for at least
}

// A read that goes on where the last one ended asks for twice as much as that, and keeps the end of what was there: so a
// search, which goes back a bit with each block, takes few requests, and a page one small one.
const (
	leastAhead = 64 << 10
	mostAhead  = 1 << 20
	behind     = 64 << 10
)

func (a *artifact) Size() int64 { return a.size }

// Read implements io.Reader.
func (a *artifact) Read(p []byte) (int, error) {
	if a.closed {
		return 0, fmt.Errorf("spill/blob: read an artifact: %w", fs.ErrClosed)
	}
	if a.read >= a.size {
		return 0, io.EOF
	}
	if len(p) == 0 {
		return 0, nil
	}
	if a.stream == nil {
		r, err := a.bucket.NewRangeReader(a.ctx, a.key, a.read, -1, nil)
		if err != nil {
			return 0, fmt.Errorf("spill/blob: read an artifact: %w", absent(err))
		}
		a.stream = r
	}
	n, err := a.stream.Read(p[:min(int64(len(p)), a.size-a.read)])
	a.read += int64(n)
	if errors.Is(err, io.EOF) {
		if err = nil; a.read < a.size {
			err = io.ErrUnexpectedEOF
		}
	}
	if err != nil {
		return n, fmt.Errorf("spill/blob: read an artifact at %d of %d bytes: %w", a.read, a.size, err)
	}
	return n, nil
}

// ReadAt implements io.ReaderAt.
//
// spec: SPL-7
func (a *artifact) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, fmt.Errorf("spill/blob: read an artifact at %d: an offset is 0 or more", off)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	n := 0
	for n < len(p) {
		at := off + int64(n)
		if at >= a.size {
			return n, io.EOF
		}
		if at < a.at || at >= a.at+int64(len(a.window)) {
			if err := a.fill(at, int64(len(p)-n)); err != nil {
				return n, fmt.Errorf("spill/blob: read an artifact at %d of %d bytes: %w", at, a.size, absent(err))
			}
		}
		n += copy(p[n:], a.window[at-a.at:])
	}
	return n, nil
}

// fill reads what comes at an offset into the window: at least want bytes, as far as the artifact goes.
func (a *artifact) fill(at, want int64) error {
	var kept []byte
	if len(a.window) > 0 && at == a.at+int64(len(a.window)) {
		kept = a.window[max(0, len(a.window)-behind):]
		a.ahead = min(2*a.ahead, mostAhead)
	} else {
		a.ahead = leastAhead
	}
	n := min(max(want, a.ahead), a.size-at)
	r, err := a.bucket.NewRangeReader(a.ctx, a.key, at, n, nil)
	if err != nil {
		return err
	}
	window := make([]byte, int64(len(kept))+n)
	_, err = io.ReadFull(r, window[copy(window, kept):])
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err = errors.Join(err, r.Close()); err != nil {
		return err
	}
	a.at, a.window = at-int64(len(kept)), window
	return nil
}

// Close implements io.Closer.
func (a *artifact) Close() error {
	a.closed = true
	if a.stream == nil {
		return nil
	}
	err := a.stream.Close()
	a.stream = nil
	return err
}
