package spilltest_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// model is a store in memory that can do everything, and one thing wrong: bug is its name.
type model struct {
	bug    string
	id     int64
	limits spill.Limits

	mu      sync.Mutex
	entries []*entry
	used    map[string]int64 // by session, with what is reserved
	held    map[string]bool
}

type entry struct {
	locator, owner, name string
	content              []byte
	modified             time.Time
	partial, expired     bool
}

var models atomic.Int64

func newModel(bug string, limits spill.Limits) *model {
	return &model{bug: bug, id: models.Add(1), limits: limits, used: map[string]int64{}, held: map[string]bool{}}
}

func (m *model) is(bug string) bool { return m.bug == bug }

// reserve counts n bytes. It needs the lock.
func (m *model) reserve(session string, size, n int64, content string) error {
	var total int64
	for _, used := range m.used {
		total += used
	}
	before := m.used[session]
	if m.is("quota checked before it is counted") {
		m.mu.Unlock()
		time.Sleep(time.Millisecond)
		m.mu.Lock()
	}
	for _, l := range []struct {
		scope       spill.Scope
		limit, used int64
	}{{spill.ArtifactScope, m.limits.Artifact, size - n}, {spill.SessionScope, m.limits.Session, before}, {spill.StoreScope, m.limits.Store, total}} {
		if m.is("limit one too low") && l.limit > 0 {
			l.limit--
		}
		if m.is("limit one too high") && l.limit >= 0 {
			l.limit++
		}
		if m.is("limit of the store forgotten") && l.scope == spill.StoreScope {
			continue
		}
		if m.is("limits of sessions shared") && l.scope == spill.SessionScope {
			l.used = total
		}
		if l.limit < 0 || n <= l.limit-l.used {
			if m.is("room of a refused save lost") && l.scope == spill.SessionScope {
				m.used[session] += n
			}
			continue
		}
		if m.is("refused bytes counted") {
			m.used[session] += n
		}
		err := error(&spill.QuotaError{Scope: l.scope, Limit: l.limit, Used: l.used, Need: n})
		if m.is("error quotes content") {
			err = fmt.Errorf("cannot save %.100q: %w", content, err)
		}
		if m.is("refusal without a reason") {
			err = errors.New("no room")
		}
		return err
	}
	if !m.is("room of a refused save lost") {
		m.used[session] += n
	}
	return nil
}

func (m *model) Save(ctx context.Context, req spill.Request) (spill.Ref, error) {
	if err := ctx.Err(); err != nil && !m.is("cancelled save saves") {
		if m.is("cancellation quotes content") {
			err = fmt.Errorf("%s: %w", req.Content, err)
		}
		return spill.Ref{}, err
	}
	content := req.Content
	switch {
	case m.is("last byte lost") && len(content) > 1:
		content = content[:len(content)-1]
	case m.is("more than 1 MiB cut") && len(content) > 1<<20:
		content = content[:1<<20]
	case m.is("invalid UTF-8 replaced"):
		content = strings.ToValidUTF8(content, "\ufffd")
	case m.is("line ends changed"):
		content = strings.ReplaceAll(content, "\r\n", "\n")
	case m.is("byte order mark stripped"):
		content = strings.TrimPrefix(content, "\ufeff")
	case m.is("empty text refused") && content == "":
		return spill.Ref{}, errors.New("nothing to save")
	case m.is("panics at a strange name") && strings.Contains(req.SuggestedName, "\x00"):
		panic("NUL")
	}
	w, err := m.create(ctx, req, content)
	if err != nil {
		return spill.Ref{}, err
	}
	return w.Commit()
}

func (m *model) Create(ctx context.Context, req spill.Request) (spill.Writer, error) {
	return m.create(ctx, req, req.Content)
}

