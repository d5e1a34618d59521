package spill_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// BenchmarkSave compares saves with the plainest way to keep the same bytes that survives a power failure: write a file,
// sync it, and rename it. Both take turns in one run on one disk, so that what else happens there meets both: "x-plain" is
// the throughput of a save as a multiple of the plain one, "x-plain-median" the same for their median turns.
//
//	go test -run '^$' -bench Save -benchtime 300x ./bounding/spill
func BenchmarkSave(b *testing.B) {
	for _, size := range []int{4 << 10, 1 << 20, 16 << 20} {
		content := strings.Repeat("a line of tool output, as it comes\n", size/35+1)[:size]
		b.Run(fmt.Sprintf("bytes=%d", size), func(b *testing.B) {
			root, plain := b.TempDir(), b.TempDir()
			l := openLocal(b, root, spill.Limits{Artifact: spill.Unlimited, Session: spill.Unlimited, Store: spill.Unlimited})
			var ours, theirs []time.Duration
			for i := 0; b.Loop(); i++ {
				began := time.Now()
				ref, err := l.Save(b.Context(), spill.Request{Owner: "s", SuggestedName: "a", Content: content})
				if err != nil {
					b.Fatal(err)
				}
				ours = append(ours, time.Since(began))
				path := filepath.Join(plain, "a")
				began = time.Now()
				if err := plainSave(path, content); err != nil {
					b.Fatal(err)
				}
				theirs = append(theirs, time.Since(began))
				if err := os.Remove(path); err != nil {
					b.Fatal(err)
				}
				if err := os.Remove(ref.Locator); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(0, "ns/op") // of both
			b.ReportMetric(total(theirs).Seconds()/total(ours).Seconds(), "x-plain")
			b.ReportMetric(median(theirs).Seconds()/median(ours).Seconds(), "x-plain-median")
			b.ReportMetric(float64(size)/1e6/median(ours).Seconds(), "MB/s")
		})
	}
}

func plainSave(path, content string) error {
	f, err := os.OpenFile(path+".tmp", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err = f.WriteString(content); err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(path+".tmp", path)
}

func total(list []time.Duration) (sum time.Duration) {
	for _, d := range list {
		sum += d
	}
	return sum
}

func median(list []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(list))[len(list)/2]
}
