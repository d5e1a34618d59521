package spill_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/text"
)

var request = spill.Request{Owner: "s", SuggestedName: "output", Content: "ignored"}

// write gives a collector a text in chunks, from a buffer that is used again.
func write(t testing.TB, c *spill.Collector, content string, chunks ...int) {
	t.Helper()
	buffer := []byte(content)
	for i := 0; len(buffer) > 0; i++ {
		n := len(buffer)
		if len(chunks) > 0 {
			n = min(n, max(1, chunks[i%len(chunks)]))
		}
		if m, err := c.Write(buffer[:n]); m != n || err != nil {
			t.Fatalf("%d of %d bytes: %v", m, n, err)
		}
		clear(buffer[:n])
		buffer = buffer[n:]
	}
}

// An output stays in memory up to Inline bytes, and is one artifact from the next byte on, however it is chunked; the ends
// are those of the whole.
//
// spec: UNI-6, OFF-9
func TestCollectorIsSelectAndOneArtifact(t *testing.T) {
	parameters := gopter.DefaultTestParametersWithSeed(1)
	parameters.MinSuccessfulTests = 600
	properties := gopter.NewProperties(parameters)
	properties.Property("a collector is Select and one artifact", prop.ForAll(func(content string, off int, seed int64) bool {
		random := rand.New(rand.NewPCG(uint64(seed), 0))
		inline := max(-1, len(content)+off)
		units := []text.Unit{text.UTF16, text.Bytes, text.Runes}
		o := text.Options{Unit: units[random.IntN(3)], Head: random.IntN(9), Tail: random.IntN(9), Exact: random.IntN(2) == 0}
		store := &spill.Memory{}
		for _, s := range []spill.Store{store, spill.Fallback(store)} {
			before := store.Len()
			c := spill.NewCollector(t.Context(), s, request, spill.CollectorOptions{Inline: inline, Keep: o})
			write(t, c, content, 1+random.IntN(5), 1+random.IntN(40), 1)
			got := c.Finish()
			if inline == 0 {
				inline = spill.DefaultInline
			}
			want := spill.Collected{Ends: text.Select(content, o), Bytes: int64(len(content))}
			if len(content) <= inline || content == "" {
				want.Text = content
			} else {
				want.Saved, want.Ref = true, got.Ref
				if err := spill.Verify(t.Context(), s, got.Ref); err != nil || got.Ref.Bytes != want.Bytes || readAll(t, s, got.Ref.Locator) != content {
					t.Errorf("%q: %+v, %v", content, got.Ref, err)
				}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%q, inline %d: %s", content, inline, d)
			}
			if n := store.Len() - before; n > 1 || (n == 1) != want.Saved {
				t.Errorf("%q, inline %d: %d artifacts", content, inline, n)
			}
		}
		return !t.Failed()
	}, genText(12), gen.OneConstOf(-3, -1, 0, 1, 1_000), gen.Int64()))
	properties.TestingRun(t)
}

