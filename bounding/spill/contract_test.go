package spill_test

import (
	"path/filepath"
	"testing"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/spill/spilltest"
)

func newLocal(t testing.TB, limits spill.Limits) *spill.Local {
	t.Helper()
	l, err := spill.NewLocal(filepath.Join(t.TempDir(), "store"), spill.WithLimits(limits))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func TestLocal(t *testing.T) {
	spilltest.Run(t, func(t testing.TB, limits spill.Limits) spill.Store { return newLocal(t, limits) })
}

func TestMemory(t *testing.T) {
	spilltest.Run(t, func(testing.TB, spill.Limits) spill.Store { return &spill.Memory{} })
}

func TestFallback(t *testing.T) {
	spilltest.Run(t, func(t testing.TB, limits spill.Limits) spill.Store {
		return spill.Fallback(newLocal(t, spill.Limits{Artifact: spill.Unlimited, Session: spill.Unlimited}), newLocal(t, limits))
	})
}

func TestFallbackToPlainStores(t *testing.T) {
	spilltest.Run(t, func(t testing.TB, limits spill.Limits) spill.Store {
		broken := &flaky{Creator: newLocal(t, roomy), phase: atCreate, err: errDisk}
		return spill.Fallback(broken, plain{newLocal(t, limits)})
	})
}
