package blob_test

import (
	"path/filepath"
	"testing"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/spill/blob"
	"github.com/boundcheck/boundcheck/bounding/spill/spilltest"
)

func open(t testing.TB, url string, options ...blob.Option) *blob.Store {
	t.Helper()
	s, err := blob.Open(t.Context(), url, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func fileURL(t testing.TB) string {
	return "file://" + filepath.ToSlash(filepath.Join(t.TempDir(), "store"))
}

func TestMem(t *testing.T) {
	spilltest.Run(t, func(t testing.TB, limits spill.Limits) spill.Store {
		return open(t, "mem://", blob.WithLimits(limits))
	})
}

func TestFile(t *testing.T) {
	spilltest.Run(t, func(t testing.TB, limits spill.Limits) spill.Store {
		return open(t, fileURL(t), blob.WithLimits(limits))
	})
}

func TestPrefix(t *testing.T) {
	spilltest.Run(t, func(t testing.TB, limits spill.Limits) spill.Store {
		return open(t, fileURL(t)+"?prefix=a/b/", blob.WithLimits(limits))
	})
}
