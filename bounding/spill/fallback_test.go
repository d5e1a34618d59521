package spill_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

var roomy = spill.Limits{Artifact: spill.Unlimited, Session: spill.Unlimited, Store: spill.Unlimited}

// members are three local stores, with their roots.
func members(t testing.TB) (stores [3]*spill.Local, roots [3]string) {
	for i := range stores {
		roots[i] = filepath.Join(t.TempDir(), fmt.Sprint("store", i))
		stores[i] = openLocal(t, roots[i], roomy)
	}
	return stores, roots
}

// Wherever the first two of three stores fail, however, and whatever way the text comes, the third one has all of it, the
// others have nothing, and nobody is told the content.
//
// spec: OFF-10
func TestFallbackLosesNothing(t *testing.T) {
	content := strings.Repeat(secret+"\xff\n", 9_000)
	chunks := [][]int{{len(content)}, {1, 10, 70_000, len(content)}, {0, 0, len(content)}}
	for at := atCreate; at <= shorter; at++ {
		for _, panics := range []bool{false, true} {
			for _, before := range []int{0, 1, 50_000, len(content) - 1} {
				if at != atWrite && before > 0 {
					continue
				}
				stores, roots := members(t)
				f := spill.Fallback(
					&flaky{Creator: stores[0], phase: at, after: before, err: errDisk, panics: panics},
					&flaky{Creator: stores[1], phase: at, after: before / 2, err: errDisk, panics: panics},
					stores[2],
				)
				name := fmt.Sprintf("phase %d, panics %t, after %d", at, panics, before)
				for i, ends := range chunks {
					if at > atCommit { // a writer that has ended cannot be read back
						break
					}
					w, err := f.Create(t.Context(), spill.Request{Owner: "s", SuggestedName: "a"})
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					from := 0
					for _, to := range ends {
						if n, err := io.WriteString(w, content[from:to]); err != nil || n != to-from {
							t.Fatalf("%s: %d of %d bytes, %v", name, n, to-from, err)
						}
						from = to
					}
					ref, err := w.Commit()
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					if err := w.Abort(); err != nil {
						t.Errorf("%s: %v", name, err)
					}
					third(t, f, stores[2], ref, content, name)
					if got := len(leftovers(t, roots[2])); got != i+1 {
						t.Errorf("%s: %d files in the third store after %d artifacts", name, got, i+1)
					}
				}
				ref, err := f.Save(t.Context(), spill.Request{Owner: "s", SuggestedName: "a", Content: content})
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				third(t, f, stores[2], ref, content, name)
				for _, root := range roots[:2] {
					if left := leftovers(t, root); len(left) != 0 && at != published && at != shorter {
						t.Errorf("%s: left %q", name, left)
					}
				}
			}
		}
	}
}

