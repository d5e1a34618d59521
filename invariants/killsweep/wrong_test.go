package killsweep_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/invariants/killsweep"
)

// What the wrong writers write beside the store, into a session of it: the second half of an artifact comes later.
func halves(w *worker) (ref spill.Ref, first, second string, err error) {
	l, err := w.open()
	if err != nil {
		return ref, "", "", err
	}
	ref, err = saveAs(l, "one", "small")
	if err = errors.Join(err, l.Close()); err != nil {
		return ref, "", "", err
	}
	content := contents["block"]
	sha := sha256.Sum256([]byte(content))
	ref.Locator = filepath.Join(filepath.Dir(ref.Locator), "00112233aabb-block")
	ref.Bytes, ref.SHA256 = int64(len(content)), hex.EncodeToString(sha[:])
	return ref, content[:9_000], content[9_000:], nil
}

// writesInPlace writes under the name that readers know.
func writesInPlace(w *worker) error {
	ref, first, second, err := halves(w)
	if err != nil {
		return err
	}
	killsweep.Ready()
	f, err := os.OpenFile(ref.Locator, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, e1 := f.WriteString(first)
	_, e2 := f.WriteString(second)
	if err := errors.Join(e1, e2, f.Sync(), f.Close()); err != nil {
		return err
	}
	return w.note("block", ref)
}

// recordsFirst records what it is about to save.
func recordsFirst(w *worker) error {
	ref, first, second, err := halves(w)
	if err != nil {
		return err
	}
	killsweep.Ready()
	if err := w.note("block", ref); err != nil {
		return err
	}
	temp := filepath.Join(filepath.Dir(ref.Locator), ".partial-0123456789ab-00112233aabb-15000")
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(first + second)
	return errors.Join(err, f.Sync(), f.Close(), os.Rename(temp, ref.Locator))
}

// ignoresErrors trusts every write.
func ignoresErrors(w *worker) error {
	ref, first, second, err := halves(w)
	if err != nil {
		return err
	}
	killsweep.Ready()
	temp := filepath.Join(filepath.Dir(ref.Locator), ".partial-0123456789ab-00112233aabb-15000")
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil
	}
	f.WriteString(first)
	f.WriteString(second)
	f.Close()
	if err := os.Rename(temp, ref.Locator); err != nil {
		return nil
	}
	return w.note("block", ref)
}

// forgetsPartials writes under names that no sweep knows.
func forgetsPartials(w *worker) error {
	ref, first, second, err := halves(w)
	if err != nil {
		return err
	}
	killsweep.Ready()
	temp := filepath.Join(filepath.Dir(ref.Locator), ".temporary")
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(first + second)
	if err := errors.Join(err, f.Sync(), f.Close(), os.Rename(temp, ref.Locator)); err != nil {
		return err
	}
	return w.note("block", ref)
}

// worksOnAThread leaves the thread whose calls are met.
func worksOnAThread(*worker) error {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		killsweep.Ready()
	}()
	<-done
	return nil
}

// Each wrong writer is caught, and not by chance only. A sweep that finds nothing wrong with the right one says something
// because of this.
func TestWrongWritersAreCaught(t *testing.T) {
	for _, wrong := range []struct {
		role   string
		faults []killsweep.Fault
		says   string
	}{
		{"in-place", killsweep.Kills("write", "fsync"), "is visible"},
		{"record-first", killsweep.Kills("openat", "write", "fsync", "renameat"), "block was recorded"},
		{"ignores-errors", []killsweep.Fault{{Call: "write", Error: "ENOSPC"}}, "is visible"},
		{"forgets-partials", killsweep.Kills("renameat"), "is left after a sweep"},
	} {
		t.Run(wrong.role, func(t *testing.T) {
			r := sweep(t, killsweep.Sweep{Command: play(wrong.role), Check: checkStore, Faults: wrong.faults, Below: "store"})
			found := 0
			for _, f := range r.Failures {
				if strings.Contains(f.Error(), wrong.says) {
					found++
				}
			}
			if found == 0 || found != len(r.Failures) {
				t.Errorf("%d of %d failures say %q: %v", found, len(r.Failures), wrong.says, r.Failures)
			}
			t.Logf("%d failures, the first: %v", len(r.Failures), r.Failures[:1])
		})
	}
}

// A process whose calls cannot be told apart, or that fails by itself, is no subject of a sweep.
func TestWhatCannotBeSwept(t *testing.T) {
	if err := killsweep.Available(t.Context()); err != nil {
		t.Skip(err)
	}
	fine := func(killsweep.Run) error { return nil }
	for _, s := range []struct {
		role  string
		check func(killsweep.Run) error
		says  string
	}{
		{"quiet", fine, "has not called Ready"},
		{"works-on-a-thread", fine, "has not called Ready"},
		{"unknown", fine, "exit status 2"},
		{"save", func(killsweep.Run) error { return errors.New("bad news") }, "bad news"},
	} {
		sweep := killsweep.Sweep{Command: play(s.role), Check: s.check, Faults: killsweep.Kills("write"), TempDir: t.TempDir()}
		if _, err := sweep.Run(t.Context()); err == nil || !strings.Contains(err.Error(), s.says) {
			t.Errorf("%s: %v", s.role, err)
		}
	}
}

// Where there is no strace, a sweep says so and starts nothing.
func TestWithoutStrace(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	s := killsweep.Sweep{Command: func(string) *exec.Cmd { panic("started") }, Faults: killsweep.Kills("write")}
	if _, err := s.Run(t.Context()); !errors.Is(err, killsweep.ErrUnavailable) {
		t.Error(err)
	}
}

// A sweep that is cancelled ends, and says why.
func TestCancelledSweep(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	started := 0
	s := killsweep.Sweep{
		Command: func(dir string) *exec.Cmd {
			if started++; started == 3 {
				cancel()
			}
			return play("save")(dir)
		},
		Check: func(killsweep.Run) error { return nil }, Faults: killsweep.Kills("openat"), TempDir: t.TempDir(),
	}
	if err := killsweep.Available(ctx); err != nil {
		t.Skip(err)
	}
	r, err := s.Run(ctx)
	if !errors.Is(err, context.Canceled) || len(r.Points) > 2 {
		t.Errorf("%v, %v", r, err)
	}
}