func readAll(t testing.TB, s spill.Store, locator string) string {
	t.Helper()
	a, err := s.Open(t.Context(), locator)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	b, err := io.ReadAll(a)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Whatever the store does, and wherever: writes succeed, ends and counts are right, the error says why there is no artifact
// and not what was in it, and nothing is left in the store.
//
// spec: OFF-10
func TestCollectorOutlivesItsStore(t *testing.T) {
	content := strings.Repeat(secret+"\n", 200_000)
	keep := text.Both.Options(text.UTF16, 1_000, 50)
	for at := never; at <= shorter; at++ {
		for _, panics := range []bool{false, true} {
			for _, streams := range []bool{false, true} {
				local := newLocal(t, roomy)
				var s spill.Store = &flaky{Creator: local, phase: at, after: len(content) / 2, err: errDisk, panics: panics}
				if !streams {
					s = plain{s}
				}
				c := spill.NewCollector(t.Context(), s, request, spill.CollectorOptions{Inline: 100, Keep: keep})
				write(t, c, content, 70_000)
				got := c.Finish()
				name := fmt.Sprintf("phase %d, panics %t, streams %t", at, panics, streams)
				quiet(t, got.Err)
				if d := cmp.Diff(text.Select(content, keep), got.Ends); d != "" || got.Bytes != int64(len(content)) || got.Text != "" {
					t.Errorf("%s: %d bytes, %s", name, got.Bytes, d)
				}
				if fails := at != never; got.Saved == fails || (got.Err != nil) != fails || fails && got.Ref != (spill.Ref{}) {
					t.Errorf("%s: %+v, %v, %v", name, got.Ref, got.Saved, got.Err)
				} else if !fails && spill.Verify(t.Context(), local, got.Ref) != nil {
					t.Errorf("%s: %v", name, spill.Verify(t.Context(), local, got.Ref))
				}
				if u, err := local.Usage(t.Context(), "s"); err != nil || at != never && at <= atCommit && u != (spill.Usage{}) {
					t.Errorf("%s: left %+v, %v", name, u, err)
				}
				if again := c.Finish(); cmp.Diff(got.Ref, again.Ref) != "" || again.Bytes != got.Bytes || again.Saved != got.Saved {
					t.Errorf("%s: finished again: %+v", name, again)
				}
				if n, err := c.Write([]byte("x")); n != 0 || err == nil {
					t.Errorf("%s: written after it was finished: %d, %v", name, n, err)
				}
				if c.Finish().Bytes != got.Bytes {
					t.Errorf("%s: what was refused counts", name)
				}
			}
		}
	}
	for _, inline := range []int{0, -1, 2} {
		c := spill.NewCollector(t.Context(), nil, request, spill.CollectorOptions{Inline: inline, Keep: keep})
		write(t, c, "abc")
		if got := c.Finish(); got.Saved || (got.Err != nil) != (inline != 0) || got.Ends.Head != "abc" {
			t.Errorf("without a store, inline %d: %+v", inline, got)
		}
	}
}

// A limit is met in mid-stream: at it there is an artifact, one byte over it there is none, and no room is lost.
//
// spec: OFF-10
func TestCollectorAtALimit(t *testing.T) {
	const limit = 2_000_000
	for scope, limits := range map[spill.Scope]spill.Limits{
		spill.ArtifactScope: {Artifact: limit, Session: -1, Store: -1}, spill.SessionScope: {Artifact: -1, Session: limit, Store: -1},
		spill.StoreScope: {Artifact: -1, Session: -1, Store: limit},
	} {
		for _, size := range []int{limit - 1, limit, limit + 1} {
			l := newLocal(t, limits)
			c := spill.NewCollector(t.Context(), l, request, spill.CollectorOptions{Inline: 10})
			write(t, c, strings.Repeat("q", size), 99_999)
			got := c.Finish()
			var quota *spill.QuotaError
			if got.Saved != (size <= limit) || got.Bytes != int64(size) || !got.Saved && (!errors.As(got.Err, &quota) || quota.Scope != scope) {
				t.Errorf("%s, %d bytes: %+v, %v", scope, size, got.Ref, got.Err)
			}
			want := spill.Usage{}
			if got.Saved {
				want = spill.Usage{Artifacts: 1, Bytes: int64(size)}
			}
			if u, err := l.Usage(t.Context(), "s"); err != nil || u != want {
				t.Errorf("%s, %d bytes: %+v, %v", scope, size, u, err)
			}
		}
	}
}

// spec: OFF-10
func TestCollectorWhenCancelled(t *testing.T) {
	l := newLocal(t, roomy)
	for _, before := range []int{0, 5, 50, 5_000} {
		ctx, cancel := context.WithCancel(t.Context())
		c := spill.NewCollector(ctx, l, request, spill.CollectorOptions{Inline: 10, Keep: text.Options{Head: 4, Tail: 4}})
		write(t, c, strings.Repeat("a", before))
		cancel()
		write(t, c, strings.Repeat("b", 20))
		got := c.Finish()
		if got.Saved || !errors.Is(got.Err, context.Canceled) || got.Bytes != int64(before+20) || got.Ends.Tail != "bbbb" {
			t.Errorf("cancelled after %d bytes: %+v", before, got)
		}
	}
	if u, err := l.Usage(t.Context(), "s"); err != nil || u != (spill.Usage{}) {
		t.Errorf("left %+v, %v", u, err)
	}
}

// Writes from several goroutines are whole in the artifact.
//
// spec: UNI-6
func TestCollectorOfSeveralWriters(t *testing.T) {
	l := newLocal(t, roomy)
	c := spill.NewCollector(t.Context(), l, request, spill.CollectorOptions{Inline: 1_000, Keep: text.Options{Head: 10, Tail: 10}})
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 100 {
				fmt.Fprintf(c, "%d/%d\n", g, i)
			}
		})
	}
	wg.Wait()
	got := c.Finish()
	lines := map[string]int{}
	for line := range strings.Lines(readAll(t, l, got.Ref.Locator)) {
		lines[line]++
	}
	for g := range 8 {
		for i := range 100 {
			if lines[fmt.Sprintf("%d/%d\n", g, i)] != 1 {
				t.Fatalf("line %d/%d is there %d times", g, i, lines[fmt.Sprintf("%d/%d\n", g, i)])
			}
		}
	}
	if len(lines) != 800 || got.Bytes != got.Ref.Bytes {
		t.Errorf("%d lines, %d of %d bytes", len(lines), got.Ref.Bytes, got.Bytes)
	}
}

// The memory of a collector depends on its budgets, and not on the output.
//
// spec: UNI-6
func TestCollectorInBoundedMemory(t *testing.T) {
	l := newLocal(t, roomy)
	c := spill.NewCollector(t.Context(), l, request, spill.CollectorOptions{Keep: text.Both.Options(text.UTF16, 25_000, 1_000)})
	chunk := []byte(strings.Repeat("語a\n", 8_000))
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, most := heap(), uint64(0)
	for i := range 800 { // 32 MB
		if _, err := c.Write(chunk); err != nil {
			t.Fatal(err)
		}
		if i%100 == 99 {
			most = max(most, heap())
		}
	}
	if most > before+1<<20 {
		t.Errorf("%d bytes more are in use", most-before)
	}
	if got := c.Finish(); !got.Saved || got.Bytes != int64(800*len(chunk)) || spill.Verify(t.Context(), l, got.Ref) != nil {
		t.Errorf("%+v, %v", got.Ref, got.Err)
	}
}
