package bounding

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
)

// playTracker reads a session out of bytes, every byte string is one, and plays it on a Tracker and on the pure form at
// once. It returns how they differ. Sizes aim at the borders: what is missing to H and to L, one more and one less.
func playTracker(choices []byte) error {
	next := func() int {
		if len(choices) == 0 {
			return 0
		}
		c := choices[0]
		choices = choices[1:]
		return int(c)
	}
	w := Watermark{
		High: []int{Unlimited, 0, 7, 20, 21, 100}[next()%6], Keep: next() % 4,
		IdleAfter: []time.Duration{time.Hour, 0, Never}[next()%3],
	}
	flags := next()
	w.ClearSmall, w.IdleIsFinal, w.FailedMediaKept = flags&1 != 0, flags&2 != 0, flags&4 != 0
	tracker := NewTracker(w)
	var slots []Slot
	for len(choices) > 0 {
		switch op := next(); op % 8 {
		default:
			total := oracle{}.total(slots)
			sizes := []int{0, 1, 2, 3, 5, 10, w.High - total, w.High - total + 1, w.Low() - total, w.Low() - total + 1}
			kind := next()
			s := Slot{Units: max(0, sizes[next()%len(sizes)]), Placeholder: 2}
			switch kind % 14 {
			case 0:
				s.Media = 1
			case 1:
				s.Units, s.Media = 0, 1
			case 2:
				s.Failed = true
			case 3:
				s.Failed, s.Media = true, 1
			case 4:
				s.Protected = true
			case 5:
				s.Cleared = true
			case 6:
				s.Kind, s.Media = NestedMediaSlot, 1
			case 7:
				s.Kind, s.Media, s.Units = MediaSlot, 2, 0
			case 8:
				s.Kind, s.Media, s.Failed = NestedMediaSlot, 1, true
			case 9:
				s.Kind = OtherSlot
			}
			tracker.Add(s)
			s.Pending = true
			slots = append(slots, s)
		case 1, 2:
			tracker.Commit()
			for i := range slots {
				slots[i].Pending = false
			}
		case 3, 4:
			at := Checkpoint{Trigger: Trigger(next() % 4), Gap: []time.Duration{NoGap, 0, time.Hour - 1, time.Hour}[next()%4]}
			want, got := PlanClear(slots, w, at), tracker.Checkpoint(at)
			if diff := cmp.Diff(want, got); diff != "" {
				return fmt.Errorf("%+v, %+v\nslots %+v\ntracker and pure form differ (-pure +tracker):\n%s", w, at, slots, diff)
			}
			slots = apply(slots, want)
			for i, s := range slots {
				if got := tracker.Slot(i); got != s {
					return fmt.Errorf("slot %d is %+v, the tracker says %+v", i, s, got)
				}
			}
		}
		if want := (oracle{}).total(slots); tracker.Total() != want || tracker.Len() != len(slots) {
			return fmt.Errorf("total %d of %d slots, want %d of %d", tracker.Total(), tracker.Len(), want, len(slots))
		}
	}
	return nil
}

// spec: WMK-9
func TestTrackerEqualsPureForm(t *testing.T) {
	parameters := gopter.DefaultTestParameters()
	parameters.MinSuccessfulTests = 3000
	parameters.MaxSize = 200
	parameters.Rng.Seed(1)
	properties := gopter.NewProperties(parameters)
	properties.Property("the tracker plans what the pure form plans", prop.ForAll(func(choices []byte) (string, error) {
		return "", playTracker(choices)
	}, gen.SliceOf(gen.UInt8())))
	properties.TestingRun(t)
}

func FuzzTrackerEqualsPureForm(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{3, 1, 0, 0, 0, 9, 5, 1, 0, 9, 5, 1, 3, 0, 3, 0, 0, 0})
	// A small result is passed by one clearing and comes back into the keep window of the next one.
	f.Add([]byte{2, 2, 0, 0, 0, 9, 2, 0, 9, 5, 0, 9, 5, 0, 9, 5, 1, 3, 0, 0, 0, 1, 0, 0, 1, 0, 1, 3, 2, 0, 3, 0, 0})
	f.Fuzz(func(t *testing.T, choices []byte) {
		if err := playTracker(choices); err != nil {
			t.Fatal(err)
		}
	})
}

// spec: WMK-3, WMK-9
func TestTrackerRemembersSmallResultsForTheKeepWindow(t *testing.T) {
	w := Watermark{High: 20, Keep: 2, IdleAfter: 0}
	tracker := NewTracker(w)
	small, large, picture := Slot{Units: 2, Placeholder: 2}, Slot{Units: 11, Placeholder: 2}, Slot{Media: 1, Placeholder: 2}
	for _, s := range []Slot{small, large, large, large, large} {
		tracker.Add(s)
	}
	tracker.Commit()
	if p := tracker.Checkpoint(Checkpoint{}); !slices.Equal(p.Cleared, []int{1, 2}) {
		t.Fatalf("cleared %v, want [1 2]", p.Cleared)
	}
	tracker.Add(picture)
	tracker.Add(picture)
	tracker.Commit()
	if p := tracker.Checkpoint(Checkpoint{Trigger: BeforeQuery}); !slices.Equal(p.Cleared, []int{3, 4}) {
		t.Fatalf("cleared %v, want [3 4]", p.Cleared)
	}
	tracker.Add(Slot{Units: 50, Placeholder: 2})
	tracker.Commit()
	if p := tracker.Checkpoint(Checkpoint{}); !slices.Equal(p.Kept, []int{0, 7}) {
		t.Fatalf("kept %v, want [0 7]: the small result is the second newest with text", p.Kept)
	}
}

// spec: WMK-8
func TestTrackerRewritesOf167Results(t *testing.T) {
	tracker := NewTracker(Watermark{High: 500_000, Keep: 5, IdleAfter: Never})
	var steps []int
	for step := range 167 {
		tracker.Add(Slot{Units: 25_500, Placeholder: 33})
		if p := tracker.Checkpoint(Checkpoint{}); len(p.Cleared) > 0 {
			steps = append(steps, step)
		}
		tracker.Commit()
	}
	if want := []int{19, 30, 41, 52, 63, 74, 85, 96, 107, 118, 129, 140, 151, 162}; !slices.Equal(steps, want) {
		t.Errorf("rewrites at %v, want %v", steps, want)
	}
}

// spec: WMK-9
func TestTrackerCheckpointAllocatesNothing(t *testing.T) {
	tracker := NewTracker(Watermark{High: 1_000_000, Keep: 5, IdleAfter: time.Hour})
	for range 1000 {
		tracker.Add(Slot{Units: 1000, Placeholder: 33})
	}
	tracker.Commit()
	for _, at := range []Checkpoint{{Trigger: BeforeToolTurn}, {Trigger: BeforeQuery, Gap: time.Minute}} {
		if n := testing.AllocsPerRun(100, func() { tracker.Checkpoint(at) }); n != 0 {
			t.Errorf("%v: %v allocations", at.Trigger, n)
		}
	}
}
