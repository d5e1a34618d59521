package spill

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Local is a store of files below one directory, one directory for each session. Directories are accessible and files are
// readable for their owner only, from the first byte. Nothing outside the directory is ever opened, and no link is
// followed, whatever a session, a name or a locator says.
//
// A file appears under its name only once all of it is on the disk, so that a crash leaves a whole artifact or none. Any
// number of processes may use one directory.
//
// spec: SPL-2, SPL-3, SPL-4, SPL-5, SPL-6
type Local struct {
	path   string // absolute
	dir    Dir
	limits Limits
	rand   io.Reader
	ledger
}

// maxLocator is how long a locator may be to be shown to a model.
const maxLocator = 4096

const (
	fileMode = 0o600
	dirMode  = 0o700
)

// LocalOption changes a store that [NewLocal] makes.
type LocalOption func(*localConfig)

type localConfig struct {
	limits Limits
	open   func(path string) (Dir, error)
	rand   io.Reader
}

// WithLimits sets other limits than [DefaultLimits].
func WithLimits(limits Limits) LocalOption { return func(c *localConfig) { c.limits = limits } }

// WithDir stores in what open returns for the absolute path of the store, instead of in the directory of that path. It is
// for tests.
func WithDir(open func(path string) (Dir, error)) LocalOption {
	return func(c *localConfig) { c.open = open }
}

// WithRand takes the random part of names from a reader, so that a test sees the same names each time. The reader is used by
// one goroutine at a time.
func WithRand(r io.Reader) LocalOption { return func(c *localConfig) { c.rand = r } }

// NewLocal returns the store below dir, which is created when it is not there. Its path may lead through links, but must
// not be one. It must belong to the user of this process, and nobody else may be able to write to it, or to a directory
// above it that is not sticky like /tmp. Whoever owns one of those is trusted.
//
// Nothing is written into it before the first save, sweep, hold or count, and a count ([Local.Usage], [Local.Total]) does
// without: artifacts can be read, listed and counted where writing is forbidden.
// Close releases the store.
func NewLocal(dir string, options ...LocalOption) (*Local, error) {
	c := localConfig{limits: DefaultLimits(), open: openRoot, rand: rand.Reader}
	for _, option := range options {
		option(&c)
	}
	path, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("spill: directory %q: %w", dir, err)
	}
	if !utf8.ValidString(path) || strings.ContainsFunc(path, unicode.IsControl) {
		return nil, fmt.Errorf("spill: directory %q: locators begin with it, and with control characters or invalid UTF-8 "+
			"they could not be shown: choose another one: %w", path, fs.ErrInvalid)
	}
	if longest := len(path) + len("/session-/") + randomLen + maxNameLen; longest > maxLocator {
		return nil, fmt.Errorf("spill: directory %q: locators below it could have %d bytes, and more than %d are not shown: "+
			"choose a shorter path: %w", clip(path), longest, maxLocator, fs.ErrInvalid)
	}
	d, err := c.open(path)
	if err != nil {
		return nil, fmt.Errorf("spill: directory %q cannot hold artifacts: %w", path, err)
	}
	l := &Local{path: path, dir: d, limits: c.limits, rand: c.rand, ledger: ledger{
		turn: make(chan struct{}, 1), held: map[string]bool{}, synced: map[string]bool{},
	}}
	l.turn <- struct{}{}
	return l, nil
}

// Limits are the limits of the store.
func (l *Local) Limits() Limits { return l.limits }

// openRoot opens the directory of a store, and makes it if need be.
func openRoot(path string) (Dir, error) {
	if err := makeDirs(path); err != nil {
		return nil, err
	}
	return openTrusted(path)
}

// makeDirs creates a directory and those above it. Their names are durable before anything is stored below.
func makeDirs(path string) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	parent := filepath.Dir(path)
	if err := makeDirs(parent); err != nil {
		return err
	}
	if err := os.Mkdir(path, dirMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncPath(parent)
}

// errUnsafe is wrapped by what is wrong with a directory that others could change, or that is none.
var errUnsafe = errors.New("not safe to store in")

func openTrusted(path string) (Dir, error) {
	d, err := OpenDir(path)
	if err != nil {
		return nil, err
	}
	info, err := d.Lstat(".")
	if err == nil {
		err = untrusted(info)
	}
	if err == nil {
		err = aboveTrusted(path)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", errUnsafe, err), d.Close())
	}
	return d, nil
}

