//go:build unix

package spill_test

import (
	"context"
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
	"syscall"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

func init() {
	roles["open umask"] = saveWithOpenUmask
	roles["read only"] = useReadOnly
}

func child(t testing.TB, role, root string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0])
	c.Env = append(os.Environ(), roleVar+"="+role, rootVar+"="+root)
	return c
}

// modeDir looks at the mode of everything at the moment when it is there.
type modeDir struct{ spill.Dir }

func (d modeDir) look(name string, err error) error {
	if err != nil {
		return err
	}
	info, err := d.Lstat(name)
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		err = fmt.Errorf("%s is made with mode %v", name, info.Mode())
	}
	return err
}

func (d modeDir) Mkdir(name string, perm fs.FileMode) error {
	return d.look(name, d.Dir.Mkdir(name, perm))
}

func (d modeDir) OpenDir(name string) (spill.Dir, error) {
	inner, err := d.Dir.OpenDir(name)
	return modeDir{inner}, d.look(name, err)
}

func (d modeDir) OpenFile(name string, flag int, perm fs.FileMode) (spill.File, error) {
	f, err := d.Dir.OpenFile(name, flag, perm)
	return f, d.look(name, err)
}

func saveWithOpenUmask(root string) int {
	syscall.Umask(0)
	if _, err := spill.NewLocal(filepath.Join(root, "made")); err != nil { // with the directories above it
		fmt.Println(err)
		return 1
	}
	l, err := spill.NewLocal(filepath.Join(root, "made"), spill.WithDir(func(path string) (spill.Dir, error) {
		d, err := spill.OpenDir(path)
		return modeDir{d}, err
	}))
	ctx := context.Background()
	if err == nil {
		_, err = l.Save(ctx, spill.Request{Owner: "s", Content: secret})
	}
	if err == nil {
		_, err = spill.SaveFrom(ctx, l, spill.Request{Owner: "t"}, strings.NewReader(strings.Repeat(secret, 200_000)), spill.Unlimited)
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// spec: SPL-2
func TestModesUnderAnOpenUmask(t *testing.T) {
	parent := t.TempDir()
	root := filepath.Join(parent, "above", "root")
	if out, err := child(t, "open umask", root).CombinedOutput(); err != nil {
		t.Fatalf("%v: %.500s", err, out)
	}
	files := 0
	for path, said := range snapshot(t, filepath.Join(parent, "above")) {
		if files++; !strings.HasPrefix(said, "-rw-------") && !strings.HasPrefix(said, "drwx------") {
			t.Errorf("%s: %.20s", path, said)
		}
	}
	if files < 8 {
		t.Errorf("only %d files", files)
	}
}

// Roots that others could change, or whose place they could take, are refused with what to do about it.
//
// spec: SPL-2, SPL-6
func TestUnsafeRoots(t *testing.T) {
	parent := t.TempDir()
	dirs := func(modes ...fs.FileMode) string {
		path := parent
		for _, mode := range modes {
			path = filepath.Join(path, fmt.Sprintf("%o", mode))
			if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
				t.Fatal(err)
			}
			bits := mode.Perm()
			if mode&0o1000 != 0 {
				bits |= fs.ModeSticky
			}
			must(t, os.Chmod(path, bits))
		}
		return path
	}
	const nobody = 65534
	given := func(path string) string {
		must(t, os.Chown(path, nobody, nobody))
		return path
	}
	type test struct {
		root string
		safe bool
	}
	tests := []test{
		{dirs(0o700), true}, {dirs(0o755), true}, {dirs(0o720), false}, {dirs(0o702), false}, {dirs(0o777), false}, {dirs(0o1777), false},
		{dirs(0o1777, 0o700), true}, {dirs(0o1777, 0o755, 0o700), true}, {dirs(0o777, 0o700), false}, {dirs(0o770, 0o755, 0o700), false},
		{dirs(0o750, 0o500), true},
	}
	if os.Geteuid() == 0 {
		tests = append(tests, test{given(dirs(0o711)), false}, test{filepath.Join(given(dirs(0o1777, 0o711)), "store"), false})
	} else {
		t.Log("roots of other users are not checked: only root can give directories away")
	}
	for _, tt := range tests {
		l, err := spill.NewLocal(tt.root)
		if (err == nil) != tt.safe || err != nil && !strings.Contains(err.Error(), "choose") {
			t.Errorf("%s: %v", tt.root, err)
		}
		if err == nil {
			must(t, l.Close())
			continue
		}
		swept, err := spill.SweepDir(t.Context(), tt.root, time.Now())
		if err != nil || len(swept.Skipped) != 1 {
			t.Errorf("%s: %+v, %v", tt.root, swept, err)
		}
	}
	l := newLocal(t, roomy)
	ref, err := l.Save(t.Context(), spill.Request{Owner: "s", Content: "a"})
	must(t, err, os.Chmod(filepath.Dir(ref.Locator), 0o770), l.Release(t.Context(), "s"))
	if _, err := l.Save(t.Context(), spill.Request{Owner: "s", Content: "b"}); err == nil {
		t.Error("saved where the group can write")
	}
	must(t, l.Release(t.Context(), "s"))
	if swept, err := l.Sweep(t.Context(), time.Now().Add(time.Hour)); err != nil || len(swept.Skipped) != 1 || swept.Artifacts != 0 {
		t.Errorf("%+v, %v", swept, err)
	}
}

// useReadOnly reads what is in a store that it may not write to.
func useReadOnly(root string) int {
	ctx := context.Background()
	l, err := spill.NewLocal(root)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	list, err := l.List(ctx, "s")
	if err != nil || len(list) != 1 {
		fmt.Println(list, err)
		return 1
	}
	u, err := l.Usage(ctx, "s")
	p, err2 := spill.ReadPage(ctx, l, list[0].Locator, 0, 100)
	if err != nil || err2 != nil || u != (spill.Usage{Artifacts: 1, Bytes: 4}) || p.Text != "text" {
		fmt.Println(u, p, err, err2)
		return 1
	}
	if _, err := l.Save(ctx, spill.Request{Owner: "s", Content: secret}); !errors.Is(err, fs.ErrPermission) || strings.Contains(err.Error(), secret) {
		fmt.Println("save:", err)
		return 1
	}
	if err := l.Close(); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// spec: SPL-7
func TestRootWithoutWritePermission(t *testing.T) {
	base, err := os.MkdirTemp("", "spill") // not t.TempDir, which other users may not enter
	must(t, err, os.Chmod(base, 0o755))
	t.Cleanup(func() { os.RemoveAll(base) })
	root := filepath.Join(base, "store")
	l := openLocal(t, root, roomy)
	_, err = l.Save(t.Context(), spill.Request{Owner: "s", Content: "text"})
	must(t, err, l.Close())
	c := child(t, "read only", root)
	modes := func(dir fs.FileMode) {
		must(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				err = os.Chmod(path, dir)
			}
			return err
		}))
	}
	if os.Geteuid() == 0 { // who may write anywhere
		const nobody = 65534
		binary := filepath.Join(base, "test")
		must(t, copyFile(os.Args[0], binary))
		c.Path, c.Dir = binary, "/"
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		for _, path := range slices.Sorted(maps.Keys(snapshot(t, root))) {
			must(t, os.Chown(path, nobody, nobody))
		}
	}
	for _, books := range []string{filepath.Join(root, ".lock"), filepath.Join(root, ".usage")} {
		must(t, os.Chmod(books, 0o400))
	}
	modes(0o500)
	out, err := c.CombinedOutput()
	modes(0o700)
	if errors.Is(err, fs.ErrPermission) {
		t.Skipf("no process of another user can be started: %v", err)
	}
	if err != nil {
		t.Errorf("%v: %.500s", err, out)
	}
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
