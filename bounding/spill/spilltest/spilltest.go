package spilltest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// NewStore makes an empty store with these limits, and cleans up after the test. A store that is not [spill.Limited] may
// ignore the limits.
type NewStore func(t testing.TB, limits spill.Limits) spill.Store

// Run checks the stores that newStore makes. Each check has a store of its own.
func Run(t *testing.T, newStore NewStore) {
	t.Helper()
	for _, check := range checks {
		t.Run(check.name, func(t *testing.T) { check.run(t, newStore) })
	}
}

var checks = []struct {
	name string
	run  func(testing.TB, NewStore)
}{
	{"saves_exact_bytes", exactBytes},
	{"knows_only_its_locators", unknownLocators},
	{"takes_hostile_names", hostileNames},
	{"never_shares_an_artifact", distinct},
	{"stops_when_cancelled", cancelled},
	{"reads_from_any_offset", readAt},
	{"streams", streams},
	{"drops_what_is_not_committed", aborts},
	{"lists_sessions_apart", lists},
	{"keeps_its_limits", limits},
	{"gives_room_back", room},
	{"limits_concurrent_writers", concurrentLimits},
	{"expires_strictly_older", expires},
	{"keeps_held_sessions", holds},
}

// unlimited makes a store without limits.
func (n NewStore) unlimited(t testing.TB) spill.Store {
	return n(t, spill.Limits{Artifact: spill.Unlimited, Session: spill.Unlimited, Store: spill.Unlimited})
}

// capable is a store as something that it may not be; then the check is skipped.
func capable[T spill.Store](t testing.TB, s spill.Store) T {
	t.Helper()
	c, ok := s.(T)
	if !ok {
		t.Skipf("%T is no %s", s, strings.TrimPrefix(fmt.Sprintf("%T", (*T)(nil)), "*"))
	}
	return c
}

func request(session, name, content string) spill.Request {
	return spill.Request{
		Owner: session, Source: spill.Tool{Name: "ls", CallID: "call_0", Label: "result"}, SuggestedName: name, Content: content,
	}
}

