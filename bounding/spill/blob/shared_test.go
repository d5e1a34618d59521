package blob_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	cdk "gocloud.dev/blob"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/spill/blob"
)

const budget = 1_000

var tight = blob.WithLimits(spill.Limits{Artifact: budget, Session: budget, Store: budget + budget/2})

// saveMany saves from several goroutines until nothing fits, and returns the refs.
func saveMany(t testing.TB, s *blob.Store, session string) []spill.Ref {
	var mu sync.Mutex
	var refs []spill.Ref
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 5 {
				ref, err := s.Save(t.Context(), request(session, "a", strings.Repeat("q", 50+i)))
				if errors.Is(err, spill.ErrQuota) {
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				refs = append(refs, ref)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return refs
}

// within checks that everything is whole, and within the limits also when the reader looks while others write.
func within(t testing.TB, s *blob.Store) (total int64) {
	t.Helper()
	for _, session := range []string{"a", "b"} {
		list, err := s.List(t.Context(), session)
		if err != nil {
			t.Error(err)
		}
		var bytes int64
		for _, e := range list {
			bytes += e.Bytes
		}
		if bytes > budget {
			t.Errorf("session %s: %d bytes", session, bytes)
		}
		total += bytes
	}
	if total > budget+budget/2 {
		t.Errorf("%d bytes in all", total)
	}
	return total
}

// Stores that share a bucket, as processes do, never exceed a limit together, and what one comes alone for, it gets.
//
// spec: SPL-5, SPL-8
func TestSharedBudget(t *testing.T) {
	files := fileURL(t)
	shared := memory(t)
	for how, newStore := range map[string]func() *blob.Store{
		"memory": func() *blob.Store { return on(t, &faulty{}, shared, tight) },
		"files":  func() *blob.Store { return open(t, files, tight) },
	} {
		t.Run(how, func(t *testing.T) {
			var mu sync.Mutex
			var refs []spill.Ref
			var wg sync.WaitGroup
			for i := range 4 {
				s := newStore()
				wg.Go(func() {
					saved := saveMany(t, s, string(rune('a'+i%2)))
					mu.Lock()
					defer mu.Unlock()
					refs = append(refs, saved...)
				})
			}
			done := make(chan struct{})
			watcher := newStore()
			go func() { wg.Wait(); close(done) }()
			for looking := true; looking; {
				select {
				case <-done:
					looking = false
				case <-time.After(5 * time.Millisecond):
				}
				within(t, watcher)
			}
			var saved int64
			for _, ref := range refs {
				saved += ref.Bytes
				if err := spill.Verify(t.Context(), watcher, ref); err != nil {
					t.Error(err)
				}
			}
			if total := within(t, watcher); total != saved {
				t.Errorf("%d bytes saved, and %d there", saved, total)
			}
			u, err := watcher.Total(t.Context())
			if err != nil || u.Bytes != saved || u.Artifacts != len(refs) {
				t.Errorf("%+v, %v", u, err)
			}
			fill(t, newStore(), budget+budget/2-saved)
		})
	}
}

// fill saves all that is left, and nothing more fits.
func fill(t *testing.T, s *blob.Store, left int64) {
	t.Helper()
	for _, session := range []string{"a", "b"} {
		u, err := s.Usage(t.Context(), session)
		if err != nil {
			t.Fatal(err)
		}
		n := min(left, budget-u.Bytes)
		if _, err := s.Save(t.Context(), request(session, "a", strings.Repeat("q", int(n)))); err != nil {
			t.Errorf("the last %d bytes of %s: %v", n, session, err)
		}
		if left -= n; n > 0 || left == 0 {
			if _, err := s.Save(t.Context(), request(session, "a", "q")); !errors.Is(err, spill.ErrQuota) {
				t.Errorf("one byte more: %v", err)
			}
		}
	}
}

const childURL = "SPILL_BLOB_TEST_URL"

// spec: SPL-5
func TestSharedBudgetOfProcesses(t *testing.T) {
	if url := os.Getenv(childURL); url != "" {
		saveMany(t, open(t, url, tight), "a")
		return
	}
	url := fileURL(t)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSharedBudgetOfProcesses$")
			cmd.Env = append(os.Environ(), childURL+"="+url)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("process %d: %v\n%s", i, err, out)
			}
		})
	}
	wg.Wait()
	s := open(t, url, tight)
	saved := within(t, s)
	if u, err := s.Total(t.Context()); err != nil || u.Bytes != saved || saved < budget/2 {
		t.Errorf("%+v, %v", u, err)
	}
	fill(t, s, budget+budget/2-saved)
}

