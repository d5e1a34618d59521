package smallscope

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/oracle"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

// kind is one letter of the histories that are searched. The sizes are as small as they can be with a placeholder of 1.
type kind struct {
	name string
	slot bounding.Slot
}

// committed are the letters of the part that was sent: what the placeholder would not make shorter, two that it would, an
// error with a medium, nothing, a medium alone, and what was cleared before.
var committed = []kind{
	{"small", bounding.Slot{Units: 1, Placeholder: 1}},
	{"mid", bounding.Slot{Units: 2, Placeholder: 1}},
	{"big", bounding.Slot{Units: 4, Media: 1, Placeholder: 1}},
	{"error", bounding.Slot{Units: 3, Media: 1, Placeholder: 1, Failed: true}},
	{"empty", bounding.Slot{Placeholder: 1}},
	{"media", bounding.Slot{Media: 1, Placeholder: 1}},
	{"cleared", bounding.Slot{Units: 1, Placeholder: 1, Cleared: true}},
}

// pending is the letter of what is about to be sent.
var pending = kind{"pending", bounding.Slot{Units: 2, Placeholder: 1, Pending: true}}

// word is a history: letters of committed by index, then some pending results.
type word struct {
	letters []int
	pending int
}

// words yields every history of n results. The word is valid until the next one.
func words(n int) iter.Seq[word] {
	return func(yield func(word) bool) {
		for p := range n + 1 {
			letters := make([]int, n-p)
			for {
				if !yield(word{letters, p}) {
					return
				}
				i := len(letters) - 1
				for ; i >= 0 && letters[i] == len(committed)-1; i-- {
					letters[i] = 0
				}
				if i < 0 {
					break
				}
				letters[i]++
			}
		}
	}
}

func (w word) slots(dst []bounding.Slot) []bounding.Slot {
	for _, l := range w.letters {
		dst = append(dst, committed[l].slot)
	}
	for range w.pending {
		dst = append(dst, pending.slot)
	}
	return dst
}

// occasion is a checkpoint with the numbers it is made under.
type occasion struct {
	high, keep int
	at         bounding.Checkpoint
}

// idleAfter is the gap of every scenario of this package.
const idleAfter = time.Hour

func (o occasion) watermark() bounding.Watermark {
	return bounding.Watermark{High: o.high, Keep: o.keep, IdleAfter: idleAfter}
}

var (
	toolTurn = bounding.Checkpoint{Trigger: bounding.BeforeToolTurn, Gap: bounding.NoGap}
	idle     = bounding.Checkpoint{Trigger: bounding.BeforeQuery, Gap: idleAfter}
	notIdle  = bounding.Checkpoint{Trigger: bounding.BeforeQuery, Gap: idleAfter - 1}
	forced   = bounding.Checkpoint{Trigger: bounding.OnDemand}
	pressed  = bounding.Checkpoint{Trigger: bounding.MemoryPressure}
)

// occasions are those that every history of n results is held against: all triggers up to 5 results, and for longer
// histories, where the windows of the idle path show nothing new, the size path alone.
func occasions(n int) []occasion {
	highs := []int{3, 4, 5, 6, 7}
	if n > 5 {
		highs = []int{5, 6, 7}
	}
	var all []occasion
	for keep := range 3 {
		for _, high := range highs {
			all = append(all, occasion{high, keep, toolTurn})
		}
		if n <= 5 {
			for _, at := range []bounding.Checkpoint{idle, notIdle, forced, pressed} {
				all = append(all, occasion{4, keep, at})
			}
			all = append(all, occasion{bounding.Unlimited, keep, idle}, occasion{bounding.Unlimited, keep, toolTurn})
		}
	}
	return all
}

// Counterexample is a history for which a planner decides otherwise than the requirements.
type Counterexample struct {
	Slots     []bounding.Slot
	Watermark bounding.Watermark
	At        bounding.Checkpoint
	Got       bounding.ClearPlan
	Want      oracle.Plan
	Panic     string // of the planner, if it did not decide
}

// Plans holds a planner against every history of n results, and returns how many decisions it looked at. It yields the
// first difference, or nil. The planner may change nothing in what it is given.
func Plans(p subject.Planner, n int) (int, *Counterexample) {
	cases := 0
	occasions := occasions(n)
	var slots, given []bounding.Slot
	for w := range words(n) {
		slots = w.slots(slots[:0])
		for _, o := range occasions {
			cases++
			given = append(given[:0], slots...)
			mark := o.watermark()
			got, panicked := decide(p, given, mark, o.at)
			want := oracle.Clear(slots, mark, o.at)
			if panicked != "" || !Agrees(got, want) || !slices.Equal(given, slots) {
				return cases, &Counterexample{slices.Clone(slots), mark, o.at, got, want, panicked}
			}
		}
	}
	return cases, nil
}

// decide asks a planner, and says so if it panics.
func decide(p subject.Planner, slots []bounding.Slot, w bounding.Watermark, at bounding.Checkpoint) (plan bounding.ClearPlan, panicked string) {
	defer func() {
		if r := recover(); r != nil {
			panicked = fmt.Sprint(r)
		}
	}()
	return p.Plan(slots, w, at), ""
}

// Agrees reports whether a plan decides what the requirements ask for. What a plan that fired without an effect says is
// left to it.
func Agrees(got bounding.ClearPlan, want oracle.Plan) bool {
	if !slices.Equal(got.Cleared, want.Cleared) {
		return false
	}
	if len(want.Cleared) == 0 && want.Reason != bounding.SizePath {
		return got.Reason != bounding.SizePath
	}
	return got.Reason == want.Reason && got.Before == want.Before && got.Pending == want.Pending && got.After == want.After &&
		got.Results == want.Results && got.Media == want.Media && got.SoftExceeded() == want.Soft
}