func (m *model) create(ctx context.Context, req spill.Request, content string) (*modelWriter, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.reserve(req.Owner, int64(len(content)), int64(len(content)), content); err != nil {
		return nil, err
	}
	m.held[req.Owner] = true
	e := &entry{owner: req.Owner, name: req.SuggestedName, content: []byte(content), modified: time.Now(), partial: true}
	e.locator = fmt.Sprintf("model:%d/%d", m.id, len(m.entries))
	switch {
	case m.is("name in the locator"):
		e.locator += "/" + req.SuggestedName
	case m.is("content in the locator"):
		e.locator += "/" + hex.EncodeToString([]byte(content[:min(20, len(content))])) + content[:min(20, len(content))]
	case m.is("locators used again"):
		e.locator = fmt.Sprintf("model:%d/%d", m.id, len(m.entries)/2)
	case m.is("equal names overwritten"):
		e.locator = fmt.Sprintf("model:%d/%x", m.id, sha256.Sum256([]byte(req.Owner+"\x00"+req.SuggestedName)))
	}
	if m.is("equal names overwritten") {
		m.entries = slices.DeleteFunc(m.entries, func(o *entry) bool { return o.locator == e.locator })
	}
	m.entries = append(m.entries, e)
	return &modelWriter{m: m, e: e, ctx: ctx}, nil
}

type modelWriter struct {
	m      *model
	e      *entry
	ctx    context.Context
	chunks [][]byte // with the bug that keeps them
	failed error
	ended  bool
}

func (w *modelWriter) Write(p []byte) (int, error) {
	w.m.mu.Lock()
	defer w.m.mu.Unlock()
	if w.ended && !w.m.is("written after the end") {
		return 0, fs.ErrClosed
	}
	if err := errors.Join(w.failed, w.ctx.Err()); err != nil {
		return 0, err
	}
	n := int64(len(p))
	if w.failed = w.m.reserve(w.e.owner, int64(len(w.e.content))+n, n, string(p)); w.failed != nil {
		return 0, w.failed
	}
	if w.m.is("caller's buffer kept") {
		w.chunks = append(w.chunks, p)
	}
	if w.m.is("caller's buffer changed") {
		defer clear(p)
	}
	if w.m.is("room kept after commit") && n > 10 {
		w.m.used[w.e.owner]++
	}
	w.e.content = append(w.e.content, p...)
	if w.m.is("bytes after the first chunk lost") && len(w.e.content) > len(p) && n > 0 {
		w.e.content = w.e.content[:len(p)]
	}
	return len(p), nil
}

func (w *modelWriter) Commit() (spill.Ref, error) {
	w.m.mu.Lock()
	defer w.m.mu.Unlock()
	if w.ended && !w.m.is("committed twice") {
		return spill.Ref{}, fs.ErrClosed
	}
	if w.failed != nil && !w.m.is("committed after a failed write") {
		return spill.Ref{}, w.failed
	}
	if err := w.ctx.Err(); err != nil && !w.m.is("committed when cancelled") && !w.m.is("cancelled save saves") {
		return spill.Ref{}, err
	}
	if w.chunks != nil {
		w.e.content = bytes.Join(append([][]byte{w.e.content[:len("begun ")]}, w.chunks...), nil)
	}
	w.ended, w.e.partial = true, false
	sum := sha256.Sum256(w.e.content)
	ref := spill.Ref{Locator: w.e.locator, Bytes: int64(len(w.e.content)), SHA256: hex.EncodeToString(sum[:])}
	switch {
	case w.m.is("digest of something else"):
		sum = sha256.Sum256([]byte(w.e.name))
		ref.SHA256 = hex.EncodeToString(sum[:])
	case w.m.is("runes counted"):
		ref.Bytes = int64(len([]rune(string(w.e.content))))
	case w.m.is("content in the hint"):
		ref.RetrievalHint = string(w.e.content)
	}
	return ref, nil
}

func (w *modelWriter) Abort() error {
	w.m.mu.Lock()
	defer w.m.mu.Unlock()
	if w.ended {
		return nil
	}
	w.ended = true
	if w.m.is("given up and published") {
		w.e.partial = false
		return nil
	}
	if !w.m.is("room of what was given up lost") {
		w.m.used[w.e.owner] -= int64(len(w.e.content))
	}
	w.e.expired, w.e.content = true, nil
	return nil
}

