package spill

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// ErrNotGranted says that a session may not open an artifact: another one owns it, and nobody has granted it.
var ErrNotGranted = errors.New("the artifact belongs to another session")

// Scoped is a store as one session sees it, for the tool with which a model reads artifacts back. It opens what the session
// owns and what it was granted, such as the transcripts of sessions that its user cites, and nothing else: a locator is text
// that a model may have read anywhere.
//
// What the session saves through it is its own. What it saved before counts where the store is a [Keeper].
type Scoped struct {
	store   Store
	session string

	mu      sync.Mutex
	granted map[string]bool
}

// NewScoped returns a store as a session sees it.
func NewScoped(s Store, session string) *Scoped {
	return &Scoped{store: s, session: session, granted: map[string]bool{}}
}

// Grant lets the session open an artifact of another one.
func (s *Scoped) Grant(locator string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.granted[locator] = true
}

// Save implements [Store]. The owner of the request must be the session, or empty, which stands for it.
func (s *Scoped) Save(ctx context.Context, req Request) (Ref, error) {
	if req.Owner == "" {
		req.Owner = s.session
	}
	if req.Owner != s.session {
		return Ref{}, fmt.Errorf("spill: save %q: it would belong to another session", spoken(req.SuggestedName))
	}
	ref, err := s.store.Save(ctx, req)
	if err == nil {
		s.Grant(ref.Locator)
	}
	return ref, err
}

// Open implements [Store]. The error wraps [ErrNotGranted] if the session may not open the artifact, whether there is one
// or not.
func (s *Scoped) Open(ctx context.Context, locator string) (Artifact, error) {
	allowed, err := s.allowed(ctx, locator)
	if err != nil {
		return nil, err
	}
	if !allowed {
		return nil, fmt.Errorf("spill: open %q: %w", clip(locator), ErrNotGranted)
	}
	return s.store.Open(ctx, locator)
}

func (s *Scoped) allowed(ctx context.Context, locator string) (bool, error) {
	s.mu.Lock()
	granted := s.granted[locator]
	s.mu.Unlock()
	keeper, ok := s.store.(Keeper)
	if granted || !ok {
		return granted, nil
	}
	list, err := keeper.List(ctx, s.session)
	return slices.ContainsFunc(list, func(e Entry) bool { return e.Locator == locator }), err
}
