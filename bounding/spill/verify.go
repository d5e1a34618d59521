package spill

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
)

// ErrAltered says that an artifact is not what was saved.
var ErrAltered = errors.New("the artifact is not what was saved")

// Verify reads an artifact and compares it with what its Ref says: an error that wraps [ErrAltered] if length or digest
// differ, and one that wraps [ErrNotFound] if it is gone. It takes constant memory.
//
// spec: OFF-9
func Verify(ctx context.Context, s Store, ref Ref) error {
	bytes, sum, err := sumOf(ctx, s, ref.Locator)
	switch {
	case err != nil:
	case bytes != ref.Bytes:
		err = fmt.Errorf("%d bytes instead of %d: %w", bytes, ref.Bytes, ErrAltered)
	case sum != ref.SHA256:
		err = fmt.Errorf("other bytes of the same length: %w", ErrAltered)
	}
	if err != nil {
		return fmt.Errorf("spill: verify %q: %w", clip(ref.Locator), err)
	}
	return nil
}

func sumOf(ctx context.Context, s Store, locator string) (bytes int64, sum string, err error) {
	a, err := s.Open(ctx, locator)
	if err != nil {
		return 0, "", err
	}
	h := sha256.New()
	bytes, err = io.Copy(h, reader{ctx, a})
	return bytes, hex.EncodeToString(h.Sum(nil)), errors.Join(err, a.Close())
}

// reader reads until its context ends.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}
