package spill

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

func request(session, name, content string) Request {
	return Request{Owner: session, Source: Tool{Name: "ls", CallID: "call_0", Label: "result"}, SuggestedName: name, Content: content}
}

func newLocal(t *testing.T) *Local {
	t.Helper()
	l, err := NewLocal(filepath.Join(t.TempDir(), "store"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func read(t *testing.T, s Store, locator string) string {
	t.Helper()
	a, err := s.Open(t.Context(), locator)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	b, err := io.ReadAll(a)
	if err != nil || int64(len(b)) != a.Size() {
		t.Fatalf("%d bytes of %d: %v", len(b), a.Size(), err)
	}
	return string(b)
}

// TestStores is the contract that every store keeps.
//
// spec: SPL-1, SPL-4
func TestStores(t *testing.T) {
	for name, s := range map[string]Store{"memory": &Memory{}, "local": newLocal(t)} {
		t.Run(name, func(t *testing.T) {
			locators := map[string]string{}
			for _, content := range []string{"", "a", "a\xff\x00\r\n", strings.Repeat("語", 100_000)} {
				for range 2 { // the same request twice is two artifacts
					ref, err := s.Save(t.Context(), request("s", "same.txt", content))
					if err != nil {
						t.Fatal(err)
					}
					sum := sha256.Sum256([]byte(content))
					if ref.Bytes != int64(len(content)) || ref.SHA256 != hex.EncodeToString(sum[:]) {
						t.Errorf("ref %+v", ref)
					}
					if _, ok := locators[ref.Locator]; ok {
						t.Errorf("%s was given out twice", ref.Locator)
					}
					locators[ref.Locator] = content
				}
			}
			for locator, content := range locators {
				if read(t, s, locator) != content {
					t.Errorf("%s has other content", locator)
				}
			}
			for _, locator := range []string{"", "memory:0/a", "memory:1/", "memory:01/same.txt", "memory:999/a", "memory:x", "/etc/passwd", "../x", "nowhere"} {
				if a, err := s.Open(t.Context(), locator); !errors.Is(err, ErrNotFound) {
					t.Errorf("open %q: %v, %v", locator, a, err)
				}
			}
			cancelled, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := s.Save(cancelled, request("s", "a", "b")); !errors.Is(err, context.Canceled) {
				t.Errorf("save: %v", err)
			}
			if _, err := s.Open(cancelled, "a"); !errors.Is(err, context.Canceled) {
				t.Errorf("open: %v", err)
			}
			a, err := s.Open(t.Context(), firstKey(locators, "a\xff\x00\r\n"))
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			var part [3]byte
			if n, err := a.ReadAt(part[:], 1); n != 3 || err != nil || string(part[:]) != "\xff\x00\r" {
				t.Errorf("read at 1: %q, %v", part[:n], err)
			}
		})
	}
}

func firstKey(m map[string]string, value string) string {
	for k, v := range m {
		if v == value {
			return k
		}
	}
	return ""
}

// spec: SPL-2
func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"web_fetch.txt": "web_fetch.txt", "a-B_9.z": "a-B_9.z", "../etc/passwd": "..~002Fetc~002Fpasswd", "a/b": "a~002Fb",
		"~": "~007E", ".": "~002E", "..": "~002E~002E", "": "~", "...": "...", `a\b`: "a~005Cb", `C:\x`: "C~003A~005Cx",
		"\x00": "~0000", "a b": "a~0020b", "報告 (1).txt": "~5831~544A~0020~00281~0029.txt", "😀": "~D83D~DE00", "~002E": "~007E002E",
	} {
		if got := EscapeName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	for session, want := range map[string]string{
		"sess-1": "session-abe633f3a47a", "sess-2": "session-2b8ea9758113", "s1": "session-e8bc163c82ee", "": "session-e3b0c44298fc",
		"會話": "session-f79c1136b1e4", "target": "session-34a04005bcaf",
	} {
		if got := sessionDir(session); got != want {
			t.Errorf("%q: %s, want %s", session, got, want)
		}
	}
	a, b := shortName(strings.Repeat("A", 1_400)+"1", 200), shortName(strings.Repeat("A", 1_400)+"2", 200)
	if len(a) != 200 || len(b) != 200 || a == b {
		t.Errorf("%d and %d bytes, equal %t", len(a), len(b), a == b)
	}
	if got := shortName(strings.Repeat("A", 200), 200); got != strings.Repeat("A", 200) {
		t.Errorf("%q was shortened", got)
	}
}

// spec: SPL-2, SPL-3
func TestLocalFilesArePrivateAndComplete(t *testing.T) {
	l := newLocal(t)
	ref, err := l.Save(t.Context(), request("s1", "../etc/passwd", "content"))
	if err != nil {
		t.Fatal(err)
	}
	rel, err := filepath.Rel(l.path, ref.Locator)
	if err != nil || !regexp.MustCompile(`^session-e8bc163c82ee.[0-9a-f]{12}-\.\.~002Fetc~002Fpasswd$`).MatchString(rel) {
		t.Errorf("name %q", rel)
	}
	err = filepath.WalkDir(l.path, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if strings.HasPrefix(filepath.Base(path), partialPrefix) {
			t.Errorf("%s is left over", path)
		}
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	long, err := l.Save(t.Context(), request("s1", "c__"+strings.Repeat("A", 1_400), "content"))
	if err != nil || len(filepath.Base(long.Locator)) > 255 {
		t.Errorf("a long name: %v", err)
	}
}

// spec: SPL-2
func TestLocalFollowsNoLinks(t *testing.T) {
	l := newLocal(t)
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("keep"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Dir(victim), filepath.Join(l.path, sessionDir("s1"))); err != nil {
		t.Fatal(err)
	}
	if ref, err := l.Save(t.Context(), request("s1", "a", "b")); err == nil {
		t.Errorf("saved through a link: %v", ref.Locator)
	}
	if err := os.Symlink(victim, filepath.Join(l.path, "link")); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Open(t.Context(), filepath.Join(l.path, "link")); err == nil {
		t.Error("opened a link")
	}
	if _, err := l.Open(t.Context(), l.path); err == nil {
		t.Error("opened a directory")
	}
}

func TestLocalRefusesBadRoots(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	open := filepath.Join(dir, "open")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Mkdir(open, 0o700), os.Chmod(open, 0o777)); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{file, open} {
		if l, err := NewLocal(root); err == nil || !strings.Contains(err.Error(), root) {
			t.Errorf("%s: %v, %v", root, l, err)
		}
	}
}

// spec: OFF-10
func TestQuota(t *testing.T) {
	q := NewQuota(10)
	for _, tt := range []struct {
		session string
		n       int64
		ok      bool
	}{{"a", 6, true}, {"a", 5, false}, {"a", 4, true}, {"a", 1, false}, {"a", 0, true}, {"b", 11, false}, {"b", 10, true}, {"b", -1, false}} {
		if ok := q.Reserve(tt.session, tt.n); ok != tt.ok {
			t.Errorf("reserve %d for %s: %t", tt.n, tt.session, ok)
		}
	}
	q.Release("a", 4)
	if q.Used("a") != 6 || !q.Reserve("a", 4) || q.Reserve("a", 1) {
		t.Errorf("%d used", q.Used("a"))
	}
	if q := NewQuota(-1); !q.Reserve("a", 1<<62) {
		t.Error("no limit, and it was reached")
	}
	if q := NewQuota(1 << 62); !q.Reserve("a", 1<<62) || q.Reserve("a", 1<<62) || q.Reserve("a", 1<<63-1) {
		t.Error("overflow")
	}
}

// spec: OFF-10
func TestQuotaIsNotOvershotByParallelWriters(t *testing.T) {
	q := NewQuota(50)
	var wg sync.WaitGroup
	var mu sync.Mutex
	granted := 0
	for range 100 {
		wg.Go(func() {
			if q.Reserve("s", 1) {
				mu.Lock()
				defer mu.Unlock()
				granted++
			}
		})
	}
	wg.Wait()
	if granted != 50 || q.Used("s") != 50 {
		t.Errorf("%d granted, %d used", granted, q.Used("s"))
	}
}
