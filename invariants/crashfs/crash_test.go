package crashfs_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/bounding/reference"
	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/text"
	"github.com/boundcheck/boundcheck/invariants/crashfs"
	"github.com/boundcheck/boundcheck/invariants/faultfs"
)

const (
	root  = "/store"
	owner = "session"
)

var limits = spill.Limits{Artifact: 3 << 20, Session: 4 << 20, Store: 6 << 20}

// open opens the store that is on a disk.
func open(t *testing.T, dir func(string) (spill.Dir, error)) *spill.Local {
	t.Helper()
	l, err := spill.NewLocal(root, spill.WithLimits(limits), spill.WithDir(dir))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// recorder is the durable record of a program: what a store has said to be saved, and what it was.
type recorder struct {
	refs    []spill.Ref
	content map[string]string // by suggested name: what an artifact of it must be
}

func (r *recorder) keep(ref spill.Ref, err error) error {
	if err == nil {
		r.refs = append(r.refs, ref)
	}
	return err
}

// work is what a program does with its store while the power goes out.
type work struct {
	name string
	do   func(l *spill.Local, r *recorder) error
	// sweeps says that artifacts may be gone.
	sweeps bool
}

var (
	small  = strings.Repeat("small\n", 100)
	stream = strings.Repeat("0123456789abcdef", 2<<20/16) // beyond the step in which room is reserved
	old    = "older than the rest"
)

func request(name string) spill.Request { return spill.Request{Owner: owner, SuggestedName: name} }

var works = []work{
	{name: "save", do: func(l *spill.Local, r *recorder) error {
		for i := range 2 {
			req := request(fmt.Sprint("small", i))
			req.Content = small
			if err := r.keep(l.Save(context.Background(), req)); err != nil {
				return err
			}
		}
		return nil
	}},
	{name: "stream", do: func(l *spill.Local, r *recorder) error {
		return r.keep(spill.SaveFrom(context.Background(), l, request("stream"), strings.NewReader(stream), spill.Unlimited))
	}},
	{name: "collect", do: func(l *spill.Local, r *recorder) error {
		c := spill.NewCollector(context.Background(), l, request("stream"), spill.CollectorOptions{Keep: text.Both.Options(text.UTF16, 100, 10)})
		if _, err := io.WriteString(c, stream); err != nil {
			return err
		}
		out := c.Finish()
		if out.Saved {
			r.refs = append(r.refs, out.Ref)
		}
		return out.Err
	}},
	{name: "sweep", sweeps: true, do: func(l *spill.Local, _ *recorder) error {
		_, err := l.Sweep(context.Background(), time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC))
		return err
	}},
	{name: "hold and release", do: func(l *spill.Local, _ *recorder) error {
		return errors.Join(l.Hold(context.Background(), "other"), l.Release(context.Background(), "other"))
	}},
	{name: "reference", do: func(l *spill.Local, r *recorder) error {
		p, err := reference.New(reference.Limits{References: 3, Bytes: 400}, session{}, reference.WithStore(l))
		if err != nil {
			return err
		}
		c, err := p.Prepare(context.Background(), owner, []reference.Citation{{SessionID: "cited"}})
		if err != nil {
			return err
		}
		if tr := c.References[0].Transcript; tr.Saved() {
			r.refs = append(r.refs, spill.Ref{Locator: tr.Locator, Bytes: tr.Bytes, SHA256: tr.SHA256})
		}
		return errors.Join(c.SaveErrors...)
	}},
}

// session is a session that does not fit into its preview.
type session struct{}

func (session) Read(context.Context, string) (reference.Snapshot, error) {
	return reference.Snapshot{FormatVersion: 1, Events: []reference.Event{{Kind: reference.User, Parts: reference.TextParts(small)}}}, nil
}

func transcript() string {
	s, _ := session{}.Read(context.Background(), "")
	return reference.Project(reference.Citation{SessionID: "cited", Label: "cited"}, s).Transcript()
}

// prepared is a disk with a store that holds an artifact of an ended process.
func prepared(t *testing.T) (*crashfs.Disk, *recorder) {
	t.Helper()
	disk := crashfs.New()
	r := &recorder{content: map[string]string{"small0": small, "small1": small, "stream": stream, "old": old,
		"session-reference-1.txt": transcript()}}
	l := open(t, disk.Open)
	req := request("old")
	req.Content = old
	if err := r.keep(l.Save(t.Context(), req)); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return disk, r
}

