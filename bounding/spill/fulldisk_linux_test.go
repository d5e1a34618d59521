package spill_test

import (
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// A disk that is really full: saves fail and leave nothing, what is there can be read, a fallback takes over, and a sweep
// makes room.
//
// spec: SPL-3, OFF-10
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=1m,mode=0700"); err != nil {
		t.Skipf("no small disk can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	root := filepath.Join(disk, "store")
	l := openLocal(t, root, roomy)
	kept, err := l.Save(t.Context(), spill.Request{Owner: "s", Content: strings.Repeat("k", 600_000)})
	if err != nil {
		t.Fatal(err)
	}
	content := strings.Repeat(secret, 50_000)
	other := newLocal(t, roomy)
	for range 3 {
		_, err := l.Save(t.Context(), spill.Request{Owner: "t", Content: content})
		if quiet(t, err); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("saved: %v", err)
		}
		ref, err := spill.SaveFrom(t.Context(), spill.Fallback(l, other), spill.Request{Owner: "t"}, strings.NewReader(content), spill.Unlimited)
		if err != nil || spill.Verify(t.Context(), other, ref) != nil {
			t.Errorf("no fallback: %+v, %v", ref, err)
		}
		c := spill.NewCollector(t.Context(), l, request, spill.CollectorOptions{})
		write(t, c, content, 10_000)
		if got := c.Finish(); got.Saved || !errors.Is(got.Err, syscall.ENOSPC) || got.Bytes != int64(len(content)) {
			t.Errorf("%+v, %v", got.Ref, got.Err)
		}
	}
	if left := leftovers(t, root); len(left) != 1 || left[0] != kept.Locator || spill.Verify(t.Context(), l, kept) != nil {
		t.Errorf("left %q, %v", left, spill.Verify(t.Context(), l, kept))
	}
	if u, err := l.Total(t.Context()); err != nil || u != (spill.Usage{Artifacts: 1, Bytes: kept.Bytes}) {
		t.Errorf("%+v, %v", u, err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if swept, err := spill.SweepDir(t.Context(), root, time.Now().Add(time.Hour)); err != nil || swept.Artifacts != 1 {
		t.Errorf("%+v, %v", swept, err)
	}
	if _, err := openLocal(t, root, roomy).Save(t.Context(), spill.Request{Owner: "t", Content: content}); err != nil {
		t.Error(err)
	}
}
