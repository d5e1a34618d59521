package bounding

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/text"
)

// save stores the original of a piece, unless that was tried before, and notes what came of it. It never fails: a piece
// that could not be saved says why.
//
// spec: OFF-9, OFF-10
func (p *Pipeline) save(ctx context.Context, call Call, label string, piece *piece) {
	if piece.outcome != NotNeeded {
		return
	}
	ctx = given(ctx)
	var err error
	piece.outcome, err = p.store(ctx, spill.Request{
		Owner:         p.session,
		Source:        spill.Tool{Name: call.Tool, CallID: call.ID, Label: label},
		SuggestedName: text.Bytes.Prefix(call.Tool, maxToolName) + "-" + label + ".txt",
		Content:       piece.original(),
	}, &piece.ref)
	if err != nil && p.tracer != nil {
		p.tracer.StoreFailed(ctx, StoreFailure{
			CallID: call.ID, Tool: call.Tool, Bytes: piece.total.Raw, Outcome: piece.outcome, Err: err,
		})
	}
}

// maxToolName is how much of the name of a tool goes into the name of an artifact, and so into every notice about it.
const maxToolName = 40

// store tries the stores in turn, inside the limits of the session. The error says what went wrong before a later store
// saved it, too.
func (p *Pipeline) store(ctx context.Context, req spill.Request, ref *spill.Ref) (Outcome, error) {
	size := int64(len(req.Content))
	switch {
	case len(p.stores) == 0:
		return NoStore, nil
	case p.limits.ArtifactBytes >= 0 && size > p.limits.ArtifactBytes:
		return TooLarge, fmt.Errorf("bounding: %d bytes are more than the %d of one artifact", size, p.limits.ArtifactBytes)
	case !p.quota.Reserve(p.session, size):
		return SessionFull, fmt.Errorf("bounding: %d bytes more are over the %d of the session", size, p.limits.SessionBytes)
	}
	var failures error
	reserved := true
	for _, store := range p.stores {
		if ctx.Err() != nil {
			break
		}
		if !reserved && !p.quota.Reserve(p.session, size) {
			return SessionFull, errors.Join(failures,
				fmt.Errorf("bounding: another %d bytes are over the %d of the session", size, p.limits.SessionBytes))
		}
		reserved = true
		saved, err := saveTo(ctx, store, req)
		if err == nil {
			if saved, err = presentable(saved, size); err == nil {
				*ref = saved
				return Saved, failures
			}
			reserved = false // it was written: it stays counted, though nothing can point there
		}
		failures = errors.Join(failures, err)
	}
	if reserved {
		p.quota.Release(p.session, size)
	}
	if err := ctx.Err(); err != nil {
		return SaveCancelled, errors.Join(failures, err)
	}
	return SaveFailed, failures
}

// saveTo asks a store to save. A store that panics has failed like one that says so.
func saveTo(ctx context.Context, store spill.Store, req spill.Request) (ref spill.Ref, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("bounding: the store %T panicked with a %T", store, cause)
		}
	}()
	return store.Save(ctx, req)
}

const maxLocator = 4096

// presentable returns what can stand in an entry: a locator that the model can give back byte for byte, the digest of the
// content, and a hint on one line. The size must be that of the content, or the artifact is another one.
//
// spec: OFF-9
func presentable(ref spill.Ref, size int64) (spill.Ref, error) {
	l := ref.Locator
	if l == "" || len(l) > maxLocator || !utf8.ValidString(l) || strings.ContainsFunc(l, unprintable) {
		return ref, fmt.Errorf("bounding: the store's locator of %d bytes cannot be shown: "+
			"it is empty, longer than %d bytes, or no plain line of UTF-8", len(l), maxLocator)
	}
	if ref.Bytes != size {
		return ref, fmt.Errorf("bounding: the store says that it saved %d bytes of %d", ref.Bytes, size)
	}
	ref.SHA256 = strings.ToLower(ref.SHA256)
	if sum, err := hex.DecodeString(ref.SHA256); err != nil || len(sum) != sha256.Size {
		return ref, fmt.Errorf("bounding: the store's digest of %d bytes is no SHA-256 in hexadecimal", len(ref.SHA256))
	}
	hint := strings.Map(func(r rune) rune {
		if unprintable(r) {
			return ' '
		}
		return r
	}, text.Clean(ref.RetrievalHint))
	ref.RetrievalHint = strings.Join(strings.Fields(hint), " ")
	if len(ref.RetrievalHint) > maxHint {
		ref.RetrievalHint = ""
	}
	return ref, nil
}

// unprintable reports whether a rune ends a line, moves a cursor, or turns the direction of what follows it.
func unprintable(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
}

const maxHint = 400
