package spill_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// hookDir calls a hook after each removal.
type hookDir struct {
	spill.Dir
	removed func(name string)
}

func (d hookDir) OpenDir(name string) (spill.Dir, error) {
	inner, err := d.Dir.OpenDir(name)
	return hookDir{inner, d.removed}, err
}

func (d hookDir) Remove(name string) error {
	err := d.Dir.Remove(name)
	d.removed(name)
	return err
}

// Another process counts the files just when a writer that gives up has removed its own: the room is given back once.
//
// spec: SPL-5
func TestRoomIsGivenBackOnce(t *testing.T) {
	root := t.TempDir()
	limits := spill.Limits{Artifact: 1_000, Session: 1_000, Store: 1_000}
	other := openLocal(t, root, limits)
	count := func() {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if _, err := other.Usage(ctx, "s"); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	}
	l, err := spill.NewLocal(root, spill.WithLimits(limits), spill.WithDir(func(path string) (spill.Dir, error) {
		d, err := spill.OpenDir(path)
		return hookDir{d, func(name string) {
			if strings.HasPrefix(name, ".partial-") {
				count()
			}
		}}, err
	}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	if _, err := l.Save(t.Context(), spill.Request{Owner: "s", Content: strings.Repeat("q", 500)}); err != nil {
		t.Fatal(err)
	}
	w, err := l.Create(t.Context(), spill.Request{Owner: "s", Content: strings.Repeat("q", 400)})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Abort(); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Save(t.Context(), spill.Request{Owner: "s", Content: strings.Repeat("q", 501)}); !errors.Is(err, spill.ErrQuota) {
		t.Errorf("one byte over what is left: %v", err)
	}
	if _, err := l.Save(t.Context(), spill.Request{Owner: "s", Content: strings.Repeat("q", 500)}); err != nil {
		t.Error(err)
	}
}

// What the names of partial files say cannot make room: numbers that overflow count as full, and what is no file is left
// alone.
//
// spec: SPL-5, SPL-6
func TestPlantedReservations(t *testing.T) {
	root := t.TempDir()
	l := openLocal(t, root, spill.Limits{Artifact: 100, Session: 1_000, Store: 1_000})
	if _, err := l.Save(t.Context(), spill.Request{Owner: "s", Content: "a"}); err != nil {
		t.Fatal(err)
	}
	lease, err := filepath.Glob(filepath.Join(root, ".lease-*"))
	if err != nil || len(lease) != 1 {
		t.Fatal(lease, err)
	}
	id := strings.TrimPrefix(filepath.Base(lease[0]), ".lease-")
	session, _ := filepath.Glob(filepath.Join(root, "session-*"))
	victim := filepath.Join(t.TempDir(), "victim")
	plant := func(lease, random string) string {
		return filepath.Join(session[0], ".partial-"+lease+"-"+random+"-999999999999999999")
	}
	dir, link, gone := plant("dddddddddddd", "0123456789ab"), plant("eeeeeeeeeeee", "0123456789ab"), plant("ffffffffffff", "0123456789ab")
	err = errors.Join(os.WriteFile(victim, []byte("keep"), 0o600), os.MkdirAll(filepath.Join(dir, "below"), 0o700),
		os.Symlink(victim, link), os.WriteFile(gone, nil, 0o600))
	if err != nil {
		t.Fatal(err)
	}
	if u, err := l.Usage(t.Context(), "s"); err != nil || u != (spill.Usage{Artifacts: 1, Bytes: 1}) {
		t.Errorf("%+v, %v", u, err)
	}
	for _, path := range []string{dir, link} {
		if _, err := os.Lstat(path); err != nil {
			t.Errorf("removed what is no file: %v", err)
		}
	}
	if _, err := os.Lstat(gone); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the partial file of nobody is left: %v", err)
	}
	for _, random := range strings.Split("0123456789ab", "") { // 12 of them overflow an int64
		if err := os.WriteFile(plant(id, strings.Repeat(random, 12)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if u, err := l.Usage(t.Context(), "s"); err != nil || u.Bytes != 1<<63-1 {
		t.Errorf("%+v, %v", u, err)
	}
	if _, err := l.Save(t.Context(), spill.Request{Owner: "s", Content: "b"}); !errors.Is(err, spill.ErrQuota) {
		t.Errorf("there is room behind an overflow: %v", err)
	}
}

// A disk without room for a single byte more can be swept, and counted, also where nothing was counted before.
//
// spec: SPL-6
func TestAFullDiskIsSwept(t *testing.T) {
	root := t.TempDir()
	first := openLocal(t, root, spill.DefaultLimits())
	if _, err := first.Save(t.Context(), spill.Request{Owner: "s", Content: "text"}); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	for _, books := range []string{".usage", "session-*/.usage"} {
		found, _ := filepath.Glob(filepath.Join(root, books))
		for _, f := range found {
			if err := os.Remove(f); err != nil {
				t.Fatal(err)
			}
		}
	}
	full := &fullDisk{}
	l, err := spill.NewLocal(root, spill.WithDir(func(path string) (spill.Dir, error) {
		d, err := spill.OpenDir(path)
		return fullDir{d, full}, err
	}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	if u, err := l.Usage(t.Context(), "s"); err != nil || u != (spill.Usage{Artifacts: 1, Bytes: 4}) {
		t.Errorf("%+v, %v", u, err)
	}
	swept, err := l.Sweep(t.Context(), time.Now().Add(time.Hour))
	if err != nil || swept.Artifacts != 1 || swept.Bytes != 4 || swept.Sessions != 1 {
		t.Errorf("%+v, %v", swept, err)
	}
	if full.refused == 0 {
		t.Error("the disk was not full")
	}
}

// fullDisk makes files, and writes nothing into them.
type fullDisk struct{ refused int }

type fullDir struct {
	spill.Dir
	disk *fullDisk
}

type fullFile struct {
	spill.File
	disk *fullDisk
}

func (d fullDir) OpenDir(name string) (spill.Dir, error) {
	inner, err := d.Dir.OpenDir(name)
	return fullDir{inner, d.disk}, err
}

func (d fullDir) OpenFile(name string, flag int, perm fs.FileMode) (spill.File, error) {
	inner, err := d.Dir.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return fullFile{inner, d.disk}, nil
}

func (f fullFile) WriteAt([]byte, int64) (int, error) {
	f.disk.refused++
	return 0, syscall.ENOSPC
}

// A directory that is no store is swept without a trace.
//
// spec: SPL-6
func TestSweepOfWhatIsNoStore(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine"), []byte("keep"), 0o600); err != nil {
		t.Fatal(err)
	}
	if swept, err := spill.SweepDir(t.Context(), dir, time.Now().Add(time.Hour)); err != nil || swept.Artifacts != 0 {
		t.Errorf("%+v, %v", swept, err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}

// An artifact that lacks what a failed write was given is not completed.
//
// spec: SPL-3
func TestNoCommitAfterAFailedWrite(t *testing.T) {
	l := newLocal(t, spill.Limits{Artifact: 5, Session: 100, Store: 100})
	w, err := l.Create(t.Context(), spill.Request{Owner: "s", Content: "1234"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, "56"); !errors.Is(err, spill.ErrQuota) {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, "7"); !errors.Is(err, spill.ErrQuota) {
		t.Errorf("something is missing before: %v", err)
	}
	if ref, err := w.Commit(); !errors.Is(err, spill.ErrQuota) {
		t.Errorf("committed a part: %+v, %v", ref, err)
	}
	if err := w.Abort(); err != nil {
		t.Error(err)
	}
	if u, err := l.Usage(t.Context(), "s"); err != nil || u != (spill.Usage{}) {
		t.Errorf("%+v, %v", u, err)
	}
}

// The limit of SaveFrom is about all of the text, also about what came first.
//
// spec: OFF-10
func TestSaveFromCountsTheBeginning(t *testing.T) {
	l := newLocal(t, roomy)
	for _, s := range []spill.Store{l, plain{l}} {
		for _, tt := range []struct {
			content, rest string
			fits          bool
		}{{"12345", "", false}, {"1234", "", true}, {"1234", "5", false}, {"123", "4", true}, {"", "12345", false}, {"", "1234", true}} {
			req := spill.Request{Owner: "s", Content: tt.content}
			ref, err := spill.SaveFrom(t.Context(), s, req, strings.NewReader(tt.rest), 4)
			if fits := err == nil; fits != tt.fits || !fits && !errors.Is(err, spill.ErrQuota) {
				t.Errorf("%T, %q and %q: %+v, %v", s, tt.content, tt.rest, ref, err)
			}
		}
	}
}

// No name of an artifact ends in a dot, which Windows would take off; the name that is listed is the one that was given.
//
// spec: SPL-2
func TestNamesThatEndInADot(t *testing.T) {
	l := newLocal(t, roomy)
	for _, name := range []string{".", "..", "...", "a.", "a..", "a.b", "語.", strings.Repeat("a", 238) + ".", strings.Repeat("a.", 200)} {
		ref, err := l.Save(t.Context(), spill.Request{Owner: name, SuggestedName: name})
		if err != nil {
			t.Fatal(err)
		}
		if base := filepath.Base(ref.Locator); strings.HasSuffix(base, ".") || len(base) > 255 {
			t.Errorf("%q became %q", name, base)
		}
		list, err := l.List(t.Context(), name)
		if err != nil || len(list) != 1 || list[0].Locator != ref.Locator || len(name) < 200 && list[0].Name != name {
			t.Errorf("%q is listed as %+v, %v", name, list, err)
		}
	}
}