func (m *model) Open(ctx context.Context, locator string) (spill.Artifact, error) {
	if err := ctx.Err(); err != nil && !m.is("cancelled open opens") {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.is("locator cleaned") {
		locator = strings.TrimRight(locator, "/")
	}
	for _, e := range slices.Backward(m.entries) {
		if e.locator != locator {
			continue
		}
		switch {
		case e.expired && m.is("expired is any artifact"):
			e = m.entries[len(m.entries)-1]
		case e.expired && m.is("expired is unknown"):
			return nil, spill.ErrNotFound
		case e.expired:
			return nil, spill.ErrExpired
		}
		return &modelArtifact{Reader: bytes.NewReader(e.content), m: m, content: e.content}, nil
	}
	if m.is("unknown is the first") && len(m.entries) > 0 {
		return &modelArtifact{Reader: bytes.NewReader(m.entries[0].content), m: m}, nil
	}
	if m.is("unknown is another error") {
		return nil, errors.New("what is this?")
	}
	return nil, spill.ErrNotFound
}

type modelArtifact struct {
	*bytes.Reader
	m       *model
	content []byte
}

func (a *modelArtifact) Close() error { return nil }

func (a *modelArtifact) Size() int64 {
	if a.m.is("size of something else") {
		return a.Reader.Size() + 1
	}
	return a.Reader.Size()
}

func (a *modelArtifact) ReadAt(p []byte, off int64) (int, error) {
	n, err := a.Reader.ReadAt(p, off)
	switch {
	case a.m.is("no EOF at the end") && errors.Is(err, io.EOF):
		err = nil
	case a.m.is("last byte read never") && n > 0 && errors.Is(err, io.EOF):
		n--
	case a.m.is("offset ignored"):
		n, err = a.Reader.ReadAt(p, 0)
	}
	return n, err
}

func (m *model) Limits() spill.Limits { return m.limits }

func (m *model) List(ctx context.Context, session string) (list []spill.Entry, _ error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.entries {
		mine := e.owner == session || m.is("sessions mixed") || m.is("case of sessions ignored") && strings.EqualFold(e.owner, session)
		visible := !e.partial || m.is("listed before it is complete")
		if mine && visible && (!e.expired || m.is("expired is listed")) {
			list = append(list, spill.Entry{Locator: e.locator, Name: e.name, Bytes: int64(len(e.content)), Modified: e.modified})
		}
	}
	if m.is("listed by name") {
		slices.SortFunc(list, func(a, b spill.Entry) int { return strings.Compare(a.Name, b.Name) })
	}
	if m.is("newest first") {
		slices.Reverse(list)
	}
	return list, nil
}

func (m *model) Usage(ctx context.Context, session string) (spill.Usage, error) {
	list, err := m.List(ctx, session)
	m.mu.Lock()
	defer m.mu.Unlock()
	return spill.Usage{Artifacts: len(list), Bytes: m.used[session]}, err
}

func (m *model) Hold(ctx context.Context, session string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.held[session] = !m.is("hold does nothing")
	return ctx.Err()
}

func (m *model) Release(ctx context.Context, session string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.held[session] = m.is("release does nothing")
	return ctx.Err()
}

func (m *model) Sweep(ctx context.Context, before time.Time) (s spill.Swept, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.entries {
		old := e.modified.Before(before) || m.is("swept when as old") && e.modified.Equal(before)
		if m.held[e.owner] && !m.is("held is swept") || e.expired || e.partial || !old || m.is("sweep does nothing") {
			continue
		}
		s.Artifacts++
		s.Bytes += int64(len(e.content))
		if !m.is("room of the expired lost") {
			m.used[e.owner] -= int64(len(e.content))
		}
		e.expired, e.content = true, nil
	}
	return s, ctx.Err()
}
