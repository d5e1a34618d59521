package spill

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Memory is a store that keeps its artifacts in memory. The zero value is an empty store. Its locators are counted up, so
// that the same calls give the same locators, and two stores cannot tell their own from each other's.
type Memory struct {
	mu    sync.Mutex
	saved []memoryEntry
}

type memoryEntry struct {
	locator, content string
	owner, name      string
	saved            time.Time
}

const memoryPrefix = "memory:"

// Save implements [Store]. It keeps a reference to the content, not a copy.
func (m *Memory) Save(ctx context.Context, req Request) (Ref, error) {
	if err := ctx.Err(); err != nil {
		return Ref{}, fmt.Errorf("spill: save %q: %w", spoken(req.SuggestedName), err)
	}
	sum := digest(req.Content)
	m.mu.Lock()
	defer m.mu.Unlock()
	locator := memoryPrefix + strconv.Itoa(len(m.saved)+1) + "/" + shortName(req.SuggestedName, maxNameLen)
	m.saved = append(m.saved, memoryEntry{locator, req.Content, req.Owner, req.SuggestedName, time.Now()})
	return Ref{Locator: locator, Bytes: int64(len(req.Content)), SHA256: sum}, nil
}

// Open implements [Store].
func (m *Memory) Open(ctx context.Context, locator string) (Artifact, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("spill: open %q: %w", clip(locator), err)
	}
	number, _, _ := strings.Cut(strings.TrimPrefix(locator, memoryPrefix), "/")
	i, err := strconv.Atoi(number)
	m.mu.Lock()
	defer m.mu.Unlock()
	if err != nil || i < 1 || i > len(m.saved) || m.saved[i-1].locator != locator {
		return nil, fmt.Errorf("spill: open %q: %w", clip(locator), ErrNotFound)
	}
	return memoryArtifact{strings.NewReader(m.saved[i-1].content)}, nil
}

// List implements [Keeper].
func (m *Memory) List(ctx context.Context, session string) ([]Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("spill: list the artifacts of a session: %w", err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []Entry
	for _, e := range m.saved {
		if e.owner == session {
			list = append(list, Entry{Locator: e.locator, Name: e.name, Bytes: int64(len(e.content)), Modified: e.saved})
		}
	}
	return list, nil
}

// Usage implements [Keeper].
func (m *Memory) Usage(ctx context.Context, session string) (Usage, error) {
	list, err := m.List(ctx, session)
	u := Usage{Artifacts: len(list)}
	for _, e := range list {
		u.Bytes += e.Bytes
	}
	return u, err
}

// Len is the number of artifacts in the store.
func (m *Memory) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.saved)
}

type memoryArtifact struct{ *strings.Reader }

func (memoryArtifact) Close() error { return nil }
