package killsweep_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/invariants/killsweep"
)

// The test binary plays the processes that are killed.
const roleVar, dirVar = "KILLSWEEP_TEST_ROLE", "KILLSWEEP_TEST_DIR"

func TestMain(m *testing.M) {
	role := os.Getenv(roleVar)
	if role == "" {
		os.Exit(m.Run())
	}
	w, err := newWorker(os.Getenv(dirVar))
	if err == nil {
		err = roles[role](w)
	}
	if err == nil {
		err = w.record.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var roles = map[string]func(*worker) error{
	"save":              saves,
	"stream":            streams,
	"sweep":             sweeps,
	"reference":         references,
	"in-place":          writesInPlace,
	"record-first":      recordsFirst,
	"ignores-errors":    ignoresErrors,
	"forgets-partials":  forgetsPartials,
	"works-on-a-thread": worksOnAThread,
	"quiet":             func(*worker) error { return nil },
}

// play is the command of a process that plays a role.
func play(role string) func(dir string) *exec.Cmd {
	return func(dir string) *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		// The race detector would wait a second for other threads before each process ends.
		cmd.Env = append(os.Environ(), roleVar+"="+role, dirVar+"="+dir, "GORACE=atexit_sleep_ms=0")
		return cmd
	}
}

// worker is a process that stores artifacts and records them.
type worker struct {
	root   string
	record *os.File
}

func newWorker(dir string) (*worker, error) {
	record, err := os.OpenFile(recordPath(dir), os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	return &worker{rootPath(dir), record}, err
}

func rootPath(dir string) string   { return filepath.Join(dir, "store") }
func recordPath(dir string) string { return filepath.Join(dir, "record") }

// noticed is what a process prints before it tries again.
const noticed = "noticed:"

// open opens the store, at the second attempt if need be: each run has one fault only.
func (w *worker) open() (*spill.Local, error) {
	l, err := spill.NewLocal(w.root, spill.WithLimits(limits))
	if err != nil {
		fmt.Fprintln(os.Stderr, noticed, err)
		l, err = spill.NewLocal(w.root, spill.WithLimits(limits))
	}
	return l, err
}

// entry is what a session remembers of an artifact.
type entry struct {
	Name string
	Ref  spill.Ref
}

// note records an artifact durably.
func (w *worker) note(name string, ref spill.Ref) error {
	line, err := json.Marshal(entry{name, ref})
	if err != nil {
		return err
	}
	if _, err := w.record.Write(append(line, '\n')); err != nil {
		return err
	}
	return w.record.Sync()
}

// store saves in some way, at the second attempt if need be, and records what was saved.
func (w *worker) store(name string, save func() (spill.Ref, error)) error {
	ref, err := save()
	if err != nil {
		fmt.Fprintln(os.Stderr, noticed, err)
		first := err
		if ref, err = save(); err != nil {
			return fmt.Errorf("%s is not saved at the second attempt either: %w, after %w", name, err, first)
		}
	}
	return w.note(name, ref)
}

// recorded reads what a process has recorded. A line that it did not come to finish counts for nothing.
func recorded(dir string) ([]entry, error) {
	b, err := os.ReadFile(recordPath(dir))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var list []entry
	for line := range strings.Lines(string(b)) {
		if !strings.HasSuffix(line, "\n") {
			break
		}
		var e entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, err
}

// Calls of a store, each of which a process can be killed at.
var calls = []string{
	"openat", "mkdirat", "write", "pwrite64", "fsync", "flock", "ftruncate", "renameat", "renameat2", "unlinkat", "close",
}

// Errors that these calls return on bad days. A failing close is left out, see the documentation.
var failures = []killsweep.Fault{
	{Call: "fsync", Error: "EIO"},
	{Call: "write", Error: "ENOSPC"},
	{Call: "pwrite64", Error: "ENOSPC"},
	{Call: "renameat", Error: "EXDEV"},
	{Call: "renameat2", Error: "EXDEV"},
	{Call: "openat", Error: "EACCES"},
	{Call: "openat", Error: "EMFILE"},
	{Call: "mkdirat", Error: "ENOSPC"},
	{Call: "unlinkat", Error: "EIO"},
	{Call: "flock", Error: "ENOLCK"},
	{Call: "flock", Error: "EINTR"},
}

// every thins a sweep out. A process that is killed tells the race detector nothing.
func every() int {
	if raceEnabled || testing.Short() {
		return 7
	}
	return 1
}

// sweep runs a sweep, or skips and says what is not done.
func sweep(t *testing.T, s killsweep.Sweep) killsweep.Report {
	t.Helper()
	t.Parallel()
	s.TempDir = t.TempDir()
	s.Parallel = 1
	r, err := s.Run(t.Context())
	if errors.Is(err, killsweep.ErrUnavailable) {
		t.Skipf("%d faults are met at no call: %v", len(s.Faults), err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %v", t.Name(), r)
	return r
}

// sound fails for what a sweep found, and for what it did not do.
func sound(t *testing.T, r killsweep.Report, faults []killsweep.Fault, needed ...string) {
	t.Helper()
	for i, f := range r.Failures {
		if i == 5 {
			t.Errorf("and %d failures more", len(r.Failures)-i)
			break
		}
		t.Error(f)
	}
	for _, call := range needed {
		if r.Hits(call) == 0 {
			t.Errorf("no %s was met", call)
		}
	}
	if len(r.Survivors) != len(faults) {
		t.Errorf("%d of %d faults were followed to the end", len(r.Survivors), len(faults))
	}
	if r.Missed*20 > len(r.Points) {
		t.Errorf("%d calls were missed, and %d met", r.Missed, len(r.Points))
	}
}
