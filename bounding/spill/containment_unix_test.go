//go:build unix

package spill_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// snapshot describes everything below a directory: types, modes, contents, and where links lead.
func snapshot(t testing.TB, dir string) map[string]string {
	t.Helper()
	tree := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		said := info.Mode().String()
		switch {
		case info.Mode().IsRegular():
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			said += " " + string(b)
		case info.Mode()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			if err != nil {
				return err
			}
			said += " to " + to
		}
		tree[path] = said
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// without takes what is below a directory out of a snapshot.
func without(tree map[string]string, dir string) map[string]string {
	maps.DeleteFunc(tree, func(path, _ string) bool { return strings.HasPrefix(path, dir) })
	return tree
}

func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// hostile are sessions, names and locators that mean something else to a system than to a store.
var hostile = []string{
	"", ".", "..", "../../evil", "../victim/file", "/etc/passwd", `..\..\evil`, `C:\Windows\x`, `\\server\share`, `\\?\C:\x`, "a\x00b",
	"\x00", "line\nbreak", "CON", "nul.txt", "COM1.log", "aux", "a:stream", "trailing.", "...", "trailing ", "~", ".lock", ".usage",
	".lease-0123456789ab", ".partial-0123456789ab-0123456789ab-9", "session-0123456789ab", strings.Repeat("A", 4096),
	strings.Repeat("../", 1365), "\xff\xfe", "\u202e", "memory:1/a", "s3://bucket/key", "file:///etc/passwd", "%2e%2e%2f",
}

// Whatever sessions, names and locators say, nothing outside the root changes, and no error tells a content.
//
// spec: SPL-2
func TestHostileTextsTouchNothingOutside(t *testing.T) {
	parent := t.TempDir()
	root := filepath.Join(parent, "store")
	victim := filepath.Join(parent, "victim")
	must(t, os.Mkdir(victim, 0o700), os.WriteFile(filepath.Join(victim, "file"), []byte("keep"), 0o600))
	before := snapshot(t, parent)
	l := openLocal(t, root, spill.Limits{Artifact: 100, Session: 2_000, Store: 20_000})
	foreign, err := newLocal(t, roomy).Save(t.Context(), spill.Request{Owner: "s", Content: "other"})
	must(t, err)
	for _, text := range append(hostile, foreign.Locator, victim, filepath.Join(victim, "file")) {
		for _, req := range []spill.Request{{Owner: text}, {SuggestedName: text}, {Owner: text, SuggestedName: text}} {
			req.Content = secret
			if ref, err := l.Save(t.Context(), req); err != nil || spill.Verify(t.Context(), l, ref) != nil {
				t.Errorf("%.60q: %v", text, err)
			}
			req.Content = strings.Repeat(secret, 20)
			_, err := l.Save(t.Context(), req)
			if quiet(t, err); !errors.Is(err, spill.ErrQuota) || len(err.Error()) > 500 {
				t.Errorf("%.60q: %v", text, err)
			}
		}
		for _, locator := range []string{text, root + "/" + text, root + "/session-e8bc163c82ee/" + text, root + "/session-e8bc163c82ee/0123456789ab-" + text} {
			a, err := l.Open(t.Context(), locator)
			if quiet(t, err); !errors.Is(err, spill.ErrNotFound) || len(err.Error()) > 3_000 {
				t.Errorf("open %.60q: %v, %v", locator, a, err)
			}
		}
		must(t, l.Hold(t.Context(), text), l.Release(t.Context(), text))
		if _, err := l.Usage(t.Context(), text); err != nil {
			t.Error(err)
		}
		if _, err := l.List(t.Context(), text); err != nil {
			t.Error(err)
		}
	}
	if _, err := l.Sweep(t.Context(), time.Now().Add(time.Hour)); err != nil {
		t.Error(err)
	}
	if d := cmp.Diff(before, without(snapshot(t, parent), root)); d != "" {
		t.Errorf("changed outside the root: %s", d)
	}
	for path, said := range snapshot(t, root) {
		if !strings.HasPrefix(said, "-rw-------") && !strings.HasPrefix(said, "drwx------") || len(filepath.Base(path)) > 255 {
			t.Errorf("%s: %.20s", path, said)
		}
	}
}

// Links at every level, to something and to nothing, are not followed, not removed, and cost nobody anything but the session
// that they stand in the way of.
//
// spec: SPL-2, SPL-6
func TestPlantedLinks(t *testing.T) {
	parent := t.TempDir()
	root, victim := filepath.Join(parent, "store"), filepath.Join(parent, "victim")
	leaf := "0123456789ab-a"
	must(t, os.MkdirAll(victim, 0o700), os.WriteFile(filepath.Join(victim, leaf), []byte("keep"), 0o600))
	l := openLocal(t, root, roomy)
	mine, err := l.Save(t.Context(), spill.Request{Owner: "s1", Content: "mine"})
	must(t, err)
	session := filepath.Dir(mine.Locator)
	links := map[string]string{
		filepath.Join(root, "session-2b8ea9758113"):                    victim,                           // of sess-2
		filepath.Join(root, "session-abe633f3a47a"):                    filepath.Join(parent, "nothing"), // of sess-1
		filepath.Join(root, "session-34a04005bcaf"):                    session,                          // of target, inside the root
		filepath.Join(session, leaf):                                   filepath.Join(victim, leaf),
		filepath.Join(session, "0123456789ab-b"):                       filepath.Join(parent, "nothing"),
		filepath.Join(session, "0123456789ab-c"):                       filepath.Base(mine.Locator),
		filepath.Join(session, ".partial-0123456789ab-0123456789ab-5"): filepath.Join(victim, leaf),
	}
	for link, to := range links {
		must(t, os.Symlink(to, link))
	}
	before := without(snapshot(t, parent), root)
	for _, owner := range []string{"sess-1", "sess-2", "target"} {
		ref, err := l.Save(t.Context(), spill.Request{Owner: owner, Content: secret})
		if quiet(t, err); err == nil {
			t.Errorf("%s: saved through a link: %+v", owner, ref)
		}
	}
	for link := range links {
		for _, locator := range []string{link, filepath.Join(link, leaf)} {
			if a, err := l.Open(t.Context(), locator); err == nil {
				t.Errorf("opened %s: %v", locator, a)
			}
		}
	}
	if _, err := l.Save(t.Context(), spill.Request{Owner: "s1", Content: "more"}); err != nil {
		t.Errorf("another session suffers: %v", err)
	}
	if u, err := l.Usage(t.Context(), "s1"); err != nil || u != (spill.Usage{Artifacts: 2, Bytes: 8}) {
		t.Errorf("links count: %+v, %v", u, err)
	}
	if list, err := l.List(t.Context(), "s1"); err != nil || len(list) != 2 {
		t.Errorf("links are listed: %+v, %v", list, err)
	}
	must(t, l.Release(t.Context(), "s1"))
	swept, err := l.Sweep(t.Context(), time.Now().Add(time.Hour))
	if err != nil || swept.Artifacts != 2 || swept.Sessions != 0 || len(swept.Skipped) != 3 {
		t.Errorf("%+v, %v", swept, err)
	}
	for link, to := range links {
		if got, err := os.Readlink(link); err != nil || got != to {
			t.Errorf("%s: %q, %v", link, got, err)
		}
	}
	if d := cmp.Diff(before, without(snapshot(t, parent), root)); d != "" {
		t.Errorf("changed outside the root: %s", d)
	}
	for _, to := range []string{root, filepath.Join(parent, "nothing")} {
		link := filepath.Join(parent, "link to "+filepath.Base(to))
		must(t, os.Symlink(to, link))
		if l, err := spill.NewLocal(link); err == nil {
			l.Close()
			t.Errorf("a link to %s is a root", to)
		}
		if swept, err := spill.SweepDir(t.Context(), link, time.Now()); err != nil || len(swept.Skipped) != 1 {
			t.Errorf("%+v, %v", swept, err)
		}
	}
}

// swapDir puts a link into the place of what was looked at, before it is opened.
type swapDir struct {
	spill.Dir
	swap func(name string)
}

func (d swapDir) Lstat(name string) (fs.FileInfo, error) {
	info, err := d.Dir.Lstat(name)
	d.swap(name)
	return info, err
}

// spec: SPL-2
func TestLinkSwappedIn(t *testing.T) {
	parent := t.TempDir()
	root, victim := filepath.Join(parent, "store"), filepath.Join(parent, "victim")
	must(t, os.Mkdir(root, 0o700), os.Mkdir(victim, 0o700))
	before := snapshot(t, victim)
	swaps := 0
	l, err := spill.NewLocal(root, spill.WithDir(func(path string) (spill.Dir, error) {
		d, err := spill.OpenDir(path)
		return swapDir{d, func(name string) {
			if strings.HasPrefix(name, "session-") {
				swaps++
				must(t, os.RemoveAll(filepath.Join(root, name)), os.Symlink(victim, filepath.Join(root, name)))
			}
		}}, err
	}))
	must(t, err)
	t.Cleanup(func() { l.Close() })
	if ref, err := l.Save(t.Context(), spill.Request{Owner: "s", Content: secret}); err == nil || swaps == 0 {
		t.Errorf("saved through a link: %+v, %d swaps", ref, swaps)
	} else {
		quiet(t, err)
	}
	if d := cmp.Diff(before, snapshot(t, victim)); d != "" {
		t.Error(d)
	}
}

// spec: SPL-6
func TestSweepPassesWhatIsForeign(t *testing.T) {
	root := filepath.Join(t.TempDir(), "store")
	l := openLocal(t, root, roomy)
	ref, err := l.Save(t.Context(), spill.Request{Owner: "s", Content: "old"})
	must(t, err)
	session := filepath.Dir(ref.Locator)
	must(t, l.Release(t.Context(), "s"))
	var foreign []string
	for _, dir := range []string{root, session} {
		for _, name := range []string{
			"notes", "0123456789ab", "0123456789AB-a", "0123456789a-a", "x0123456789ab-a", ".partial-0123456789ab-0123456789ab-x",
			".partial-0123456789ab-5", ".usage.bak", ".lease-0123456789abc", ".lease-0123456789ab.old", "0123456789ab-a b",
		} {
			foreign = append(foreign, filepath.Join(dir, name))
			must(t, os.WriteFile(foreign[len(foreign)-1], []byte("keep"), 0o600))
		}
	}
	for _, name := range []string{"session-backup", "session-0123456789a", "session-0123456789AB", "session-0123456789abc", "SESSION-0123456789ab"} {
		dir := filepath.Join(root, name)
		foreign = append(foreign, dir, filepath.Join(dir, "0123456789ab-a"))
		must(t, os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, "0123456789ab-a"), []byte("keep"), 0o600))
	}
	special := filepath.Join(session, "0123456789ab-directory")
	pipe := filepath.Join(session, "0123456789ab-pipe")
	file := filepath.Join(root, "session-0123456789ab") // a file where a session could be
	must(t, os.Mkdir(special, 0o700), syscall.Mkfifo(pipe, 0o600), os.WriteFile(file, []byte("keep"), 0o600))
	foreign = append(foreign, special, pipe, file)
	past := time.Now().Add(-100 * 24 * time.Hour)
	for _, path := range foreign {
		must(t, os.Chtimes(path, past, past))
	}
	if a, err := l.Open(t.Context(), pipe); err == nil {
		t.Errorf("opened a pipe: %v", a)
	}
	swept, err := l.Sweep(t.Context(), time.Now().Add(time.Hour))
	if err != nil || swept.Artifacts != 1 || swept.Bytes != 3 || swept.Sessions != 0 || swept.Partials != 0 || len(swept.Skipped) != 1 {
		t.Errorf("%+v, %v", swept, err)
	}
	for _, path := range foreign {
		if _, err := os.Lstat(path); err != nil {
			t.Errorf("swept what is foreign: %v", err)
		}
	}
}
