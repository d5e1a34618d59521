package bounding

import (
	"context"
	"errors"
	"fmt"
	"strings"
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
	for _, store := range p.stores {
		if ctx.Err() != nil {
			break
		}
		saved, err := store.Save(ctx, req)
		if err == nil {
			if saved, err = presentable(saved); err == nil {
				*ref = saved
				return Saved, failures
			}
		}
		failures = errors.Join(failures, err)
	}
	p.quota.Release(p.session, size)
	if err := ctx.Err(); err != nil {
		return SaveCancelled, errors.Join(failures, err)
	}
	return SaveFailed, failures
}

const maxLocator = 4096

// presentable returns what can stand in an entry: a locator that the model can give back byte for byte, and a hint on one
// line.
func presentable(ref spill.Ref) (spill.Ref, error) {
	l := ref.Locator
	if l == "" || len(l) > maxLocator || !utf8.ValidString(l) || strings.ContainsAny(l, "\r\n\x00\x1b") {
		return ref, fmt.Errorf("bounding: the store's locator of %d bytes cannot be shown: "+
			"it is empty, longer than %d bytes, or no plain line of UTF-8", len(l), maxLocator)
	}
	ref.RetrievalHint = strings.Join(strings.Fields(text.Clean(ref.RetrievalHint)), " ")
	if len(ref.RetrievalHint) > maxHint {
		ref.RetrievalHint = ""
	}
	return ref, nil
}

const maxHint = 400