func save(t testing.TB, s spill.Store, req spill.Request) spill.Ref {
	t.Helper()
	ref, err := s.Save(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

func content(t testing.TB, s spill.Store, locator string) string {
	t.Helper()
	a, err := s.Open(t.Context(), locator)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(a)
	if err := errors.Join(err, a.Close()); err != nil || int64(len(b)) != a.Size() {
		t.Fatalf("%d bytes of %d: %v", len(b), a.Size(), err)
	}
	return string(b)
}

var contents = []string{
	"", "a", "a\xff\x00\r\n", "\ufeffbom", strings.Repeat("語", 100_000), strings.Repeat("x", 1<<20+1),
}

// spec: SPL-1, OFF-9
func exactBytes(t testing.TB, newStore NewStore) {
	s := newStore.unlimited(t)
	for _, want := range contents {
		for _, source := range []spill.Source{
			spill.Tool{Name: "ls"}, spill.SessionReference{SessionID: "other", Label: "notes"}, nil,
		} {
			ref := save(t, s, spill.Request{Owner: "s", Source: source, SuggestedName: "a.txt", Content: want})
			sum := sha256.Sum256([]byte(want))
			if ref.Bytes != int64(len(want)) || ref.SHA256 != hex.EncodeToString(sum[:]) {
				t.Errorf("%d bytes: %+v", len(want), ref)
			}
			if content(t, s, ref.Locator) != want {
				t.Errorf("%d bytes: read back other ones", len(want))
			}
			if err := spill.Verify(t.Context(), s, ref); err != nil {
				t.Error(err)
			}
			wrong := ref
			wrong.SHA256 = strings.Repeat("0", len(ref.SHA256))
			if err := spill.Verify(t.Context(), s, wrong); !errors.Is(err, spill.ErrAltered) {
				t.Errorf("another digest: %v", err)
			}
			wrong = ref
			wrong.Bytes++
			if err := spill.Verify(t.Context(), s, wrong); !errors.Is(err, spill.ErrAltered) {
				t.Errorf("another length: %v", err)
			}
		}
	}
}

// spec: SPL-1
func unknownLocators(t testing.TB, newStore NewStore) {
	s, other := newStore.unlimited(t), newStore.unlimited(t)
	own := save(t, s, request("s", "a", "b")).Locator
	for range 3 { // so that it is not the same count that makes them the same
		save(t, other, request("s", "a", "c"))
	}
	foreign := save(t, other, request("s", "a", "c")).Locator
	for _, locator := range []string{
		"", ".", "/", "..", "../x", "/etc/passwd", "nowhere", "memory:0/a", "memory:01/a", "memory:999/a", "\x00", "a\nb",
		"session-e8bc163c82ee/0123456789ab-a", strings.Repeat("x", 1<<16), foreign, foreign + "/", foreign + "/..", foreign + "x",
		own + "/", own + "/..", own + "x", "/" + own, " " + own, own + "\x00", own + "\n",
	} {
		if a, err := s.Open(t.Context(), locator); !errors.Is(err, spill.ErrNotFound) {
			t.Errorf("open %.80q: %v, %v", locator, a, err)
		}
	}
}

// Names that a file system, a shell or a person may trip over.
var hostile = []string{
	"", ".", "..", "...", "../../evil", "/etc/passwd", `..\..\evil`, `C:\Windows\x`, `\\server\share`, "a/b/c", "\x00", "a\x00b",
	"line\nbreak", "\x1b[31mred", "CON", "nul.txt", "COM1", "aux", "a:stream", "trailing.", "trailing ", " ", "~", "~002E", "-rf",
	"*?<>|\"", "\u202etxt.exe", "報告 (1).txt", "😀", "\xff\xfe", strings.Repeat("A", 4096), strings.Repeat("語", 4096),
	strings.Repeat("../", 1000), ".lock", ".usage", ".partial-0123456789ab-0123456789ab-9", "session-0123456789ab",
}

// spec: SPL-2
func hostileNames(t testing.TB, newStore NewStore) {
	s := newStore.unlimited(t)
	saved := map[string]string{}
	const secret = "sk-ant-SECRET"
	for i, name := range hostile {
		for j, req := range []spill.Request{request("s", name, ""), request(name, "a", ""), request(name, name, "")} {
			req.Content = fmt.Sprintf("%s %d %d", secret, i, j)
			ref := save(t, s, req)
			l := ref.Locator
			if l == "" || len(l) > 4096 || !utf8.ValidString(l) || strings.ContainsFunc(l, unicode.IsControl) {
				t.Errorf("%.40q: locator %.80q of %d bytes cannot be shown", name, l, len(l))
			}
			if strings.Contains(l+ref.RetrievalHint, secret) {
				t.Errorf("%.40q: content in %.300q", name, l)
			}
			if _, ok := saved[l]; ok {
				t.Errorf("%.40q: %.300q was given out before", name, l)
			}
			saved[l] = req.Content
		}
	}
	for l, want := range saved {
		if got := content(t, s, l); got != want {
			t.Errorf("%.300q holds %.80q instead of %q", l, got, want)
		}
	}
}

// spec: SPL-4
func distinct(t testing.TB, newStore NewStore) {
	s := newStore.unlimited(t)
	var wg sync.WaitGroup
	var mu sync.Mutex
	saved := map[string]string{}
	for i := range 32 {
		wg.Go(func() {
			want := fmt.Sprint("text ", i)
			ref, err := s.Save(t.Context(), request("s", "same", want))
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			saved[ref.Locator] = want
		})
	}
	wg.Wait()
	if len(saved) != 32 {
		t.Fatalf("%d artifacts for 32 saves", len(saved))
	}
	for locator, want := range saved {
		if content(t, s, locator) != want {
			t.Errorf("%s holds what another one saved", locator)
		}
	}
}

func cancelled(t testing.TB, newStore NewStore) {
	s := newStore.unlimited(t)
	ref := save(t, s, request("s", "a", "b"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Save(ctx, request("s", "a", "qqqq")); !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "qqq") {
		t.Errorf("save: %v", err)
	}
	if _, err := s.Open(ctx, ref.Locator); !errors.Is(err, context.Canceled) {
		t.Errorf("open: %v", err)
	}
	if err := spill.Verify(ctx, s, ref); !errors.Is(err, context.Canceled) {
		t.Errorf("verify: %v", err)
	}
	if k, ok := s.(spill.Keeper); ok {
		if _, err := k.List(ctx, "s"); !errors.Is(err, context.Canceled) {
			t.Errorf("list: %v", err)
		}
		if u, err := k.Usage(t.Context(), "s"); err != nil || u != (spill.Usage{Artifacts: 1, Bytes: 1}) {
			t.Errorf("the cancelled save counts: %+v, %v", u, err)
		}
	}
}

// spec: SPL-7
func readAt(t testing.TB, newStore NewStore) {
	s := newStore.unlimited(t)
	want := strings.Repeat("0123456789", 10_000) + "end"
	a, err := s.Open(t.Context(), save(t, s, request("s", "a", want)).Locator)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for _, off := range []int64{0, 1, 9, 50_000, 99_999, 100_000, 100_001, 100_002, 100_003, 100_004, 1 << 40} {
		b := make([]byte, 3)
		n, err := a.ReadAt(b, off)
		rest := want[min(off, int64(len(want))):]
		if got := string(b[:n]); got != rest[:min(3, len(rest))] || (n < 3) != errors.Is(err, io.EOF) || err != nil && n == 3 && !errors.Is(err, io.EOF) {
			t.Errorf("at %d: %q, %v", off, got, err)
		}
	}
	var wg sync.WaitGroup
	for i := range 8 { // one artifact, several readers
		wg.Go(func() {
			b := make([]byte, 10)
			for off := int64(i * 10); off < 80_000; off += 8_000 {
				if n, err := a.ReadAt(b, off); string(b[:n]) != "0123456789" {
					t.Errorf("at %d: %q, %v", off, b[:n], err)
				}
			}
		})
	}
	wg.Wait()
	var rejoined strings.Builder
	for p, next := (spill.Page{}), int64(0); ; next = p.Next {
		if p, err = spill.ReadPage(t.Context(), s, saved(t, s, want), next, 9_999); err != nil {
			t.Fatal(err)
		}
		rejoined.WriteString(p.Text)
		if p.Last() {
			break
		}
	}
	if rejoined.String() != want {
		t.Errorf("the pages are not the artifact")
	}
}

func saved(t testing.TB, s spill.Store, text string) string {
	t.Helper()
	return save(t, s, request("s", "a", text)).Locator
}

func create(t testing.TB, s spill.Creator, req spill.Request, chunks ...string) spill.Writer {
	t.Helper()
	w, err := s.Create(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	for _, chunk := range chunks {
		b := []byte(chunk)
		if n, err := w.Write(b); err != nil || n != len(chunk) || string(b) != chunk {
			t.Fatalf("wrote %d of %d bytes: %v", n, len(chunk), err)
		}
		clear(b) // it is the caller's again
	}
	return w
}

func commit(t testing.TB, w spill.Writer) spill.Ref {
	t.Helper()
	ref, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

// spec: SPL-3
func streams(t testing.TB, newStore NewStore) {
	s := capable[spill.Creator](t, newStore.unlimited(t))
	for _, want := range contents {
		for _, size := range []int{1 << 10, 1<<20 - 1, 1 << 30} {
			var chunks []string
			for rest := want; rest != ""; {
				n := min(size, len(rest))
				chunks, rest = append(chunks, rest[:n]), rest[n:]
			}
			w := create(t, s, request("s", "a", "begun "), chunks...)
			ref := commit(t, w)
			if err := w.Abort(); err != nil {
				t.Errorf("abort after commit: %v", err)
			}
			if content(t, s, ref.Locator) != "begun "+want {
				t.Errorf("%d bytes in chunks of %d: read back other ones", len(want), size)
			}
			if err := spill.Verify(t.Context(), s, ref); err != nil {
				t.Error(err)
			}
			if _, err := w.Write([]byte("more")); err == nil {
				t.Error("written after commit")
			}
			if _, err := w.Commit(); err == nil {
				t.Error("committed twice")
			}
		}
	}
}

// spec: SPL-3
func aborts(t testing.TB, newStore NewStore) {
	s := capable[spill.Creator](t, newStore.unlimited(t))
	k, keeps := s.(spill.Keeper)
	gone := func(when string) {
		t.Helper()
		if !keeps {
			return
		}
		list, err := k.List(t.Context(), "s")
		u, err2 := k.Usage(t.Context(), "s")
		if err != nil || err2 != nil || len(list) != 0 || u != (spill.Usage{}) {
			t.Errorf("%s: %v, %+v, %v, %v", when, list, u, err, err2)
		}
	}
	w := create(t, s, request("s", "a", ""), strings.Repeat("x", 3<<20))
	if keeps {
		if list, err := k.List(t.Context(), "s"); err != nil || len(list) != 0 {
			t.Errorf("listed before it is complete: %v, %v", list, err)
		}
	}
	for range 2 {
		if err := w.Abort(); err != nil {
			t.Error(err)
		}
	}
	if _, err := w.Commit(); err == nil {
		t.Error("committed after it was given up")
	}
	gone("given up")

	ctx, cancel := context.WithCancel(t.Context())
	w, err := s.Create(ctx, request("s", "a", "begun"))
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := w.Commit(); !errors.Is(err, context.Canceled) {
		t.Errorf("commit when cancelled: %v", err)
	}
	if err := w.Abort(); err != nil {
		t.Error(err)
	}
	gone("cancelled")

	broken := io.MultiReader(strings.NewReader("begun"), errReader{})
	if ref, err := spill.SaveFrom(t.Context(), s, request("s", "a", ""), broken, spill.Unlimited); !errors.Is(err, errBroken) {
		t.Errorf("a producer that fails: %+v, %v", ref, err)
	}
	gone("broken off")
	if ref, err := spill.SaveFrom(t.Context(), s, request("s", "a", ""), strings.NewReader("12345"), 4); !errors.Is(err, spill.ErrQuota) {
		t.Errorf("longer than asked for: %+v, %v", ref, err)
	}
	gone("too long")
	if ref, err := spill.SaveFrom(t.Context(), s, request("s", "a", "1"), strings.NewReader("234"), 4); err != nil || ref.Bytes != 4 {
		t.Errorf("as long as asked for: %+v, %v", ref, err)
	}
}

var errBroken = errors.New("broken")

type errReader struct{}

func (errReader) Read([]byte) (int, error) { return 0, errBroken }

func lists(t testing.TB, newStore NewStore) {
	s := capable[spill.Keeper](t, newStore.unlimited(t))
	want := map[string][]string{"": {"a", "..", "語.txt"}, "s": {"b"}, "S": {"c", "c"}, "s/../": {""}}
	for session, names := range want {
		for _, name := range names {
			save(t, s, request(session, name, name+"!"))
		}
	}
	for session, names := range want {
		list, err := s.List(t.Context(), session)
		if err != nil {
			t.Fatal(err)
		}
		got, expected := map[string]int{}, map[string]int{}
		usage := spill.Usage{Artifacts: len(names)}
		for i, e := range list {
			got[e.Name]++
			if text := content(t, s, e.Locator); text != e.Name+"!" || e.Bytes != int64(len(text)) {
				t.Errorf("%q: %+v holds %q", session, e, text)
			}
			if i > 0 && e.Modified.Before(list[i-1].Modified) {
				t.Errorf("%q: not oldest first", session)
			}
		}
		for _, name := range names {
			expected[name]++
			usage.Bytes += int64(len(name) + 1)
		}
		if d := cmp.Diff(expected, got); d != "" {
			t.Errorf("%q: %s", session, d)
		}
		if u, err := s.Usage(t.Context(), session); err != nil || u != usage {
			t.Errorf("%q: usage %+v instead of %+v, %v", session, u, usage, err)
		}
	}
	for _, name := range []string{"z", "a", "m"} {
		save(t, s, request("in turn", name, name))
		time.Sleep(20 * time.Millisecond) // the times of files are coarse
	}
	list, err := s.List(t.Context(), "in turn")
	if err != nil || len(list) != 3 || list[0].Name != "z" || list[1].Name != "a" || list[2].Name != "m" {
		t.Errorf("not oldest first: %+v, %v", list, err)
	}
	if list, err := s.List(t.Context(), "never seen"); err != nil || len(list) != 0 {
		t.Errorf("a session without artifacts: %v, %v", list, err)
	}
}
