package spilltest

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// trySave saves n bytes, and returns the scope that refused them.
func trySave(t testing.TB, s spill.Store, session string, n int) spill.Scope {
	t.Helper()
	_, err := s.Save(t.Context(), request(session, "a", strings.Repeat("q", n)))
	return refused(t, err)
}

func refused(t testing.TB, err error) spill.Scope {
	t.Helper()
	if err == nil {
		return ""
	}
	var quota *spill.QuotaError
	if !errors.As(err, &quota) || !errors.Is(err, spill.ErrQuota) {
		t.Errorf("failed for another reason: %v", err)
		return "another reason"
	}
	if strings.Contains(err.Error(), "qqq") {
		t.Errorf("content in the error %q", err)
	}
	return quota.Scope
}

// spec: OFF-10, SPL-5
func limits(t testing.TB, newStore NewStore) {
	s := capable[spill.Limited](t, newStore(t, spill.Limits{Artifact: 100, Session: 250, Store: 400}))
	for i, step := range []struct {
		session string
		bytes   int
		refused spill.Scope
	}{
		{"a", 101, spill.ArtifactScope}, {"a", 100, ""}, {"a", 99, ""},
		{"a", 52, spill.SessionScope}, {"a", 51, ""}, {"a", 1, spill.SessionScope}, {"a", 0, ""},
		{"b", 100, ""}, {"b", 51, spill.StoreScope}, {"b", 51, spill.StoreScope}, {"b", 51, spill.StoreScope}, {"b", 50, ""}, {"c", 1, spill.StoreScope}, {"c", 0, ""},
	} {
		if got := trySave(t, s, step.session, step.bytes); got != step.refused {
			t.Errorf("step %d, %d bytes of %s: refused by %q instead of %q", i, step.bytes, step.session, got, step.refused)
		}
	}
	if k, ok := s.(spill.Keeper); ok {
		if u, err := k.Usage(t.Context(), "a"); err != nil || u != (spill.Usage{Artifacts: 4, Bytes: 250}) {
			t.Errorf("usage %+v, %v", u, err)
		}
	}
	none := newStore(t, spill.Limits{})
	if got := trySave(t, none, "a", 1); got != spill.ArtifactScope {
		t.Errorf("one byte where nothing fits: %q", got)
	}
	if got := trySave(t, none, "a", 0); got != "" {
		t.Errorf("nothing where nothing fits: %q", got)
	}
}

// What is not stored in the end takes no room.
//
// spec: OFF-10
func room(t testing.TB, newStore NewStore) {
	limited := capable[spill.Limited](t, newStore(t, spill.Limits{Artifact: 5 << 20, Session: 6 << 20, Store: 7 << 20}))
	s := capable[spill.Creator](t, limited)
	mib := strings.Repeat("q", 1<<20)
	for range 3 {
		w := create(t, s, request("a", "a", ""), mib, mib, mib, mib, mib)
		if _, err := io.WriteString(w, "q"); refused(t, err) != spill.ArtifactScope {
			t.Errorf("one byte over the limit of an artifact: %v", err)
		}
		if ref, err := w.Commit(); err == nil {
			t.Errorf("completed without what was refused: %+v", ref)
		}
		if got := trySave(t, s, "a", 1<<20+1); got != spill.SessionScope {
			t.Errorf("saved beside a writer that has all the room: %q", got)
		}
		if err := w.Abort(); err != nil {
			t.Fatal(err)
		}
	}
	w := create(t, s, request("a", "a", mib), mib, "12345")
	ref := commit(t, w)
	if ref.Bytes != 2<<20+5 {
		t.Errorf("%d bytes", ref.Bytes)
	}
	if got := trySave(t, s, "a", 4<<20-4); got != spill.SessionScope {
		t.Errorf("one byte over what is left: %q", got)
	}
	if got := trySave(t, s, "a", 4<<20-5); got != "" {
		t.Errorf("just what is left: %q", got)
	}
	if got := trySave(t, s, "b", 1<<20); got != "" {
		t.Errorf("just what is left to another session: %q", got)
	}
}