func third(t *testing.T, f spill.Store, s *spill.Local, ref spill.Ref, content, name string) {
	t.Helper()
	if ref.Bytes != int64(len(content)) {
		t.Errorf("%s: %d bytes", name, ref.Bytes)
	}
	if err := errors.Join(spill.Verify(t.Context(), s, ref), spill.Verify(t.Context(), f, ref)); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

// Every step of the first store fails once, on the disk: the second one has all of it.
//
// spec: OFF-10
func TestFallbackAtEveryStep(t *testing.T) {
	content := strings.Repeat(secret, 100)
	for at := int64(1); ; at++ {
		root := t.TempDir()
		faults := &faults{at: at, err: syscall.ENOSPC}
		second := newLocal(t, roomy)
		f := spill.Fallback(faulty(t, root, faults, roomy), second)
		for _, limit := range []int64{spill.Unlimited, int64(len(content))} {
			ref, err := spill.SaveFrom(t.Context(), f, spill.Request{Owner: "s"}, strings.NewReader(content), limit)
			if err != nil || spill.Verify(t.Context(), f, ref) != nil {
				t.Errorf("step %d: %+v, %v", at, ref, err)
			}
		}
		u, err := second.Usage(t.Context(), "s")
		if err != nil || len(leftovers(t, root))+u.Artifacts != 2 {
			t.Errorf("step %d: %+v, %v, %q", at, u, err, leftovers(t, root))
		}
		if !faults.broke.Load() {
			if at < 10 || u.Artifacts != 0 {
				t.Errorf("only %d steps, %+v", at, u)
			}
			return
		}
	}
}

// When all stores fail, the error names what each of them said, and no content.
//
// spec: OFF-10
func TestFallbackWithoutAnyStore(t *testing.T) {
	for at := atCreate; at <= shorter; at++ {
		for _, panics := range []bool{false, true} {
			if at == shorter && panics {
				continue
			}
			stores, roots := members(t)
			errs := []error{errors.New("first"), errors.New("second"), errors.New("third")}
			var broken []spill.Store
			for i, s := range stores {
				broken = append(broken, &flaky{Creator: s, phase: at, after: 5, err: errs[i], panics: panics})
			}
			f := spill.Fallback(broken...)
			_, err := f.Save(t.Context(), spill.Request{Owner: "s", Content: secret})
			w, err2 := f.Create(t.Context(), spill.Request{Owner: "s"})
			if err2 == nil {
				if _, err2 = io.WriteString(w, secret); err2 == nil {
					_, err2 = w.Commit()
				}
				if _, again := io.WriteString(w, "more"); again == nil {
					t.Errorf("phase %d: written after all have failed", at)
				}
				if _, again := w.Commit(); again == nil {
					t.Errorf("phase %d: committed after all have failed", at)
				}
				if err := w.Abort(); err != nil {
					t.Error(err)
				}
			}
			for i, err := range []error{err, err2} {
				quiet(t, err)
				if err == nil {
					t.Fatalf("phase %d, way %d: saved", at, i)
				}
				for _, want := range errs {
					if told := errors.Is(err, want); !panics && at <= atCommit && !told {
						t.Errorf("phase %d, way %d: %q is not told: %v", at, i, want, err)
					}
				}
				if (panics || at == shorter) && i == 0 && strings.Count(err.Error(), "flaky") != 3 {
					t.Errorf("phase %d: the stores are not named: %v", at, err)
				}
			}
			for _, root := range roots {
				if left := leftovers(t, root); len(left) != 0 && at != published && at != shorter {
					t.Errorf("phase %d: left %q", at, left)
				}
			}
		}
	}
	for _, f := range []spill.Creator{spill.Fallback(), spill.Fallback(nil)} {
		if _, err := f.Save(t.Context(), spill.Request{}); err == nil {
			t.Error("saved nowhere")
		}
		if w, err := f.Create(t.Context(), spill.Request{}); err == nil {
			if _, err := w.Commit(); err == nil {
				t.Error("created nowhere")
			}
		}
		if _, err := f.Open(t.Context(), "x"); err == nil {
			t.Error("opened nowhere")
		}
	}
}

// A store whose writers cannot be read back loses what it was given when it fails: then there is no artifact, rather than
// one without its beginning.
//
// spec: OFF-10
func TestFallbackFromAStoreThatCannotBeReadBack(t *testing.T) {
	stores, roots := members(t)
	f := spill.Fallback(&flaky{Creator: stores[0], phase: atWrite, after: 3, err: errDisk, blind: true}, stores[1])
	w, err := f.Create(t.Context(), spill.Request{Owner: "s"})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.WriteString(w, "12345"); n != 3 || !errors.Is(err, errDisk) {
		t.Errorf("%d, %v", n, err)
	}
	if ref, err := w.Commit(); err == nil {
		t.Errorf("an artifact of a part: %+v", ref)
	}
	if err := w.Abort(); err != nil {
		t.Error(err)
	}
	for _, root := range roots {
		if left := leftovers(t, root); len(left) != 0 {
			t.Errorf("left %q", left)
		}
	}
}

// Stores that are no Creator take part in both directions, and their writers end like others.
//
// spec: OFF-10
func TestFallbackOfPlainStores(t *testing.T) {
	stores, roots := members(t)
	for name, f := range map[string]spill.Creator{
		"first":  spill.Fallback(plain{&flaky{Creator: stores[0], phase: atCommit, err: errDisk}}, stores[1]),
		"second": spill.Fallback(&flaky{Creator: stores[0], phase: atCommit, err: errDisk}, plain{stores[1]}),
		"only":   spill.Fallback(plain{stores[1]}),
		"memory": spill.Fallback(&spill.Memory{}),
	} {
		for _, content := range []string{"", secret} {
			w, err := f.Create(t.Context(), spill.Request{Owner: "s", Content: content})
			if err != nil {
				t.Fatal(name, err)
			}
			before := len(leftovers(t, roots[1]))
			ref, err := w.Commit()
			if err != nil || spill.Verify(t.Context(), f, ref) != nil {
				t.Errorf("%s: %+v, %v", name, ref, err)
			}
			if again, err := w.Commit(); err == nil {
				t.Errorf("%s: committed twice: %+v", name, again)
			}
			if _, err := io.WriteString(w, "more"); !errors.Is(err, fs.ErrClosed) {
				t.Errorf("%s: written after commit: %v", name, err)
			}
			if now := len(leftovers(t, roots[1])); now > before+1 {
				t.Errorf("%s: %d files more", name, now-before)
			}
			w, err = f.Create(t.Context(), spill.Request{Owner: "s", Content: content})
			if err != nil {
				t.Fatal(name, err)
			}
			if err := w.Abort(); err != nil {
				t.Error(name, err)
			}
			if again, err := w.Commit(); err == nil {
				t.Errorf("%s: committed after it was given up: %+v", name, again)
			}
			if _, err := io.WriteString(w, "more"); err == nil {
				t.Errorf("%s: written after it was given up", name)
			}
		}
	}
	if left := leftovers(t, roots[0]); len(left) != 0 {
		t.Errorf("left %q", left)
	}
}

// What is too much for an artifact or a session in one store is not offered to the next; what is too much for a store is.
//
// spec: OFF-10
func TestFallbackPassesNoRefusalsOn(t *testing.T) {
	for scope, limits := range map[spill.Scope]spill.Limits{
		spill.ArtifactScope: {Artifact: 9, Session: spill.Unlimited, Store: spill.Unlimited},
		spill.SessionScope:  {Artifact: spill.Unlimited, Session: 9, Store: spill.Unlimited},
		spill.StoreScope:    {Artifact: spill.Unlimited, Session: spill.Unlimited, Store: 9},
	} {
		for size := 8; size <= 10; size++ {
			for _, streams := range []bool{false, true} {
				first, second := newLocal(t, limits), newLocal(t, roomy)
				f := spill.Fallback(first, second)
				req := spill.Request{Owner: "s", Content: strings.Repeat("q", size)}
				var err error
				if streams {
					r := strings.NewReader(req.Content)
					req.Content = ""
					_, err = spill.SaveFrom(t.Context(), f, req, r, spill.Unlimited)
				} else {
					_, err = f.Save(t.Context(), req)
				}
				var quota *spill.QuotaError
				refused := size > 9 && scope != spill.StoreScope
				if refused != errors.As(err, &quota) || refused && quota.Scope != scope || !refused && err != nil {
					t.Errorf("%s, %d bytes, streams %t: %v", scope, size, streams, err)
				}
				a, _ := first.Usage(t.Context(), "s")
				b, _ := second.Usage(t.Context(), "s")
				want := [2]int64{int64(size), 0}
				switch {
				case refused:
					want = [2]int64{}
				case size > 9:
					want = [2]int64{0, int64(size)}
				}
				if [2]int64{a.Bytes, b.Bytes} != want {
					t.Errorf("%s, %d bytes, streams %t: in use %d and %d, not %d", scope, size, streams, a.Bytes, b.Bytes, want)
				}
			}
		}
	}
}

// A store that takes over in mid-stream and refuses the text for its size is the last one that is asked.
//
// spec: OFF-10
func TestFallbackPassesNoRefusalsOnInMidStream(t *testing.T) {
	for size := 9; size <= 11; size++ {
		last := newLocal(t, roomy)
		f := spill.Fallback(
			&flaky{Creator: newLocal(t, roomy), phase: atCommit, err: errDisk},
			newLocal(t, spill.Limits{Artifact: 10, Session: spill.Unlimited, Store: spill.Unlimited}), last,
		)
		_, err := spill.SaveFrom(t.Context(), f, spill.Request{Owner: "s"}, strings.NewReader(strings.Repeat("q", size)), spill.Unlimited)
		if errors.Is(err, spill.ErrQuota) != (size > 10) || err != nil && size <= 10 {
			t.Errorf("%d bytes: %v", size, err)
		}
		if u, err := last.Usage(t.Context(), "s"); err != nil || u != (spill.Usage{}) {
			t.Errorf("%d bytes: the last store was asked: %+v, %v", size, u, err)
		}
	}
}

// Any member's artifacts can be opened, whatever the others say or do.
//
// spec: OFF-9
func TestFallbackOpensWhatAnyMemberHas(t *testing.T) {
	stores, _ := members(t)
	memory := &spill.Memory{}
	f := spill.Fallback(&flaky{Creator: stores[0], panics: true}, stores[1], memory, stores[2])
	for i, s := range []spill.Store{stores[1], memory, stores[2]} {
		ref, err := s.Save(t.Context(), spill.Request{Owner: "s", Content: fmt.Sprint(secret, i)})
		if err != nil || spill.Verify(t.Context(), f, ref) != nil {
			t.Errorf("member %d: %v, %v", i, err, spill.Verify(t.Context(), f, ref))
		}
	}
	_, err := f.Open(t.Context(), "nowhere")
	quiet(t, err)
	if err == nil || errors.Is(err, spill.ErrNotFound) {
		t.Errorf("a store that cannot be asked may have it: %v", err)
	}
	if _, err := spill.Fallback(stores[1], memory).Open(t.Context(), "nowhere"); !errors.Is(err, spill.ErrNotFound) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := spill.Fallback(stores[1], stores[2]).Save(ctx, spill.Request{Content: secret}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// spec: OFF-10
func TestFallbackIsGivenUpWhileItIsWritten(t *testing.T) {
	stores, roots := members(t)
	for range 20 {
		f := spill.Fallback(&flaky{Creator: stores[0], phase: atWrite, after: 500, err: errDisk}, stores[1], stores[2])
		w, err := f.Create(t.Context(), spill.Request{Owner: "s"})
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		wg.Go(func() {
			for range 100 {
				if _, err := io.WriteString(w, secret); err != nil {
					return
				}
			}
		})
		wg.Go(func() {
			if err := w.Abort(); err != nil {
				t.Error(err)
			}
		})
		wg.Wait()
	}
	for _, root := range roots {
		if left := leftovers(t, root); len(left) != 0 {
			t.Errorf("left %q", left)
		}
	}
}
