package faultfs_test

import (
	"errors"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/invariants/crashfs"
	"github.com/boundcheck/boundcheck/invariants/faultfs"
)

// programs are examples of every action and every condition.
var programs = []string{
	``,
	`(fail EIO)`,
	`(fail ENOSPC (and (op write) (nth 2)))`,
	`(short 3 ENOSPC (beyond 100))`,
	`(flip 0 (op read))`,
	`(lie (or (op sync) (op syncdir)))`,
	`(panic (and (op mkdir create) (not (name "session-*")) (from 3)))`,
	"(signal (nth 1))\n(fail EXDEV (op rename))",
}

// TestString: a program is written as it is read.
func TestString(t *testing.T) {
	for _, text := range programs {
		p, err := faultfs.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if p.String() != text {
			t.Errorf("%s is written as %s", text, p)
		}
	}
}

// TestParseErrors: an error says where, what was expected, and what was there.
func TestParseErrors(t *testing.T) {
	tests := []struct{ program, says string }{
		{"fail", `1:1: expected "(", and there is "fail"`},
		{"(fial EIO)", `1:2: expected an action, which is one of fail, short, flip, lie, panic, signal, and there is "fial"`},
		{"(fail EWHAT)", `expected an error, which is one of EACCES,`},
		{"(fail EIO", `expected ")", and there is the end`},
		{"(fail EIO)\n  (fail EIO (op))", `2:16: expected an operation`},
		{"(fail EIO (op fly))", `and there is "fly"`},
		{"(fail EIO (nth 0))", `expected a number of at least 1, and there is "0"`},
		{"(fail EIO (nth 99999999999999999999))", "expected a number of at least 1"},
		{"(short EIO)", `expected a number of at least 0, and there is "EIO"`},
		{"(fail EIO (name x))", `expected a pattern in quotes, and there is "x"`},
		{`(fail EIO (name "["))`, "none of path.Match"},
		{"(fail EIO (and))", "expected a condition"},
		{"(fail EIO (nth 1) (nth 2))", `expected ")", and there is "("`},
		{`(fail EIO (name "x`, "literal not terminated"},
		{"(fail EIO " + strings.Repeat("(not ", 200), "nest more than 100 deep"},
	}
	for _, tt := range tests {
		if _, err := faultfs.Parse(tt.program); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%.60q: %v, want %q", tt.program, err, tt.says)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range programs {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := faultfs.Parse(text)
		if err != nil {
			return
		}
		again, err := faultfs.Parse(p.String())
		if err != nil || again.String() != p.String() {
			t.Errorf("%q is written as %q, and that is read as %v, %v", text, p, again, err)
		}
	})
}

// disk returns a directory that fails as a program says, with the file "f" in it, which holds "0123456789".
func disk(t *testing.T, program string) (spill.Dir, *faultfs.Program) {
	t.Helper()
	p, err := faultfs.Parse(program)
	if err != nil {
		t.Fatal(err)
	}
	inner, err := crashfs.New().Open("/d")
	if err != nil {
		t.Fatal(err)
	}
	if err := write(t, inner, "f", "0123456789"); err != nil {
		t.Fatal(err)
	}
	return faultfs.Wrap(inner, p), p
}

func write(t *testing.T, d spill.Dir, name, content string) error {
	t.Helper()
	f, err := d.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	return errors.Join(err, f.Close())
}

func read(d spill.Dir, name string) (string, error) {
	f, err := d.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	return string(b), err
}

// TestActions holds each action against what it does, and does not, do.
func TestActions(t *testing.T) {
	d, p := disk(t, `(fail ENOSPC (and (op write) (nth 2)))`)
	for n, want := range []error{nil, syscall.ENOSPC, nil} {
		if err := write(t, d, string(rune('a'+n)), "x"); !errors.Is(err, want) {
			t.Errorf("write %d: %v, want %v", n+1, err, want)
		}
	}
	if p.Acted() != 1 {
		t.Errorf("acted %d times", p.Acted())
	}
	if s, err := read(d, "b"); s != "" || err != nil {
		t.Errorf("the write that failed has written %q, %v", s, err)
	}

	d, _ = disk(t, `(short 3 ENOSPC (op write))`)
	if err := write(t, d, "a", "0123"); !errors.Is(err, syscall.ENOSPC) {
		t.Error(err)
	}
	if s, _ := read(d, "a"); s != "012" {
		t.Errorf("a short write has written %q", s)
	}

	d, _ = disk(t, `(short 3 EIO (op read))`)
	if s, err := read(d, "f"); s != "012" || !errors.Is(err, syscall.EIO) {
		t.Errorf("a short read gives %q, %v", s, err)
	}

	d, _ = disk(t, `(flip 1 (op read))`)
	if s, err := read(d, "f"); s != "0023456789" || err != nil {
		t.Errorf("a flipped bit gives %q, %v", s, err)
	}

	d, _ = disk(t, `(lie (op remove write))`)
	if err := d.Remove("f"); err != nil {
		t.Error(err)
	}
	if s, err := read(d, "f"); s != "0123456789" || err != nil {
		t.Errorf("a removal that was a lie leaves %q, %v", s, err)
	}
	if err := write(t, d, "a", "0123"); err != nil {
		t.Error(err)
	}
	if s, _ := read(d, "a"); s != "" {
		t.Errorf("a write that was a lie has written %q", s)
	}

	for size, want := range map[string]error{"0123456789": nil, "0123456789+": syscall.ENOSPC} {
		d, _ = disk(t, `(fail ENOSPC (beyond 10))`)
		if err := write(t, d, "a", size); !errors.Is(err, want) {
			t.Errorf("%d of 10 bytes: %v", len(size), err)
		}
	}

	d, p = disk(t, `(signal (name "g"))`)
	signals := 0
	p.OnSignal(func() { signals++ })
	if err := errors.Join(d.Rename("f", "g"), d.Rename("g", "f")); err != nil || signals != 1 {
		t.Errorf("%d signals, %v", signals, err)
	}

	d, _ = disk(t, `(panic (op lstat))`)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		_, _ = d.Lstat("f")
	}()
}
