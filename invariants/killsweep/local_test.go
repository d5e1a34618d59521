package killsweep_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/text"
	"github.com/boundcheck/boundcheck/invariants/killsweep"
)

var limits = spill.Limits{Artifact: 40_000, Session: 60_000, Store: 150_000}

// The texts of the artifacts, by name. What is not whole is not one of them.
var contents = map[string]string{
	"empty":                   "",
	"small":                   strings.Repeat("small ", 50),
	"block":                   strings.Repeat("a block of text\n", 1_000),
	"stream":                  strings.Repeat("a line of a stream\n", 1_500),
	"output":                  strings.Repeat("a line of output\n", 800),
	"old":                     strings.Repeat("old ", 2_000),
	"new":                     strings.Repeat("new ", 2_500),
	"session-reference-1.txt": transcript(),
}

// The sessions that the processes work on.
var sessions = []string{"one", "two", "three"}

func saves(w *worker) error {
	killsweep.Ready()
	l, err := w.open()
	if err != nil {
		return err
	}
	for _, s := range []struct{ session, name string }{{"one", "small"}, {"one", "block"}, {"two", "empty"}, {"one", "block"}} {
		err := w.store(s.name, func() (spill.Ref, error) { return saveAs(l, s.session, s.name) })
		if err != nil {
			return err
		}
	}
	// What does not fit is refused after everything was counted.
	for range 2 {
		_, err = l.Save(context.Background(), spill.Request{Owner: "one", SuggestedName: "much", Content: strings.Repeat("m", 30_000)})
		if errors.Is(err, spill.ErrQuota) {
			break
		}
	}
	if !errors.Is(err, spill.ErrQuota) {
		return fmt.Errorf("saved more than fits: %w", err)
	}
	return closed(l)
}

func saveAs(l *spill.Local, session, name string) (spill.Ref, error) {
	return l.Save(context.Background(), spill.Request{Owner: session, SuggestedName: name, Content: contents[name]})
}

// closed closes a store. What fails then is none of what was saved.
func closed(l *spill.Local) error {
	if err := l.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return nil
}

// streams writes one artifact piece by piece, gives one up, and collects one.
func streams(w *worker) error {
	killsweep.Ready()
	l, err := w.open()
	if err != nil {
		return err
	}
	ctx := context.Background()
	err = w.store("stream", func() (spill.Ref, error) {
		r := pieces{strings.NewReader(contents["stream"])}
		return spill.SaveFrom(ctx, l, spill.Request{Owner: "one", SuggestedName: "stream"}, r, spill.Unlimited)
	})
	if err != nil {
		return err
	}
	if wr, err := l.Create(ctx, spill.Request{Owner: "one", SuggestedName: "given up", Content: contents["small"]}); err == nil {
		wr.Write([]byte(contents["old"]))
		wr.Abort()
	}
	err = w.store("output", func() (spill.Ref, error) {
		c := spill.NewCollector(ctx, l, spill.Request{Owner: "one", SuggestedName: "output"},
			spill.CollectorOptions{Inline: 6_000, Keep: text.Both.Options(text.Bytes, 400, 50)})
		if _, err := io.Copy(struct{ io.Writer }{c}, pieces{strings.NewReader(contents["output"])}); err != nil {
			return spill.Ref{}, err
		}
		got := c.Finish()
		return got.Ref, got.Err
	})
	if err != nil {
		return err
	}
	return closed(l)
}

// pieces is read 8000 bytes at a time.
type pieces struct{ r io.Reader }

func (r pieces) Read(p []byte) (int, error) { return r.r.Read(p[:min(len(p), 8_000)]) }

// sweeps finds a store of other processes: old artifacts and new ones, and what a crashed writer left.
func sweeps(w *worker) error {
	l, err := w.open()
	if err != nil {
		return err
	}
	longAgo := time.Now().Add(-48 * time.Hour)
	for _, s := range []struct{ session, name string }{{"one", "old"}, {"one", "old"}, {"two", "old"}, {"two", "new"}, {"three", "new"}} {
		ref, err := saveAs(l, s.session, s.name)
		if err == nil && s.name == "old" {
			err = os.Chtimes(ref.Locator, longAgo, longAgo)
		}
		if err == nil {
			err = w.note(s.name, ref)
		}
		if err != nil {
			return err
		}
		left := filepath.Join(filepath.Dir(ref.Locator), ".partial-0123456789ab-"+filepath.Base(ref.Locator)[:12]+"-7000")
		if err := os.WriteFile(left, []byte("part of a te"), 0o600); err != nil {
			return err
		}
	}
	if err := l.Close(); err != nil {
		return err
	}
	killsweep.Ready()
	if l, err = w.open(); err != nil {
		return err
	}
	before := time.Now().Add(-24 * time.Hour)
	if _, err = l.Sweep(context.Background(), before); err != nil {
		_, err = l.Sweep(context.Background(), before)
	}
	if err != nil {
		return err
	}
	if err := w.note("swept", spill.Ref{}); err != nil {
		return err
	}
	return closed(l)
}

