package blob_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	cdk "gocloud.dev/blob"
	"gocloud.dev/blob/memblob"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/spill/blob"
)

const secret = "sk-ant-SECRET"

func request(session, name, content string) spill.Request {
	return spill.Request{Owner: session, Source: spill.Tool{Name: "ls"}, SuggestedName: name, Content: content}
}

// on returns a store on a faulty driver, which is on a bucket that works.
func on(t testing.TB, f *faulty, b *cdk.Bucket, options ...blob.Option) *blob.Store {
	t.Helper()
	f.b = b
	s := blob.New(cdk.NewBucket(f), options...)
	t.Cleanup(func() { s.Close() })
	return s
}

func memory(t testing.TB) *cdk.Bucket {
	b := memblob.OpenBucket(nil)
	t.Cleanup(func() { b.Close() })
	return b
}

// keys are the keys in a bucket that are no leases.
func keys(t testing.TB, b *cdk.Bucket) []string {
	t.Helper()
	var keys []string
	for objects := b.List(nil); ; {
		object, err := objects.Next(context.Background())
		if errors.Is(err, io.EOF) {
			return keys
		}
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(object.Key, ".lease/") {
			keys = append(keys, object.Key)
		}
	}
}

// stream saves through a Writer, in two pieces of which the second needs more room.
func stream(ctx context.Context, s *blob.Store, req spill.Request) (ref spill.Ref, err error) {
	rest := req.Content[len(req.Content)/2:]
	req.Content = req.Content[:len(req.Content)/2]
	w, err := s.Create(ctx, req)
	if err != nil {
		return spill.Ref{}, err
	}
	defer func() { err = errors.Join(err, w.Abort()) }()
	if _, err := io.WriteString(w, rest); err != nil {
		return spill.Ref{}, err
	}
	return w.Commit()
}

// Whatever operation fails, there is the whole artifact or nothing, also of what was reserved; once the service is well
// again, another save has all the room.
//
// spec: SPL-3, OFF-10
func TestEveryOperationFails(t *testing.T) {
	content := secret + strings.Repeat("x", 1_000)
	limits := spill.Limits{Artifact: spill.Unlimited, Session: 1_500, Store: 2_000}
	for how, save := range map[string]func(context.Context, *blob.Store, spill.Request) (spill.Ref, error){
		"save": func(ctx context.Context, s *blob.Store, req spill.Request) (spill.Ref, error) {
			return s.Save(ctx, req)
		},
		"stream": stream,
	} {
		failures := 0
		for at := int64(1); ; at++ {
			f := &faulty{failAt: at}
			bucket := memory(t)
			s := on(t, f, bucket, blob.WithLimits(limits))
			ref, err := save(t.Context(), s, request("s", "a", content))
			if err == nil {
				reached := f.ops.Load() >= at
				if err := spill.Verify(t.Context(), blob.New(bucket), ref); err != nil {
					t.Fatal(err)
				}
				if !reached {
					break
				}
			} else {
				failures++
				if !errors.Is(err, errFault) || strings.Contains(err.Error(), secret) {
					t.Errorf("%s, operation %d: %v", how, at, err)
				}
			}
			if err := s.Close(); err != nil { // tries again what could not be removed
				t.Errorf("%s, operation %d: %v", how, at, err)
			}
			want := 0
			if err == nil {
				want = 1
			}
			if left := keys(t, bucket); len(left) != want {
				t.Errorf("%s, operation %d, %v: left %q", how, at, err, left)
			}
			again := on(t, &faulty{}, bucket, blob.WithLimits(limits))
			if _, err := again.Save(t.Context(), request("s", "a", strings.Repeat("y", 1_500-want*len(content)))); err != nil {
				t.Errorf("%s, operation %d: afterwards %v", how, at, err)
			}
		}
		if failures < 8 {
			t.Errorf("%s: only %d operations could fail", how, failures)
		}
	}
}

// A process that is cut off at any operation leaves nothing that is not whole, and no room is lost for longer than its lease.
//
// spec: SPL-3, SPL-5
func TestCutOffAtEveryOperation(t *testing.T) {
	t.Parallel()
	content := strings.Repeat("x", 1_000)
	limits := blob.WithLimits(spill.Limits{Artifact: spill.Unlimited, Session: 1_000, Store: 1_000})
	var buckets []*cdk.Bucket
	for at := int64(1); at < 20; at++ {
		bucket := memory(t)
		s := on(t, &faulty{failAt: at, failOn: true}, bucket, limits, blob.WithLease(time.Second))
		s.Save(t.Context(), request("s", "a", content))
		buckets = append(buckets, bucket)
	}
	time.Sleep(1100 * time.Millisecond)
	for i, bucket := range buckets {
		s := blob.New(bucket, limits)
		list, err := s.List(t.Context(), "s")
		if err != nil || len(list) > 1 || len(list) == 1 && list[0].Bytes != 1_000 {
			t.Errorf("%d: %v, %v", i, list, err)
		}
		_, err = s.Save(t.Context(), request("s", "a", content))
		if errors.Is(err, spill.ErrQuota) != (len(list) == 1) {
			t.Errorf("%d, %d artifacts: %v", i, len(list), err)
		}
		s.Close()
	}
}

