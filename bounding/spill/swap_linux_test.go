package spill_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// A directory and a file trade places with links all the time. What is opened is the one thing or an error, and never what
// the link leads to, though that is inside the root.
//
// spec: SPL-2
func TestTradingPlacesWithALink(t *testing.T) {
	root := t.TempDir()
	path := func(name string) string { return filepath.Join(root, name) }
	must(t, os.Mkdir(path("dir"), 0o700), os.Mkdir(path("other"), 0o700), os.Symlink("other", path("dir link")),
		os.WriteFile(path("file"), []byte("right"), 0o600), os.WriteFile(path("wrong"), []byte("wrong"), 0o600), os.Symlink("wrong", path("file link")))
	other, err := os.Stat(path("other"))
	must(t, err)
	d, err := spill.OpenDir(root)
	must(t, err)
	defer d.Close()
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				for _, name := range []string{"dir", "file"} {
					if err := unix.Renameat2(unix.AT_FDCWD, path(name), unix.AT_FDCWD, path(name+" link"), unix.RENAME_EXCHANGE); err != nil {
						t.Errorf("the file system cannot exchange names: %v", err)
						return
					}
				}
			}
		}
	})
	defer wg.Wait()
	defer close(done)
	opened, refused := 0, 0
	for range 20_000 {
		if below, err := d.OpenDir("dir"); err != nil {
			refused++
		} else {
			info, err := below.Lstat(".")
			if opened++; err != nil || os.SameFile(info, other) {
				t.Fatalf("opened what a link leads to: %v, %v", info, err)
			}
			must(t, below.Close())
		}
		if f, err := d.OpenFile("file", os.O_RDWR, 0); err != nil {
			refused++
		} else {
			b := make([]byte, 5)
			_, err := f.ReadAt(b, 0)
			if opened++; err != nil || string(b) != "right" {
				t.Fatalf("opened what a link leads to: %q, %v", b, err)
			}
			must(t, f.Close())
		}
	}
	if opened == 0 || refused == 0 {
		t.Logf("%d opened, %d refused: they never met", opened, refused)
	}
}
