package spill

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// Periods after which artifacts expire, when nothing else is asked for.
const (
	DefaultMaxAge = 30 * 24 * time.Hour
	DailyMaxAge   = 24 * time.Hour
)

// Swept is what a sweep removed, and what it left alone for a reason.
type Swept struct {
	Artifacts int
	Bytes     int64
	Partials  int      // files that writers left behind that are gone
	Sessions  int      // directories with nothing left in them
	Held      int      // sessions that are in use, and were left as they are
	Skipped   []string // a sentence for each directory that is not safe to sweep
}

// Sweep removes the artifacts that were stored before a time: strictly before, one stored exactly then stays. A session
// that a live process has saved to or holds is left as it is, until the process releases it or ends. Only what the store
// itself has made is removed, and links are neither followed nor removed.
//
// Partial files whose writer is gone, and session directories with nothing left in them, are removed, too. What cannot be
// removed does not keep the rest from being swept; the error names all of it.
//
//	swept, err := store.Sweep(ctx, time.Now().Add(-spill.DefaultMaxAge))
//
// spec: SPL-6
func (l *Local) Sweep(ctx context.Context, before time.Time) (Swept, error) {
	var s Swept
	entries, err := l.dir.ReadDir()
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	ours := false
	for _, e := range entries {
		ours = ours || leaseForm.MatchString(e.Name())
		if sessionForm.MatchString(e.Name()) {
			ours = true
			// The lock is given back after each session, so that a sweep delays nobody for long.
			if err = errors.Join(err, l.sweepSession(ctx, e.Name(), before, &s)); ctx.Err() != nil {
				break
			}
		}
	}
	if err == nil && ours { // in a directory that is no store, nothing is written down either
		err = l.settle(ctx)
	}
	if err != nil {
		return s, fmt.Errorf("spill: sweep %q: %w", l.path, err)
	}
	return s, nil
}

// settle brings the counts in line with what a sweep left.
func (l *Local) settle(ctx context.Context) error {
	if err := l.enter(ctx); err != nil {
		return err
	}
	defer l.leave()
	_, err := l.recount()
	return err
}

func (l *Local) sweepSession(ctx context.Context, name string, before time.Time, s *Swept) error {
	if err := l.enter(ctx); err != nil {
		return err
	}
	defer l.leave()
	set, err := l.leases()
	if err != nil {
		return err
	}
	d, err := l.openSession(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if errors.Is(err, errUnsafe) {
		s.Skipped = append(s.Skipped, err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	if set.held[name] {
		s.Held++
	}
	left, err := l.sweepFiles(d, set, set.held[name], before, s)
	if err == nil && left == 0 && !set.held[name] {
		if err = d.Remove(usageName); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		if err = errors.Join(err, d.Close()); err == nil {
			if err = l.dir.Remove(name); err == nil {
				s.Sessions++
			}
		}
		return err
	}
	return errors.Join(err, d.Close())
}

// sweepFiles sweeps one session and reports how many entries are left in its directory, apart from its count.
func (l *Local) sweepFiles(d Dir, set leaseSet, held bool, before time.Time, s *Swept) (left int, err error) {
	entries, err := d.ReadDir()
	for _, e := range entries {
		if e.Name() == usageName && e.Type().IsRegular() {
			continue
		}
		removed, failed := l.sweepFile(d, e, set, held, before, s)
		err = errors.Join(err, failed)
		if !removed {
			left++
		}
	}
	return left, err
}

func (l *Local) sweepFile(d Dir, e fs.DirEntry, set leaseSet, held bool, before time.Time, s *Swept) (bool, error) {
	if lease, _, ok := parsePartial(e.Name()); ok && e.Type().IsRegular() {
		if lease == l.id || set.live[lease] {
			return false, nil
		}
		if err := d.Remove(e.Name()); err != nil {
			return gone(err)
		}
		s.Partials++
		return true, nil
	}
	info, err := artifactInfo(d, e)
	if err != nil || info == nil || held || !info.ModTime().Before(before) {
		return false, err
	}
	if err := d.Remove(e.Name()); err != nil {
		return gone(err)
	}
	s.Artifacts++
	s.Bytes = sum(s.Bytes, info.Size())
	return true, nil
}

// gone tells a file that could not be removed because somebody else has done it from other failures.
func gone(err error) (bool, error) {
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	return false, err
}

// SweepDir sweeps the store below a directory that this process does not use otherwise, for the programs that clean up. A
// directory that is not there is swept already; one that is not safe is skipped, and Skipped says why.
//
// spec: SPL-6
func SweepDir(ctx context.Context, dir string, before time.Time) (Swept, error) {
	l, err := NewLocal(dir, WithDir(openTrusted))
	if errors.Is(err, fs.ErrNotExist) {
		return Swept{}, nil
	}
	if errors.Is(err, errUnsafe) || errors.Is(err, fs.ErrInvalid) {
		return Swept{Skipped: []string{err.Error()}}, nil
	}
	if err != nil {
		return Swept{}, err
	}
	s, err := l.Sweep(ctx, before)
	return s, errors.Join(err, l.Close())
}