// crash does the work on a disk that loses its power at the n-th operation of it, and returns what is wrong afterwards. It
// reports whether the power went out.
func crash(t *testing.T, w work, n, survive int, seed uint64, wrap func(func(string) (spill.Dir, error)) func(string) (spill.Dir, error)) (problems []string, went bool) {
	t.Helper()
	disk, r := prepared(t)
	disk.CrashAt(len(disk.Operations()) + n)
	err := w.do(open(t, wrap(disk.Open)), r)
	went = disk.Crashed()
	if !went && err != nil {
		t.Fatalf("%s without a crash: %v", w.name, err)
	}
	after := disk.Reboot(survive, seed)
	say := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	l := open(t, after.Open)
	for _, ref := range r.refs {
		if err := spill.Verify(t.Context(), l, ref); err != nil && (!w.sweeps || !errors.Is(err, spill.ErrNotFound)) {
			say("the record points to an artifact that is not there as it was saved: %v", err)
		}
	}
	listed, bytes := inspect(t, l, r, say)
	usage, err := l.Usage(t.Context(), owner)
	if err != nil || usage.Bytes != bytes || usage.Artifacts != len(listed) {
		say("the session holds %d bytes in %d artifacts, and the count says %+v, %v", bytes, len(listed), usage, err)
	}
	if err := l.Close(); err != nil {
		say("close: %v", err)
	}
	l = open(t, after.Open)
	again, _ := inspect(t, l, r, say)
	if !slices.Equal(listed, again) {
		say("opening it twice changes %q to %q", listed, again)
	}
	fill := request("small0")
	for _, size := range []int64{min(limits.Artifact, limits.Session-bytes), min(limits.Artifact, limits.Session-bytes) + 1} {
		fill.Content = strings.Repeat("x", int(size))
		if size > limits.Session-bytes || size > limits.Artifact {
			if _, err := l.Save(t.Context(), fill); !errors.Is(err, spill.ErrQuota) {
				say("%d bytes are saved where %d are left: %v", size, limits.Session-bytes, err)
			}
		} else if w, err := l.Create(t.Context(), fill); err != nil {
			say("%d bytes are not saved where they fit: a reservation leaked: %v", size, err)
		} else if err := w.Abort(); err != nil {
			say("abort: %v", err)
		}
	}
	if err := l.Close(); err != nil {
		say("close: %v", err)
	}
	return problems, went
}

// inspect lists the artifacts, each of which must be what was saved under its name.
func inspect(t *testing.T, l *spill.Local, r *recorder, say func(string, ...any)) (locators []string, bytes int64) {
	t.Helper()
	list, err := l.List(t.Context(), owner)
	if err != nil {
		say("list: %v", err)
	}
	for _, e := range list {
		locators = append(locators, e.Locator)
		bytes += e.Bytes
		a, err := l.Open(t.Context(), e.Locator)
		if err != nil {
			say("open %s: %v", e.Name, err)
			continue
		}
		content, err := io.ReadAll(a)
		if err != nil || a.Close() != nil {
			say("read %s: %v", e.Name, err)
		}
		if want := r.content[e.Name]; string(content) != want {
			say("the artifact %s has %d bytes of %d, or others", e.Name, len(content), len(want))
		}
	}
	return locators, bytes
}

func honest(open func(string) (spill.Dir, error)) func(string) (spill.Dir, error) { return open }

// losses are what a crash spares: everything, nothing, and several choices of a half.
var losses = []struct {
	survive int
	seeds   uint64
}{{100, 1}, {0, 1}, {50, 4}}

// TestCrash loses the power at every operation.
//
// spec: SPL-3, SPL-5
func TestCrash(t *testing.T) {
	for _, w := range works {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			points, crashes := 0, 0
			for n, going := 1, true; going; n++ {
				for _, loss := range losses {
					if testing.Short() && loss.survive == 50 {
						continue
					}
					for seed := range loss.seeds {
						problems, went := crash(t, w, n, loss.survive, seed, honest)
						for _, p := range problems {
							t.Errorf("crash at operation %d, %d %% of the rest survives, seed %d: %s", n, loss.survive, seed, p)
						}
						if going = went; going {
							crashes++
						}
					}
				}
				points = n
				if t.Failed() && n > 200 {
					break
				}
			}
			if points < 5 {
				t.Errorf("only %d operations", points)
			}
			t.Logf("%d operations, %d crashes", points-1, crashes)
		})
	}
}