// checkStore checks what must hold of a store after any process that worked on it, however it ended.
//
// spec: SPL-3, SPL-5, SPL-6, CRS-1, CRS-2, CRS-3, CRS-4, ERR-4
func checkStore(run killsweep.Run) error {
	if run.Err != nil && run.Point.Fault.Error != "" {
		return fmt.Errorf("one fault is more than it can bear: %w: %s", run.Err, run.Output)
	}
	if f := run.Point.Fault; f.Call == "fsync" && f.Error != "" && !strings.Contains(run.Output, noticed) {
		return errors.New("a sync failed, and what was to be synced passes for saved")
	}
	list, err := recorded(run.Dir)
	if err != nil {
		return err
	}
	swept := slices.ContainsFunc(list, func(e entry) bool { return e.Name == "swept" })
	first, err := look(run.Dir, list, swept)
	if err != nil {
		return err
	}
	second, err := look(run.Dir, list, swept)
	if err == nil && !maps.Equal(first, second) {
		err = fmt.Errorf("opened twice: %d entries, then %d", len(first), len(second))
	}
	if err == nil {
		err = checkRoom(run.Dir)
	}
	if err == nil {
		err = checkCleared(run.Dir)
	}
	return err
}

// look opens the store, checks what is in it, and returns all that lies in its directory once it is closed.
func look(dir string, list []entry, swept bool) (files map[string]string, err error) {
	l, err := spill.NewLocal(rootPath(dir), spill.WithLimits(limits))
	if err != nil {
		return nil, err
	}
	if err = errors.Join(checkRecords(l, list, swept), checkWhole(l), l.Close()); err != nil {
		return nil, err
	}
	files = map[string]string{}
	return files, filepath.WalkDir(rootPath(dir), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		files[path] = string(b)
		return err
	})
}

// checkRecords follows the pointers of the record.
func checkRecords(l *spill.Local, list []entry, swept bool) error {
	ctx := context.Background()
	for _, e := range list {
		if e.Name == "swept" {
			continue
		}
		err := spill.Verify(ctx, l, e.Ref)
		if e.Name == "old" { // a sweep goes over it
			if swept && err == nil {
				return errors.New("an old artifact is there after the sweep")
			}
			if errors.Is(err, spill.ErrExpired) {
				continue
			}
		}
		if err != nil {
			return fmt.Errorf("%s was recorded: %w", e.Name, err)
		}
		if e.Ref.Bytes != int64(len(contents[e.Name])) {
			return fmt.Errorf("%s was recorded with %d bytes", e.Name, e.Ref.Bytes)
		}
	}
	return nil
}

// checkWhole checks that what is listed is whole, and that nothing else is counted.
func checkWhole(l *spill.Local) error {
	ctx := context.Background()
	var total spill.Usage
	for _, session := range sessions {
		u, err := l.Usage(ctx, session)
		if err != nil {
			return err
		}
		listed, err := l.List(ctx, session)
		if err != nil {
			return err
		}
		var sum spill.Usage
		for _, e := range listed {
			content, known := contents[e.Name]
			sha := sha256.Sum256([]byte(content))
			err := spill.Verify(ctx, l, spill.Ref{Locator: e.Locator, Bytes: int64(len(content)), SHA256: hex.EncodeToString(sha[:])})
			if !known || err != nil {
				return fmt.Errorf("%s with %d bytes is visible: %w", e.Name, e.Bytes, err)
			}
			sum.Artifacts++
			sum.Bytes += e.Bytes
		}
		if u != sum {
			return fmt.Errorf("session %s: %+v is counted, %+v is there", session, u, sum)
		}
		total.Artifacts += sum.Artifacts
		total.Bytes += sum.Bytes
	}
	u, err := l.Total(ctx)
	if err == nil && u != total {
		err = fmt.Errorf("%+v is counted in all, %+v is there", u, total)
	}
	return err
}

// checkRoom fills each session to its last byte.
func checkRoom(dir string) error {
	roomy := limits
	roomy.Artifact, roomy.Store = limits.Session, limits.Session*int64(len(sessions))
	l, err := spill.NewLocal(rootPath(dir), spill.WithLimits(roomy))
	if err != nil {
		return err
	}
	return errors.Join(fill(l), l.Close())
}

func fill(l *spill.Local) error {
	ctx := context.Background()
	for _, session := range sessions {
		listed, err := l.List(ctx, session)
		if err != nil {
			return err
		}
		left := l.Limits().Session
		for _, e := range listed {
			left -= e.Bytes
		}
		req := spill.Request{Owner: session, SuggestedName: "rest", Content: strings.Repeat("r", int(left)+1)}
		if _, err := l.Save(ctx, req); !errors.Is(err, spill.ErrQuota) {
			return fmt.Errorf("session %s: a byte more than fits: %w", session, err)
		}
		req.Content = req.Content[:left]
		if _, err := l.Save(ctx, req); err != nil {
			return fmt.Errorf("session %s: what is left of its room: %w", session, err)
		}
	}
	return nil
}

