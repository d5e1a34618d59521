package spill

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Usage is what a session or a store holds.
type Usage struct {
	Artifacts int
	Bytes     int64 // of the artifacts, and those that are reserved for artifacts being written
}

// Entry is an artifact in a list.
type Entry struct {
	Locator  string
	Name     string // the suggested name; when it was shortened, what is left of it, escaped
	Bytes    int64
	Modified time.Time
}

// counts is what the files of a store add up to.
type counts struct {
	sessions map[string]Usage // by session directory
	total    int64
}

// recount counts the files, writes the counts down, and removes partial files whose writer is gone. It needs the lock.
func (l *Local) recount() (counts, error) {
	set, err := l.leases()
	if err != nil {
		return counts{}, err
	}
	c, err := l.count(set.live, settleUsage)
	if err == nil {
		err = settleUsage(l.dir, c.total)
	}
	return c, err
}

// settleUsage writes down what was counted. On a disk that is full, or where something else has the name, no count will do
// as well, or one that is too high: then the files are counted again before a save is refused.
func settleUsage(d Dir, n int64) error {
	if stored, err := readUsage(d); err == nil && stored == n {
		return nil
	}
	err := writeUsage(d, n)
	if err == nil {
		return nil
	}
	if stored, unknown := readUsage(d); unknown != nil || stored >= n || d.Remove(usageName) == nil {
		return nil
	}
	return err
}

// count adds up the sessions. Directories that are not safe are not counted: nothing is stored in them either.
func (l *Local) count(live map[string]bool, each func(d Dir, bytes int64) error) (counts, error) {
	c := counts{sessions: map[string]Usage{}}
	entries, err := l.dir.ReadDir()
	if err != nil {
		return c, err
	}
	for _, e := range entries {
		if !sessionForm.MatchString(e.Name()) {
			continue
		}
		d, err := l.openSession(e.Name())
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errUnsafe) {
			continue
		}
		if err != nil {
			return c, err
		}
		u, err := l.countSession(d, live)
		if err == nil && each != nil {
			err = each(d, u.Bytes)
		}
		if err = errors.Join(err, d.Close()); err != nil {
			return c, fmt.Errorf("%s: %w", e.Name(), err)
		}
		c.sessions[e.Name()] = u
		c.total = sum(c.total, u.Bytes)
	}
	return c, nil
}

// countSession adds up one session. With live leases it removes the partial files of others; without, it only looks.
func (l *Local) countSession(d Dir, live map[string]bool) (Usage, error) {
	var u Usage
	entries, err := d.ReadDir()
	if err != nil {
		return u, err
	}
	for _, e := range entries {
		if lease, reserved, ok := parsePartial(e.Name()); ok && e.Type().IsRegular() {
			if live != nil && lease != l.id && !live[lease] {
				if err := d.Remove(e.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return u, err
				}
				continue
			}
			u.Bytes = sum(u.Bytes, reserved)
			continue
		}
		info, err := artifactInfo(d, e)
		if err != nil {
			return u, err
		}
		if info != nil {
			u.Artifacts++
			u.Bytes = sum(u.Bytes, info.Size())
		}
	}
	return u, nil
}

// sum is a, which is 0 or more, and b bytes more or fewer. Names and sparse files may tell any number, and what
// overflows must not look like room.
func sum(a, b int64) int64 {
	if b > 0 && a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// artifactInfo describes an entry of a session directory, or is nil if that is no artifact.
func artifactInfo(d Dir, e fs.DirEntry) (fs.FileInfo, error) {
	if !e.Type().IsRegular() || !artifactForm.MatchString(e.Name()) {
		return nil, nil
	}
	info, err := d.Lstat(e.Name())
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, nil
	}
	return info, err
}

// Usage counts the artifacts of a session.
func (l *Local) Usage(ctx context.Context, session string) (Usage, error) {
	c, err := l.look(ctx)
	if err != nil {
		return Usage{}, fmt.Errorf("spill: count the artifacts of a session: %w", err)
	}
	return c.sessions[sessionDir(session)], nil
}

// Total counts the artifacts of all sessions.
func (l *Local) Total(ctx context.Context) (Usage, error) {
	c, err := l.look(ctx)
	if err != nil {
		return Usage{}, fmt.Errorf("spill: count the artifacts of the store: %w", err)
	}
	total := Usage{Bytes: c.total}
	for u := range maps.Values(c.sessions) {
		total.Artifacts += u.Artifacts
	}
	return total, nil
}

// look counts, also where nothing can be written: without the lock then, so that what writers left behind counts, too.
func (l *Local) look(ctx context.Context) (counts, error) {
	if err := l.enter(ctx); err != nil {
		if cancelled := ctx.Err(); cancelled != nil {
			return counts{}, cancelled
		}
		return l.count(nil, nil)
	}
	defer l.leave()
	return l.recount()
}

// List returns the artifacts of a session, oldest first.
func (l *Local) List(ctx context.Context, session string) ([]Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("spill: list the artifacts of a session: %w", err)
	}
	list, err := l.list(sessionDir(session))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("spill: list the artifacts of a session: %w", err)
	}
	return list, nil
}

func (l *Local) list(session string) ([]Entry, error) {
	d, err := l.openSession(session)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	entries, err := d.ReadDir()
	if err != nil {
		return nil, err
	}
	var list []Entry
	for _, e := range entries {
		info, err := artifactInfo(d, e)
		if err != nil {
			return nil, err
		}
		if info != nil {
			list = append(list, Entry{
				Locator: filepath.Join(l.path, session, e.Name()), Name: unescape(e.Name()[randomLen+1:]),
				Bytes: info.Size(), Modified: info.ModTime(),
			})
		}
	}
	sortEntries(list)
	return list, nil
}

func sortEntries(list []Entry) {
	slices.SortFunc(list, func(a, b Entry) int {
		if c := a.Modified.Compare(b.Modified); c != 0 {
			return c
		}
		return strings.Compare(a.Locator, b.Locator)
	})
}