// What a process has reserved that gives no sign of life is free after its lease, and not before. When it comes back, it
// cannot complete what it had begun.
//
// spec: SPL-5, SPL-6
func TestSeemsDead(t *testing.T) {
	t.Parallel()
	bucket := memory(t)
	f := &faulty{}
	const life = 2 * time.Second
	sleeper := on(t, f, bucket, tight, blob.WithLease(life))
	w, err := sleeper.Create(t.Context(), request("a", "a", strings.Repeat("q", 600)))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	other := on(t, &faulty{}, bucket, tight)
	if _, err := other.Save(t.Context(), request("a", "a", strings.Repeat("q", 401))); !errors.Is(err, spill.ErrQuota) {
		t.Errorf("one byte over while it lives: %v", err)
	}
	f.cutOff.Store(true)
	deadline := time.Now().Add(10 * time.Second)
	for began := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		_, err := other.Save(t.Context(), request("a", "a", strings.Repeat("q", 401)))
		if err == nil {
			if after := time.Since(began); after < life/2 {
				t.Errorf("taken for dead after %v", after)
			}
			break
		}
		if !errors.Is(err, spill.ErrQuota) || time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
	f.cutOff.Store(false)
	if ref, err := w.Commit(); err == nil || !strings.Contains(err.Error(), "no sign of life") {
		t.Errorf("%+v, %v", ref, err)
	}
	if total := within(t, other); total != 401 {
		t.Errorf("%d bytes", total)
	}
}

// spec: SPL-6
func TestSweepLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	bucket := memory(t)
	f := &faulty{}
	a, b := on(t, f, bucket, blob.WithLease(time.Second)), on(t, &faulty{}, bucket)
	ref, err := a.Save(t.Context(), request("s", "a", "text"))
	if err != nil {
		t.Fatal(err)
	}
	foreign := []string{"session-0123456789ab/notes.txt", "session-x/0123456789ab-a", "0123456789ab-a", ".room/x", "session-0123456789ab"}
	for _, key := range foreign {
		if err := bucket.WriteAll(t.Context(), key, []byte("not ours"), nil); err != nil {
			t.Fatal(err)
		}
	}
	future := time.Now().Add(time.Hour)
	for range 2 {
		swept, err := b.Sweep(t.Context(), future)
		if err != nil || swept.Artifacts != 0 || swept.Held != 1 {
			t.Errorf("held by another one: %+v, %v", swept, err)
		}
		time.Sleep(1200 * time.Millisecond) // longer than a lease that is not renewed
	}
	f.cutOff.Store(true)
	time.Sleep(1200 * time.Millisecond)
	swept, err := b.Sweep(t.Context(), future)
	if err != nil || swept.Artifacts != 1 || swept.Bytes != 4 || swept.Sessions != 1 || swept.Held != 0 {
		t.Errorf("held by a dead one: %+v, %v", swept, err)
	}
	if _, err := b.Open(t.Context(), ref.Locator); !errors.Is(err, spill.ErrExpired) {
		t.Error(err)
	}
	if left := keys(t, bucket); len(left) != len(foreign) {
		t.Errorf("left %q", left)
	}
}

// Two stores over one bucket see the same, and two over different ones do not take each other's locators for their own.
//
// spec: SPL-1, SPL-8
func TestReopened(t *testing.T) {
	url := fileURL(t)
	first := open(t, url)
	ref, err := first.Save(t.Context(), request("s", "a", "text"))
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := first.Save(t.Context(), request("s2", "a", "text")); err == nil {
		t.Error("saved after it was closed")
	}
	second := open(t, url)
	if err := spill.Verify(t.Context(), second, ref); err != nil {
		t.Error(err)
	}
	list, err := second.List(t.Context(), "s")
	if err != nil || len(list) != 1 || list[0].Locator != ref.Locator {
		t.Errorf("%v, %v", list, err)
	}
	for _, other := range []string{"mem://", fileURL(t), url + "?prefix=x/"} {
		_, err := open(t, other).Open(t.Context(), ref.Locator)
		if !errors.Is(err, spill.ErrNotFound) || errors.Is(err, spill.ErrExpired) {
			t.Errorf("%s: %v", other, err)
		}
	}
}