// checkCleared sweeps everything away.
func checkCleared(dir string) error {
	swept, err := spill.SweepDir(context.Background(), rootPath(dir), time.Now().Add(time.Hour))
	if err != nil || swept.Held != 0 || len(swept.Skipped) != 0 {
		return fmt.Errorf("sweep all: %+v: %w", swept, err)
	}
	entries, err := os.ReadDir(rootPath(dir))
	for _, e := range entries {
		if e.Name() != ".lock" && e.Name() != ".usage" {
			return fmt.Errorf("%s is left after a sweep", e.Name())
		}
	}
	return err
}

// spec: SPL-3, SPL-5, SPL-6, CRS-1, CRS-2, CRS-4
func TestKilledWriters(t *testing.T) {
	for role, needed := range map[string][]string{
		"save":      {"openat", "mkdirat", "write", "pwrite64", "fsync", "flock", "renameat", "unlinkat", "close"},
		"stream":    {"openat", "mkdirat", "write", "pwrite64", "fsync", "flock", "renameat", "unlinkat", "close"},
		"sweep":     {"openat", "pwrite64", "flock", "unlinkat", "close"},
		"reference": {"openat", "mkdirat", "write", "pwrite64", "fsync", "flock", "renameat", "unlinkat", "close"},
	} {
		t.Run(role, func(t *testing.T) {
			faults := killsweep.Kills(calls...)
			r := sweep(t, killsweep.Sweep{Command: play(role), Check: checkStore, Faults: faults, Every: every()})
			sound(t, r, faults, needed...)
		})
	}
}

// spec: SPL-3, SPL-5, CRS-1, CRS-3, ERR-4
func TestFailingCalls(t *testing.T) {
	for role, needed := range map[string][]string{
		"save":      {"openat", "mkdirat", "write", "pwrite64", "fsync", "flock", "renameat", "unlinkat"},
		"stream":    {"openat", "mkdirat", "write", "pwrite64", "fsync", "flock", "renameat", "unlinkat"},
		"sweep":     {"openat", "pwrite64", "flock", "unlinkat"},
		"reference": {"openat", "mkdirat", "write", "pwrite64", "fsync", "flock", "renameat", "unlinkat"},
	} {
		t.Run(role, func(t *testing.T) {
			faults := failures
			if role != "save" { // the store does not tell the reasons apart
				faults = slices.DeleteFunc(slices.Clone(failures), func(f killsweep.Fault) bool { return f.Error == "EACCES" })
			}
			r := sweep(t, killsweep.Sweep{Command: play(role), Check: checkStore, Faults: faults, Below: "store", Every: every()})
			sound(t, r, faults, needed...)
		})
	}
}

// Another process works in the store all the time and never opens it anew: it, too, gets the room back.
//
// spec: SPL-5, SPL-6, ERR-4
func TestKilledNeighbours(t *testing.T) {
	for _, role := range []string{"save", "stream"} {
		t.Run(role, func(t *testing.T) {
			var open sync.Map // by directory
			command := func(dir string) *exec.Cmd {
				l, err := spill.NewLocal(rootPath(dir), spill.WithLimits(limits))
				if err == nil {
					_, err = saveAs(l, "three", "small")
				}
				if err != nil {
					t.Error(err)
				}
				open.Store(dir, l)
				t.Cleanup(func() { l.Close() })
				return play(role)(dir)
			}
			check := func(run killsweep.Run) error {
				kept, _ := open.LoadAndDelete(run.Dir)
				l := kept.(*spill.Local)
				defer l.Close()
				list, err := recorded(run.Dir)
				if err != nil {
					return err
				}
				if err := fillBeside(l); err != nil {
					return err
				}
				return checkRecords(l, list, false)
			}
			faults := killsweep.Kills("openat", "pwrite64", "flock", "renameat", "unlinkat")
			r := sweep(t, killsweep.Sweep{Command: command, Check: check, Faults: faults, Every: every()})
			sound(t, r, faults, "openat", "pwrite64", "flock", "renameat", "unlinkat")
		})
	}
}

// fillBeside fills the session of the killed process as far as the limits of the neighbour go.
func fillBeside(l *spill.Local) error {
	ctx := context.Background()
	listed, err := l.List(ctx, "one")
	if err != nil {
		return err
	}
	left := limits.Session
	for _, e := range listed {
		left -= e.Bytes
	}
	for left > 0 {
		n := min(left, limits.Artifact)
		if _, err := l.Save(ctx, spill.Request{Owner: "one", SuggestedName: "rest", Content: strings.Repeat("r", int(n))}); err != nil {
			return fmt.Errorf("what is left of its room: %w", err)
		}
		left -= n
	}
	if _, err := l.Save(ctx, spill.Request{Owner: "one", SuggestedName: "rest", Content: "r"}); !errors.Is(err, spill.ErrQuota) {
		return fmt.Errorf("a byte more than fits: %w", err)
	}
	u, err := l.Usage(ctx, "one")
	if err == nil && u.Bytes != limits.Session {
		err = fmt.Errorf("a full session counts %d bytes", u.Bytes)
	}
	return err
}
