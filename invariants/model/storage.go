package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"time"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/invariants/crashfs"
	"github.com/boundcheck/boundcheck/invariants/faultfs"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

// storage is the local store of the model, on a disk in memory that can fail and lose its power.
type storage struct {
	disk   *crashfs.Disk
	faults faultfs.Program
	local  *spill.Local
	limits spill.Limits
	scopes map[string]*spill.Scoped
	rand   *rand.ChaCha8 // of names: the same in every run
	path   string        // of a store on the disk of this machine, instead of the one in memory
	// wrap is what a wrong disk does to the one in memory, if it is wrong.
	wrap func(open func(string) (spill.Dir, error)) func(string) (spill.Dir, error)
}

// root is the path of the store on its disk.
const root = "/store"

// under returns the store with the quotas of these limits.
func (s *storage) under(l bounding.Limits) (*spill.Local, error) {
	limits := spill.Limits{Artifact: l.ArtifactBytes, Session: l.SessionBytes, Store: spill.Unlimited}
	if s.local != nil && s.limits == limits {
		return s.local, nil
	}
	if err := s.close(); err != nil {
		return nil, err
	}
	if s.rand == nil {
		s.rand = rand.NewChaCha8([32]byte{})
	}
	path, options := s.path, []spill.LocalOption{spill.WithLimits(limits), spill.WithRand(s.rand)}
	if path == "" {
		path, options = root, append(options, spill.WithDir(s.inMemory()))
	}
	local, err := spill.NewLocal(path, options...)
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	s.local, s.limits, s.scopes = local, limits, map[string]*spill.Scoped{}
	return local, nil
}

// inMemory opens directories of the disk in memory.
func (s *storage) inMemory() func(path string) (spill.Dir, error) {
	if s.disk == nil {
		s.disk = crashfs.New()
	}
	open := faultfs.Open(s.disk.Open, &s.faults)
	if s.wrap != nil {
		open = s.wrap(open)
	}
	return open
}

// opened returns the store that is open, or one with the usual quotas.
func (s *storage) opened() (*spill.Local, error) {
	if s.local != nil {
		return s.local, nil
	}
	return s.under(bounding.Strict())
}

func (s *storage) close() error {
	if s.local == nil {
		return nil
	}
	local := s.local
	s.local = nil
	return local.Close()
}

// saver saves in the store that is open when something is saved.
type saver struct{ s *Subject }

func (v saver) Save(ctx context.Context, req spill.Request) (spill.Ref, error) {
	store, err := v.s.storage.under(v.s.limits)
	if err != nil {
		return spill.Ref{}, err
	}
	return store.Save(ctx, req)
}

func (v saver) Open(ctx context.Context, locator string) (spill.Artifact, error) {
	store, err := v.s.storage.opened()
	if err != nil {
		return nil, err
	}
	return store.Open(ctx, locator)
}

// Save implements [subject.Spiller].
func (s *Subject) Save(ctx context.Context, l bounding.Limits, req spill.Request) (subject.Saved, error) {
	s.saving.Lock()
	store, err := s.storage.under(l)
	s.saving.Unlock()
	if err != nil {
		return subject.Saved{}, err
	}
	ref, err := store.Save(ctx, req)
	if err != nil {
		return subject.Saved{Outcome: outcome(ctx, err)}, nil
	}
	return subject.Saved{Outcome: bounding.Saved, Locator: ref.Locator, Bytes: ref.Bytes, SHA256: ref.SHA256, Hint: ref.RetrievalHint}, nil
}

// outcome says why a text was not saved.
func outcome(ctx context.Context, err error) bounding.Outcome {
	var quota *spill.QuotaError
	switch {
	case errors.As(err, &quota) && quota.Scope == spill.ArtifactScope:
		return bounding.TooLarge
	case errors.As(err, &quota):
		return bounding.SessionFull
	case ctx.Err() != nil:
		return bounding.SaveCancelled
	}
	return bounding.SaveFailed
}

// Open implements [subject.Spiller].
func (s *Subject) Open(ctx context.Context, locator string, offset, limit int64) (subject.Page, error) {
	store, err := s.storage.opened()
	if err != nil {
		return subject.Page{}, err
	}
	return page(ctx, store, locator, offset, limit)
}