// spec: SPL-3
func TestWrongDrivers(t *testing.T) {
	onArtifacts := func(f fault) func(string) fault {
		return func(key string) fault {
			if strings.HasPrefix(key, "session-") {
				return f
			}
			return none
		}
	}
	for name, tt := range map[string]struct {
		f    *faulty
		want error
		says string
	}{
		"loses what it closes": {&faulty{onClose: onArtifacts(lost)}, errFault, ""},
		"loses its answer":     {&faulty{onClose: onArtifacts(lostAnswer)}, errFault, ""},
		"truncates":            {&faulty{onClose: onArtifacts(truncated)}, io.ErrShortWrite, "999 of 1000 bytes"},
		"lists late":           {&faulty{late: time.Hour}, nil, "does not list"},
	} {
		t.Run(name, func(t *testing.T) {
			bucket := memory(t)
			s := on(t, tt.f, bucket)
			for _, save := range []func(context.Context, spill.Request) (spill.Ref, error){
				s.Save, func(ctx context.Context, req spill.Request) (spill.Ref, error) { return stream(ctx, s, req) },
			} {
				_, err := save(t.Context(), request("s", "a", strings.Repeat("x", 1_000)))
				if err == nil || tt.want != nil && !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) {
					t.Errorf("%v", err)
				}
				if left := keys(t, bucket); len(left) != 0 {
					t.Errorf("left %q", left)
				}
			}
		})
	}
}

// A key that is there already is never written over.
//
// spec: SPL-4
func TestNeverOverwrites(t *testing.T) {
	bucket := memory(t)
	var taken string
	f := &faulty{beforeUp: func(key string) {
		if strings.HasPrefix(key, "session-") {
			taken = key
			if err := bucket.WriteAll(t.Context(), key, []byte("theirs"), nil); err != nil {
				t.Error(err)
			}
		}
	}}
	s := on(t, f, bucket)
	if ref, err := s.Save(t.Context(), request("s", "a", "ours")); err == nil {
		t.Errorf("%+v", ref)
	}
	if b, err := bucket.ReadAll(t.Context(), taken); string(b) != "theirs" {
		t.Errorf("%q, %v", b, err)
	}
	if left := keys(t, bucket); len(left) != 1 {
		t.Errorf("left %q", left)
	}
}

func TestCancelMidWrite(t *testing.T) {
	for _, how := range []string{"the context ends", "another goroutine gives up"} {
		bucket := memory(t)
		f := &faulty{stall: make(chan struct{})}
		s := on(t, f, bucket)
		ctx, cancel := context.WithCancel(t.Context())
		w, err := s.Create(ctx, request("s", "a", ""))
		if err != nil {
			t.Fatal(err)
		}
		failed := make(chan error)
		go func() {
			_, err := io.WriteString(w, "never")
			failed <- err
		}()
		<-f.stall
		if how == "the context ends" {
			cancel()
		} else if err := w.Abort(); err != nil {
			t.Error(err)
		}
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", how, err)
		}
		if err := w.Abort(); err != nil {
			t.Error(err)
		}
		if left := keys(t, bucket); len(left) != 0 {
			t.Errorf("%s: left %q", how, left)
		}
		cancel()
	}
}

// Pages and searches of a large artifact read what they need.
//
// spec: SPL-7
func TestReadsWhatItNeeds(t *testing.T) {
	const size = 8 << 20
	f := &faulty{}
	s := on(t, f, memory(t))
	ref, err := s.Save(t.Context(), request("s", "a", strings.Repeat("x", size-6)+"needle"))
	if err != nil {
		t.Fatal(err)
	}
	for _, offset := range []int64{0, size / 2, size - 100} {
		f.bytes.Store(0)
		p, err := spill.ReadPage(t.Context(), s, ref.Locator, offset, 20_000)
		if err != nil || p.Offset != offset || p.Total != size {
			t.Fatal(p.Offset, p.Total, err)
		}
		if n := f.bytes.Load(); n > 64<<10 {
			t.Errorf("a page at %d: %d bytes", offset, n)
		}
	}
	f.bytes.Store(0)
	f.reads.Store(0)
	m, err := spill.Search(t.Context(), s, ref.Locator, spill.Query{Pattern: "needle", Literal: true})
	if err != nil || len(m.Matches) != 1 || m.Matches[0].Offset != size-6 {
		t.Fatal(len(m.Matches), err)
	}
	if bytes, requests := f.bytes.Load(), f.reads.Load(); bytes > size || requests > 16 {
		t.Errorf("a search of %d bytes read %d in %d requests", size, bytes, requests)
	}
}

// What is missing at the end of an object is an error, not the end.
func TestArtifactCutWhileRead(t *testing.T) {
	bucket := memory(t)
	s := blob.New(bucket)
	defer s.Close()
	ref, err := s.Save(t.Context(), request("s", "a", strings.Repeat("x", 1_000)))
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.Open(t.Context(), ref.Locator)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	key := strings.SplitN(ref.Locator, "/", 2)[1]
	if err := bucket.WriteAll(t.Context(), key, []byte("short"), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(a); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("read: %v", err)
	}
	if _, err := a.ReadAt(make([]byte, 10), 2); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("read at: %v", err)
	}
	if err := spill.Verify(t.Context(), s, ref); !errors.Is(err, spill.ErrAltered) {
		t.Errorf("verify: %v", err)
	}
	if err := bucket.Delete(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if _, err := a.ReadAt(make([]byte, 10), 2); !errors.Is(err, spill.ErrExpired) {
		t.Errorf("removed meanwhile: %v", err)
	}
	if _, err := s.Open(t.Context(), ref.Locator); !errors.Is(err, spill.ErrExpired) {
		t.Errorf("removed: %v", err)
	}
	if _, err := s.Open(t.Context(), fmt.Sprint(ref.Locator, "/..")); errors.Is(err, spill.ErrExpired) || !errors.Is(err, spill.ErrNotFound) {
		t.Errorf("no locator: %v", err)
	}
}
