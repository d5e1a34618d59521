package spill

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"
)

// Store keeps artifacts. Its methods may be called from several goroutines at once.
//
// spec: SPL-1
type Store interface {
	// Save stores req.Content whole, and returns how to get it back. Two saves never share an artifact, whatever the
	// requests say. On error nothing is stored.
	Save(ctx context.Context, req Request) (Ref, error)

	// Open opens an artifact by its locator, for reading from any offset. An error that wraps [ErrNotFound] says that
	// the store has no such artifact, or no longer.
	Open(ctx context.Context, locator string) (Artifact, error)
}

// ErrNotFound says that a store holds no artifact of this locator.
var ErrNotFound = errors.New("no such artifact")

// ErrExpired is what stands at the place of an artifact that was there: it has expired, or was removed. It wraps
// [ErrNotFound].
var ErrExpired = fmt.Errorf("the artifact has expired or was removed: %w", ErrNotFound)

// Creator is a store that takes a text while it is being produced.
type Creator interface {
	Store

	// Create begins an artifact with req.Content, which may be empty. The context holds for the writer, too.
	Create(ctx context.Context, req Request) (Writer, error)
}

// Writer is an artifact that is being written. Until it is committed nobody sees it. A write that fails has taken the bytes
// that it says.
type Writer interface {
	io.Writer

	// Commit completes the artifact. When it fails there is none. It fails after a write that has failed, because
	// something is missing, and after Commit and Abort.
	Commit() (Ref, error)

	// Abort gives up. Whoever creates a writer calls it in the end, in any case: after Commit has succeeded, it does
	// nothing. It may be called while another goroutine writes.
	Abort() error
}

// Keeper is a store that tells what it holds.
type Keeper interface {
	Store
	List(ctx context.Context, session string) ([]Entry, error) // oldest first
	Usage(ctx context.Context, session string) (Usage, error)
}

// Limited is a store that refuses what is over its limits, with a [QuotaError].
type Limited interface {
	Store
	Limits() Limits
}

// Holder is a store whose artifacts do not expire while a process works on their session.
type Holder interface {
	Store
	Hold(ctx context.Context, session string) error    // a save does it, too
	Release(ctx context.Context, session string) error // when the session ends before the process does
}

// Sweeper is a store whose artifacts expire.
type Sweeper interface {
	Store
	Sweep(ctx context.Context, before time.Time) (Swept, error)
}

// Request is one text to be stored.
type Request struct {
	Owner         string // the session that the artifact belongs to
	Source        Source // where the text comes from
	SuggestedName string // a hint for a name that people read, never a path
	Content       string
}

// Source says where a text comes from: [Tool] or [SessionReference]. It describes, and decides nothing.
type Source interface{ source() }

// Tool is a text that a tool call left behind.
type Tool struct {
	Name   string
	CallID string // as the model gave it; calls of one session may share it
	Label  string // which of the texts of the call: "result" or "context"
}

// SessionReference is a text that was taken from another session.
type SessionReference struct {
	SessionID string // the session it was taken from
	Label     string
}

func (Tool) source()             {}
func (SessionReference) source() {}

// Ref is how to get an artifact back, and how to know it.
type Ref struct {
	Locator       string
	Bytes         int64
	SHA256        string // of the content, in hexadecimal
	RetrievalHint string // one sentence for the model: which tool opens the locator
}

// Artifact is an open artifact.
type Artifact interface {
	io.Reader
	io.ReaderAt
	io.Closer
	Size() int64
}

// digest is the SHA-256 of a text in hexadecimal. It copies no more than a block at a time.
func digest(content string) string {
	h := sha256.New()
	var block [8 << 10]byte
	for len(content) > 0 {
		n := copy(block[:], content)
		h.Write(block[:n])
		content = content[n:]
	}
	return hex.EncodeToString(h.Sum(nil))
}