// Saves with no limit on sessions and the store list nothing.
func TestUnlimitedListsNothing(t *testing.T) {
	f := &faulty{}
	var mu sync.Mutex
	ops := map[string]int{}
	f.watch = func(op, _ string) {
		mu.Lock()
		defer mu.Unlock()
		ops[op]++
	}
	s := on(t, f, memory(t), blob.WithLimits(spill.Limits{Artifact: 10, Session: spill.Unlimited, Store: spill.Unlimited}))
	for range 10 {
		if _, err := s.Save(t.Context(), request("s", "a", "text")); err != nil {
			t.Fatal(err)
		}
	}
	if ops["list"] != 0 || ops["create"] != 11 || ops["attributes"] != 10 {
		t.Errorf("%v", ops)
	}
}

func BenchmarkSave(b *testing.B) {
	for _, there := range []int{0, 1_000, 10_000} {
		b.Run(fmt.Sprint("artifacts=", there), func(b *testing.B) {
			bucket := memory(b)
			for i := range there {
				key := fmt.Sprintf("session-%012x/%012x-a", i%100, i)
				if err := bucket.WriteAll(context.Background(), key, nil, &cdk.WriterOptions{ContentType: "text/plain"}); err != nil {
					b.Fatal(err)
				}
			}
			s := blob.New(bucket)
			defer s.Close()
			for b.Loop() {
				if _, err := s.Save(b.Context(), request("s", "a", "text")); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// An artifact that is there counts once, also while its reservation is there, too.
//
// spec: SPL-5
func TestCountsOnce(t *testing.T) {
	bucket := memory(t)
	other := on(t, &faulty{}, bucket, tight)
	f := &faulty{}
	looked := 0
	f.watch = func(op, key string) {
		if op != "delete" || !strings.HasPrefix(key, ".room/") {
			return
		}
		looked++
		if u, err := other.Usage(t.Context(), "a"); err != nil || u != (spill.Usage{Artifacts: 1, Bytes: 600}) {
			t.Errorf("%+v, %v", u, err)
		}
		if _, err := other.Save(t.Context(), request("a", "a", strings.Repeat("q", 401))); !errors.Is(err, spill.ErrQuota) {
			t.Errorf("one byte over: %v", err)
		}
		if _, err := other.Save(t.Context(), request("a", "a", strings.Repeat("q", 400))); err != nil {
			t.Errorf("just what is left: %v", err)
		}
	}
	s := on(t, f, bucket, tight)
	if _, err := s.Save(t.Context(), request("a", "a", strings.Repeat("q", 600))); err != nil || looked != 1 {
		t.Errorf("looked %d times, %v", looked, err)
	}
}

// Who meets a reservation that is withdrawn again gets the room.
func TestWaitsForRivals(t *testing.T) {
	bucket := memory(t)
	other := on(t, &faulty{}, bucket, tight)
	w, err := other.Create(t.Context(), request("a", "a", "q"))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	f := &faulty{}
	var once sync.Once
	f.watch = func(op, key string) {
		if op == "list" && key == ".lease/" { // it has found no room
			once.Do(func() { time.AfterFunc(50*time.Millisecond, func() { w.Abort() }) })
		}
	}
	s := on(t, f, bucket, tight)
	if _, err := s.Save(t.Context(), request("a", "a", strings.Repeat("q", budget))); err != nil {
		t.Error(err)
	}
}

// Reservations that nobody can have made do not make room.
func TestSumsDoNotOverflow(t *testing.T) {
	bucket := memory(t)
	for i := range 20 {
		key := fmt.Sprintf(".room/%s-%012x-1-%s-%d", "0123456789ab", i, "ca978112ca1b", int64(999_999_999_999_999_999))
		if err := bucket.WriteAll(t.Context(), key, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	s := on(t, &faulty{}, bucket, tight)
	if u, err := s.Usage(t.Context(), "a"); err != nil || u.Bytes != math.MaxInt64 {
		t.Errorf("%+v, %v", u, err)
	}
	// No lease stands behind them.
	if _, err := s.Save(t.Context(), request("a", "a", strings.Repeat("q", budget+1))); !errors.Is(err, spill.ErrQuota) {
		t.Error(err)
	}
	if _, err := s.Save(t.Context(), request("a", "a", strings.Repeat("q", budget))); err != nil {
		t.Error(err)
	}
	if left := keys(t, bucket); len(left) != 1 {
		t.Errorf("left %q", left)
	}
}