// aboveTrusted checks the directories that the path really leads through.
func aboveTrusted(path string) error {
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	return ancestors(resolved)
}

// openSession opens the directory of a session.
func (l *Local) openSession(name string) (Dir, error) {
	info, err := l.dir.Lstat(name)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%w: %w", errUnsafe, notDir(name, info))
	}
	if err != nil {
		return nil, err
	}
	d, err := l.dir.OpenDir(name)
	if err != nil {
		return nil, err
	}
	if info, err = d.Lstat("."); err == nil { // of what is open now, whatever has the name
		if err = untrusted(info); err == nil {
			return d, nil
		}
		err = fmt.Errorf("%s is %w: %w", name, errUnsafe, err)
	}
	return nil, errors.Join(err, d.Close())
}

// makeSession opens the directory of a session, and makes it if need be. It needs the lock.
func (l *Local) makeSession(name string) (Dir, error) {
	err := l.dir.Mkdir(name, dirMode)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	// Whoever made it may not have come to the sync; once it is under our lease, nobody removes it again.
	if err == nil || !l.synced[name] {
		if err := l.dir.Sync(); err != nil {
			return nil, err
		}
		l.synced[name] = true
	}
	return l.openSession(name)
}

// Hold keeps the artifacts of a session from expiring until [Local.Release] or [Local.Close], or until this process ends.
// A save holds its session; Hold is for sessions that go on without one.
//
// spec: SPL-6
func (l *Local) Hold(ctx context.Context, session string) error {
	err := l.enter(ctx)
	if err == nil {
		err = l.hold(sessionDir(session))
		l.leave()
	}
	if err != nil {
		return fmt.Errorf("spill: hold a session: %w", err)
	}
	return nil
}

// Release lets the artifacts of a session expire. A process that outlives its sessions calls it when one ends.
//
// spec: SPL-6
func (l *Local) Release(ctx context.Context, session string) error {
	err := l.enter(ctx)
	if err == nil {
		err = l.letGo(sessionDir(session))
		l.leave()
	}
	if err != nil {
		return fmt.Errorf("spill: release a session: %w", err)
	}
	return nil
}

func (l *Local) letGo(session string) error {
	if !l.held[session] {
		return nil
	}
	if err := l.writeLease("-" + session); err != nil {
		return err
	}
	delete(l.held, session)
	delete(l.synced, session) // a sweep may remove the directory now
	return nil
}

// Close releases the directory, and every session that the store holds. Artifacts stay. Writers that have not committed
// fail.
func (l *Local) Close() error {
	<-l.turn
	defer func() { l.turn <- struct{}{} }()
	if l.closed {
		return nil
	}
	l.closed = true
	var err error
	if l.lease != nil {
		// Removed before it is unlocked: an unlocked lease is a sign of death.
		err = errors.Join(l.dir.Remove(leasePrefix+l.id), l.lease.Close())
	}
	if l.lock != nil {
		err = errors.Join(err, l.lock.Close())
	}
	if err = errors.Join(err, l.dir.Close()); err != nil {
		return fmt.Errorf("spill: close the store: %w", err)
	}
	return nil
}

// Open implements [Store].
func (l *Local) Open(ctx context.Context, locator string) (Artifact, error) {
	a, err := l.open(ctx, locator)
	if err != nil {
		return nil, fmt.Errorf("spill: open %q: %w", clip(locator), err)
	}
	return a, nil
}

func (l *Local) open(ctx context.Context, locator string) (Artifact, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	session, name, ok := l.split(locator)
	if !ok {
		return nil, fmt.Errorf("it is no locator of the store in %q: %w", l.path, ErrNotFound)
	}
	d, err := l.openSession(session)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrExpired
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	f, err := d.OpenFile(name, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrExpired
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return localArtifact{f, info.Size()}, nil
}

// clip is a locator as errors repeat it: as given, but not at any length.
func clip(locator string) string {
	const longest = 512
	if len(locator) > longest {
		return locator[:longest] + "…"
	}
	return locator
}

type localArtifact struct {
	File
	size int64
}

func (a localArtifact) Size() int64 { return a.size }