// page reads a page and returns the bytes that it shows.
func page(ctx context.Context, store spill.Store, locator string, offset, limit int64) (subject.Page, error) {
	p, err := spill.ReadPage(ctx, store, locator, offset, limit)
	if errors.Is(err, spill.ErrExpired) {
		return subject.Page{Expired: true}, nil
	}
	if err != nil {
		return subject.Page{}, err
	}
	a, err := store.Open(ctx, locator)
	if err != nil {
		return subject.Page{}, err
	}
	data := make([]byte, p.Next-p.Offset)
	_, err = io.ReadFull(io.NewSectionReader(a, p.Offset, int64(len(data))), data)
	return subject.Page{Data: data, Next: p.Next, Total: p.Total}, errors.Join(err, a.Close())
}

// List implements [subject.Spiller].
func (s *Subject) List(ctx context.Context, session string) ([]subject.Stored, error) {
	if s.storage.disk == nil { // nothing was stored, so that there is nothing to be made for looking
		return nil, nil
	}
	store, err := s.storage.opened()
	if err != nil {
		return nil, err
	}
	return listed(ctx, store, session)
}

func listed(ctx context.Context, store *spill.Local, session string) ([]subject.Stored, error) {
	list, err := store.List(ctx, session)
	if err != nil {
		return nil, err
	}
	var stored []subject.Stored
	for _, e := range list {
		stored = append(stored, subject.Stored{Locator: e.Locator, Bytes: e.Bytes})
	}
	return stored, nil
}

// Files implements [subject.Files].
func (s *Subject) Files() ([]subject.File, error) {
	var files []subject.File
	if s.storage.disk == nil {
		return nil, nil
	}
	for path, info := range s.storage.disk.Walk() {
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return nil, err
		}
		files = append(files, subject.File{Path: filepath.ToSlash(relative), Mode: uint32(info.Mode().Perm()), Dir: info.IsDir()})
	}
	return files, nil
}

// scope is the store as a session reads it.
func (s *Subject) scope(session string) (*spill.Scoped, error) {
	store, err := s.storage.opened()
	if err != nil {
		return nil, err
	}
	if s.storage.scopes[session] == nil {
		s.storage.scopes[session] = spill.NewScoped(store, session)
	}
	return s.storage.scopes[session], nil
}

// OpenAs implements [subject.Reader].
func (s *Subject) OpenAs(ctx context.Context, session, locator string, offset, limit int64) (subject.Page, error) {
	scoped, err := s.scope(session)
	if err != nil {
		return subject.Page{}, err
	}
	return page(ctx, scoped, locator, offset, limit)
}

// Grant implements [subject.Reader].
func (s *Subject) Grant(_ context.Context, session, locator string) error {
	scoped, err := s.scope(session)
	if err == nil {
		scoped.Grant(locator)
	}
	return err
}

// Reopen implements [subject.Reopener]: the process ends without a word, and another one begins on what is left.
func (s *Subject) Reopen(_ context.Context, loss subject.Loss) error {
	s.pipeline = nil
	s.storage.local = nil
	if s.storage.disk != nil {
		s.storage.disk = s.storage.disk.Reboot(loss.Survive, loss.Seed)
	}
	return s.storage.faults.Load("")
}

// Fault implements [subject.Faulter].
func (s *Subject) Fault(_ context.Context, program string) error {
	return s.storage.faults.Load(program)
}

// Advance implements [subject.Clock].
func (s *Subject) Advance(_ context.Context, d time.Duration) error {
	if s.storage.disk == nil {
		s.storage.disk = crashfs.New()
	}
	s.storage.disk.Advance(d)
	return nil
}

// Sweep implements [subject.Sweeper]: the process ends in good order, and another one cleans up.
func (s *Subject) Sweep(ctx context.Context, age time.Duration) error {
	if s.storage.disk == nil {
		return nil
	}
	s.pipeline = nil
	if err := s.storage.close(); err != nil {
		return err
	}
	store, err := s.storage.opened()
	if err != nil {
		return err
	}
	_, err = store.Sweep(ctx, s.storage.disk.Now().Add(-age))
	return err
}

// Close implements [subject.Closer]. What faults make of it is nobody's concern any more.
func (s *Subject) Close() error {
	s.storage.faults.Stop()
	return s.storage.close()
}
