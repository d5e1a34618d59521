package blob_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/spill/blob"
)

// spec: SPL-2
func TestUnsafeDirectoriesAreRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing on Windows, where file URLs are refused")
	}
	made := func(mode fs.FileMode) string {
		dir := filepath.Join(t.TempDir(), "store")
		if err := errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, mode)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(made(0o700), link); err != nil {
		t.Fatal(err)
	}
	used := made(0o700)
	local, err := spill.NewLocal(used)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := local.Save(t.Context(), request("s", "a", "text")); err != nil {
		t.Fatal(err)
	}
	defer local.Close()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for dir, says := range map[string]string{
		made(0o755): "spill.NewLocal", made(0o710): "spill.NewLocal", made(0o701): "spill.NewLocal", made(0o777): "others may write",
		link: "symbolic link", used: "in use by spill.NewLocal", file: "no directory",
	} {
		s, err := blob.Open(t.Context(), "file://"+dir)
		if err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v, %v", dir, s, err)
		}
	}
	if _, err := os.ReadDir(filepath.Join(made(0o700), "session-")); err == nil {
		t.Error("a refused directory was written to")
	}
	for _, dir := range []string{made(0o700), filepath.Join(t.TempDir(), "new", "store")} {
		open(t, "file://"+dir)
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%v, %v", info, err)
		}
	}
}

// The file driver would make files that everybody may read.
//
// spec: SPL-2
func TestFilesArePrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing on Windows")
	}
	before, err := os.ReadDir(os.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "store")
	s := open(t, "file://"+dir, blob.WithBeforeWrite(func(func(any) bool) error { return nil }))
	if _, err := s.Save(t.Context(), request("s", "a", secret)); err != nil {
		t.Fatal(err)
	}
	w, err := s.Create(t.Context(), request("s", "b", secret))
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		} else {
			files++
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return nil
	})
	if err != nil || files != 4 { // two artifacts, one being written, its reservation, and the lease
		t.Errorf("%d files, %v", files, err)
	}
	if err := w.Abort(); err != nil {
		t.Error(err)
	}
	after, err := os.ReadDir(os.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range after[min(len(before), len(after)):] {
		if strings.HasSuffix(e.Name(), ".tmp") && strings.Contains(e.Name(), "-b.") {
			t.Errorf("%s in the system's directory for temporary files", e.Name())
		}
	}
}

func TestURLs(t *testing.T) {
	const key = "hunter2"
	for url, says := range map[string]string{
		"":                                   "mem:// and file://",
		"artifacts":                          "mem:// and file://",
		"s3://bucket?token=" + key:           "only prefix",
		"s3://bucket":                        "bounding/spill/blob/clouds",
		"gs://bucket":                        "bounding/spill/blob/clouds",
		"azblob://container":                 "bounding/spill/blob/clouds",
		"http://user:" + key + "@host/":      "blob.OpenBucket",
		"mem://?nomd5=" + key:                `"nomd5"`,
		"file:///tmp/x?metadata=" + key:      `"metadata"`,
		"file://host/tmp/x":                  "another machine",
		"file:///a\x00?" + key:               "no URL",
		"://" + key:                          "no URL",
		"file:///nowhere%0a/x?prefix=" + key: "control characters",
	} {
		s, err := blob.Open(t.Context(), url)
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), key) {
			t.Errorf("%q: %v, %v", url, s, err)
		}
	}
}

// Names that drivers and services make something else of come back as they were.
//
// spec: SPL-2
func TestNamesOfDrivers(t *testing.T) {
	names := []string{
		"a.attrs", ".attrs", "a.tmp", "a.1f.tmp", "a.", "..", "...", "a~002E", "__0x2f__", "a__0x2e", "~", "", "~002Etmp", "語.tmp",
		strings.Repeat("a", 217), strings.Repeat("a", 213) + ".tmp", "a~", "~D800", "\U0001F600.attrs",
	}
	s := open(t, fileURL(t))
	for _, name := range names {
		ref, err := s.Save(t.Context(), request(name, name, name))
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		if err := spill.Verify(t.Context(), s, ref); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		list, err := s.List(t.Context(), name)
		if err != nil || len(list) != 1 || list[0].Locator != ref.Locator || len(name) < 200 && list[0].Name != name {
			t.Errorf("%q: %+v, %v", name, list, err)
		}
	}
}

// What the file driver leaves when it is killed is no artifact, and goes with a sweep, but not while its session is held.
//
// spec: SPL-3, SPL-6
func TestPartialFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	s := open(t, "file://"+dir)
	ref, err := s.Save(t.Context(), request("s", "a", "text"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, filepath.FromSlash(strings.SplitN(ref.Locator, "/", 2)[1]))
	partial := filepath.Join(filepath.Dir(path), "0123456789ab-a.18aef0c5b2f1d3a4.tmp")
	if err := os.WriteFile(partial, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if u, err := s.Usage(t.Context(), "s"); err != nil || u != (spill.Usage{Artifacts: 1, Bytes: 4}) {
		t.Errorf("%+v, %v", u, err)
	}
	long := time.Now().Add(-time.Hour)
	for _, want := range []int{0, 1} {
		swept, err := s.Sweep(t.Context(), long)
		if err != nil || swept.Partials != want || swept.Artifacts != 0 {
			t.Errorf("%+v, %v", swept, err)
		}
		if err := s.Release(t.Context(), "s"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(partial); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
