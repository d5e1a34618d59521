package bounding

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/text"
)

// discard is a store that costs nothing, so that what is measured is the pipeline.
type discard struct{}

func (discard) Save(_ context.Context, req spill.Request) (spill.Ref, error) {
	return spill.Ref{Locator: "/var/tmp/session-abe633f3a47a/0123456789ab-ls-result.txt", Bytes: int64(len(req.Content)),
		SHA256: strings.Repeat("0", 64)}, nil
}
func (discard) Open(context.Context, string) (spill.Artifact, error) { return nil, spill.ErrNotFound }

func benchPipeline(b *testing.B, store spill.Store) *Pipeline {
	p, err := New(Strict(), WithStore(store))
	if err != nil {
		b.Fatal(err)
	}
	return p
}

// BenchmarkBoundBelow is text that stays as it is. Count is the measuring alone, for the ratio.
func BenchmarkBoundBelow(b *testing.B) {
	for _, tt := range []struct{ name, text string }{
		{"ascii", strings.Repeat("a line of a log, as they are\n", 24_000/29)},
		{"cjk", strings.Repeat("語", 24_000)},
	} {
		s, out := tt.text, output("ls", tt.text)
		p := benchPipeline(b, discard{})
		b.Run(tt.name+"/Bound", func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				p.Bound(context.Background(), out)
			}
		})
		b.Run(tt.name+"/Count", func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				text.Measure(s)
			}
		})
	}
}

// BenchmarkBoundAbove is text that is offloaded, to a store that costs nothing and to one that only takes its digest. The
// allocated bytes do not grow with the text.
func BenchmarkBoundAbove(b *testing.B) {
	for _, size := range []int{30_000, 1 << 20, 32 << 20} {
		s := strings.Repeat("a line of a log, as they are\n", size/29+1)[:size]
		out := output("ls", s)
		for _, tt := range []struct {
			name  string
			store spill.Store
		}{{"discard", discard{}}, {"memory", &spill.Memory{}}} {
			p := benchPipeline(b, tt.store)
			p.quota = spill.NewQuota(Unlimited)
			b.Run(fmt.Sprintf("%d/%s", size, tt.name), func(b *testing.B) {
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					p.Bound(context.Background(), out)
				}
			})
		}
	}
}

func BenchmarkBatch(b *testing.B) {
	for _, n := range []int{2, 20, 200} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := benchPipeline(b, discard{})
			p.quota = spill.NewQuota(Unlimited)
			results := bound(p, "ls", repeated(n, 24_000)...)
			b.ReportAllocs()
			for b.Loop() {
				p.Batch(context.Background(), results...)
			}
		})
	}
}

func repeated(n, size int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = size
	}
	return list
}

func BenchmarkPlanBatch(b *testing.B) {
	for _, n := range []int{10, 1_000, 100_000} {
		for _, sharing := range []Sharing{LargestFirst, WaterFill} {
			b.Run(fmt.Sprintf("%d/%v", n, sharing), func(b *testing.B) {
				sizes := make([]int, n)
				for i := range sizes {
					sizes[i] = i * 7919 % 30_000
				}
				budget := sum(sizes) / 100
				b.ReportAllocs()
				for b.Loop() {
					PlanBatch(sizes, budget, sharing, stubOf(2_300, 60))
				}
			})
		}
	}
}

// trackerOf returns a tracker below its watermark, with n committed results.
func trackerOf(n int) *Tracker {
	t := NewTracker(Watermark{High: 25_500 * n * 2, Keep: 5, IdleAfter: Never})
	for range n {
		t.Add(Slot{Units: 25_500, Placeholder: 33})
	}
	t.Commit()
	return t
}

// BenchmarkTrackerQuiet is a checkpoint between clearings, after histories of all lengths: the time must not depend on
// them. PlanClear is the pure form, for the ratio.
func BenchmarkTrackerQuiet(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000, 1_000_000} {
		t := trackerOf(n)
		b.Run(fmt.Sprintf("Tracker/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				t.Checkpoint(Checkpoint{})
			}
		})
		if n > 100_000 {
			continue
		}
		b.Run(fmt.Sprintf("PlanClear/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				PlanClear(t.slots, t.w, Checkpoint{})
			}
		})
	}
}

// BenchmarkTrackerTurn is one result, its checkpoint and its commit, clearings included.
func BenchmarkTrackerTurn(b *testing.B) {
	for _, n := range []int{1_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			t := trackerOf(n)
			t.w.High = t.total + 1_000_000
			b.ReportAllocs()
			for b.Loop() {
				t.Add(Slot{Units: 25_500, Placeholder: 33})
				t.Checkpoint(Checkpoint{})
				t.Commit()
			}
		})
	}
}

// BenchmarkTrackerClearing clears all results but the newest five, by size and by force; per result.
func BenchmarkTrackerClearing(b *testing.B) {
	for _, n := range []int{1_000, 100_000, 1_000_000} {
		for _, at := range []Checkpoint{{Trigger: BeforeToolTurn}, {Trigger: OnDemand}} {
			b.Run(fmt.Sprintf("%v/%d", at.Trigger, n), func(b *testing.B) {
				for b.Loop() {
					b.StopTimer()
					t := trackerOf(n)
					t.w.High = 10 // only the keep window is left above it
					runtime.GC()
					b.StartTimer()
					t.Checkpoint(at)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/result")
			})
		}
	}
}

// BenchmarkPlanClear is the pure form, clearing half; per result.
func BenchmarkPlanClear(b *testing.B) {
	for _, n := range []int{1_000, 1_000_000} {
		t := trackerOf(n)
		w := Watermark{High: t.total - 1, Keep: 5, IdleAfter: time.Hour}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				PlanClear(t.slots, w, Checkpoint{})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/result")
		})
	}
}

// BenchmarkHistoryTurn is a whole turn of an agent on a long history: bound, batch, append, checkpoint, commit.
func BenchmarkHistoryTurn(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := benchPipeline(b, discard{})
			h := p.NewHistory()
			out := output("ls", strings.Repeat("x", 1_000))
			for range n {
				turn(b, p, h, out)
			}
			b.ReportAllocs()
			for b.Loop() {
				turn(b, p, h, out)
			}
		})
	}
}