// TestCrashFindsWrongDisks: a store whose syncs do nothing, or whose renames are copies, must be found out.
func TestCrashFindsWrongDisks(t *testing.T) {
	lying := func(program string) func(func(string) (spill.Dir, error)) func(string) (spill.Dir, error) {
		return func(open func(string) (spill.Dir, error)) func(string) (spill.Dir, error) {
			p, err := faultfs.Parse(program)
			if err != nil {
				t.Fatal(err)
			}
			return faultfs.Open(open, p)
		}
	}
	wrong := map[string]func(func(string) (spill.Dir, error)) func(string) (spill.Dir, error){
		"files are not synced":       lying("(lie (op sync))"),
		"directories are not synced": lying("(lie (op syncdir))"),
		"a rename is a copy":         func(open func(string) (spill.Dir, error)) func(string) (spill.Dir, error) { return copying(open) },
	}
	for name, wrap := range wrong {
		found := false
		for n := 1; !found && n < 100; n++ {
			for _, loss := range losses {
				problems, _ := crash(t, works[0], n, loss.survive, 1, wrap)
				found = found || len(problems) > 0
			}
		}
		if !found {
			t.Errorf("%s: no crash shows it", name)
		}
	}
}

// copying opens directories in which a rename copies.
func copying(open func(string) (spill.Dir, error)) func(string) (spill.Dir, error) {
	return func(path string) (spill.Dir, error) {
		d, err := open(path)
		return copyingDir{d}, err
	}
}

type copyingDir struct{ spill.Dir }

func (d copyingDir) OpenDir(name string) (spill.Dir, error) {
	inner, err := d.Dir.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return copyingDir{inner}, nil
}

func (d copyingDir) Rename(from, to string) error {
	in, err := d.OpenFile(from, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := d.OpenFile(to, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer out.Close()
	if _, err := io.Copy(out, in); err != nil {
		return err
	}
	return errors.Join(out.Sync(), d.Remove(from))
}

// A sync that fails is not tried again, and nothing is saved.
//
// spec: SPL-3
func TestFailedSync(t *testing.T) {
	for _, program := range []string{"(fail EIO (and (op sync) (nth 1)))", "(fail EIO (and (op syncdir) (from 2)))"} {
		p, err := faultfs.Parse(program)
		if err != nil {
			t.Fatal(err)
		}
		disk := crashfs.New()
		l := open(t, faultfs.Open(disk.Open, p))
		req := request("small0")
		req.Content = small
		ref, err := l.Save(t.Context(), req)
		if err == nil || ref != (spill.Ref{}) || p.Acted() == 0 {
			t.Errorf("%s: saved %+v", program, ref)
		}
		if list, err := l.List(t.Context(), owner); err != nil || len(list) != 0 {
			t.Errorf("%s: %+v, %v", program, list, err)
		}
		if n := strings.Count(strings.Join(p.Operations(), "\n"), "sync .partial"); n > 1 {
			t.Errorf("%s: the sync was tried %d times", program, n)
		}
	}
}

// An orphan, which no record points to, counts until it expires.
//
// spec: SPL-5
func TestOrphanCountsUntilItExpires(t *testing.T) {
	disk := crashfs.New()
	l := open(t, disk.Open)
	req := request("small0")
	req.Content = small
	if _, err := l.Save(t.Context(), req); err != nil { // whose answer is lost
		t.Fatal(err)
	}
	after := disk.Reboot(0, 1)
	l = open(t, after.Open)
	if u, err := l.Usage(t.Context(), owner); err != nil || u.Bytes != int64(len(small)) {
		t.Errorf("before it expires: %+v, %v", u, err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	after.Advance(time.Hour)
	l = open(t, after.Open)
	if _, err := l.Sweep(t.Context(), after.Now()); err != nil {
		t.Fatal(err)
	}
	if u, err := l.Usage(t.Context(), owner); err != nil || u != (spill.Usage{}) {
		t.Errorf("after it expired: %+v, %v", u, err)
	}
}