// Writers at work at the same time do not exceed a limit together, and leave no room that one of them could use.
//
// spec: SPL-5
func concurrentLimits(t testing.TB, newStore NewStore) {
	const limit = 1_000
	s := capable[spill.Limited](t, newStore(t, spill.Limits{Artifact: limit, Session: limit, Store: spill.Unlimited}))
	var wg sync.WaitGroup
	var mu sync.Mutex
	stored := 0
	for range 64 {
		wg.Go(func() {
			if _, err := s.Save(t.Context(), request("s", "a", strings.Repeat("q", 50))); refused(t, err) == "" {
				mu.Lock()
				defer mu.Unlock()
				stored += 50
			}
		})
	}
	wg.Wait()
	if stored > limit {
		t.Errorf("%d bytes stored", stored)
	}
	for stored < limit { // a store may refuse what meets others on their way, but not what comes alone
		if got := trySave(t, s, "s", 50); got != "" {
			t.Fatalf("refused by %q with %d of %d bytes in use", got, stored, limit)
		}
		stored += 50
	}
	if got := trySave(t, s, "s", 1); got != spill.SessionScope {
		t.Errorf("one byte over: %q", got)
	}
}

func sweep(t testing.TB, s spill.Sweeper, before time.Time) spill.Swept {
	t.Helper()
	swept, err := s.Sweep(t.Context(), before)
	if err != nil {
		t.Fatal(err)
	}
	return swept
}

func release(t testing.TB, s spill.Store, session string) {
	t.Helper()
	if h, ok := s.(spill.Holder); ok {
		if err := h.Release(t.Context(), session); err != nil {
			t.Fatal(err)
		}
	}
}

// spec: SPL-6
func expires(t testing.TB, newStore NewStore) {
	s := capable[spill.Sweeper](t, newStore.unlimited(t))
	k := capable[spill.Keeper](t, s)
	if swept := sweep(t, s, time.Now()); swept.Artifacts+swept.Sessions != 0 {
		t.Errorf("an empty store: %+v", swept)
	}
	var refs []spill.Ref
	for i := range 3 {
		refs = append(refs, save(t, s, request("s", fmt.Sprint(i), fmt.Sprint("text ", i))))
		time.Sleep(20 * time.Millisecond) // the times of files are coarse
	}
	release(t, s, "s")
	list, err := k.List(t.Context(), "s")
	if err != nil || len(list) != 3 {
		t.Fatal(list, err)
	}
	if swept := sweep(t, s, list[0].Modified); swept.Artifacts != 0 {
		t.Errorf("stored exactly then: %+v", swept)
	}
	if swept := sweep(t, s, list[1].Modified); swept.Artifacts != 1 || swept.Bytes != 6 || swept.Sessions != 0 {
		t.Errorf("one is older: %+v", swept)
	}
	_, err = s.Open(t.Context(), refs[0].Locator)
	if !errors.Is(err, spill.ErrExpired) || !errors.Is(err, spill.ErrNotFound) {
		t.Errorf("open what has expired: %v", err)
	}
	for _, ref := range refs[1:] {
		if err := spill.Verify(t.Context(), s, ref); err != nil {
			t.Error(err)
		}
	}
	if swept := sweep(t, s, time.Now().Add(time.Hour)); swept.Artifacts != 2 {
		t.Errorf("all are older: %+v", swept)
	}
	if u, err := k.Usage(t.Context(), "s"); err != nil || u != (spill.Usage{}) {
		t.Errorf("usage %+v, %v", u, err)
	}
	save(t, s, request("s", "again", "text"))
}

// spec: SPL-6
func holds(t testing.TB, newStore NewStore) {
	s := capable[spill.Sweeper](t, newStore.unlimited(t))
	h := capable[spill.Holder](t, s)
	ref := save(t, s, request("s", "a", "text"))
	future := time.Now().Add(time.Hour)
	for i, want := range []int{0, 0, 1} {
		switch i {
		case 1:
			release(t, s, "s")
			if err := h.Hold(t.Context(), "s"); err != nil {
				t.Fatal(err)
			}
		case 2:
			release(t, s, "s")
		}
		if swept := sweep(t, s, future); swept.Artifacts != want {
			t.Errorf("step %d: %+v", i, swept)
		}
		if err := spill.Verify(t.Context(), s, ref); (err != nil) != (want > 0) {
			t.Errorf("step %d: %v", i, err)
		}
	}
}
