package spill_test

import (
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// spec: OFF-10
func TestQuotaAtTheEndsOfItsRange(t *testing.T) {
	var zero spill.Quota
	zero.Release("s", 1)
	if zero.Reserve("s", 1) || !zero.Reserve("s", 0) || zero.Used("s") != 0 {
		t.Error("the zero quota has room")
	}
	for _, limit := range []int64{spill.Unlimited, math.MinInt64, math.MaxInt64} {
		q := spill.NewQuota(limit)
		if !q.Reserve("s", math.MaxInt64) || q.Reserve("s", math.MaxInt64) || q.Reserve("s", 1) || q.Used("s") != math.MaxInt64 {
			t.Errorf("limit %d: overflow, or no room: %d", limit, q.Used("s"))
		}
		q.Release("s", math.MinInt64)
		q.Release("s", 1)
		if q.Used("s") != math.MaxInt64-1 || !q.Reserve("s", 1) || q.Reserve("s", 1) {
			t.Errorf("limit %d: %d used", limit, q.Used("s"))
		}
	}
	q := spill.NewQuota(5)
	q.Reserve("s", 3)
	q.Release("s", 4)
	if q.Used("s") != 0 || q.Reserve("s", 6) || !q.Reserve("s", 5) {
		t.Error("more was given back than was counted")
	}
}

// A root whose locators nobody could be shown is refused before anything is stored, and nothing is made there.
//
// spec: OFF-9
func TestRootsThatCannotBeShown(t *testing.T) {
	parent := t.TempDir()
	for _, name := range []string{"a\nb", "a\x1b[2J", "\x7f", "a\xffb", "a\u0085b", strings.Repeat("abcdefg/", 480)} {
		l, err := spill.NewLocal(filepath.Join(parent, name))
		if err == nil {
			l.Close()
			t.Errorf("%.40q was taken", name)
		} else if len(err.Error()) > 1_000 {
			t.Errorf("%.40q: an error of %d bytes", name, len(err.Error()))
		}
	}
	if left, err := filepath.Glob(filepath.Join(parent, "*")); err != nil || len(left) != 0 {
		t.Errorf("made %.200q, %v", left, err)
	}
	t.Chdir(parent)
	if l, err := spill.NewLocal("語 store"); err != nil {
		t.Error(err)
	} else if err := l.Close(); err != nil {
		t.Error(err)
	}
}

type panicReader struct{ n int }

func (r *panicReader) Read(p []byte) (int, error) {
	if r.n++; r.n > 3 {
		panic("broken reader")
	}
	return len(p), nil
}

// spec: OFF-10
func TestPanicsLeakNoRoom(t *testing.T) {
	l := newLocal(t, spill.Limits{Artifact: 10 << 20, Session: 10 << 20, Store: 10 << 20})
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic of the producer was swallowed")
			}
		}()
		spill.SaveFrom(t.Context(), l, spill.Request{Owner: "s"}, &panicReader{}, spill.Unlimited)
	}()
	if u, err := l.Total(t.Context()); err != nil || u != (spill.Usage{}) {
		t.Errorf("%+v, %v", u, err)
	}
	if _, err := l.Save(t.Context(), spill.Request{Owner: "s", Content: strings.Repeat("x", 10<<20)}); err != nil {
		t.Error(err)
	}
	if _, err := l.Save(t.Context(), spill.Request{Owner: "s", Content: "x"}); !errors.Is(err, spill.ErrQuota) {
		t.Error(err)
	}
}
