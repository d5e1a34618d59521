package bounding

import "slices"

// Tracker is the form of [PlanClear] for a long session. It sees every slot once: a checkpoint between clearings looks only
// at totals, allocates nothing and takes the same time whatever came before; a clearing looks at what it clears, at the
// keep windows, and at nothing else. It agrees with PlanClear on every history in which pending results come last.
//
// A Tracker must not be used by two goroutines at once.
//
// spec: WMK-9
type Tracker struct {
	w         Watermark
	slots     []Slot
	committed int // slots[:committed] were sent
	total     int // counted units, pending included
	pending   int // the pending part of it
	protected int // committed units that their owner protects
	small     int // committed units that a placeholder would make longer
	media     int // committed media parts

	text     queue // results with text
	pictures queue // results without text that carry media, and errors that take a slot for their media
	nested   queue
	loose    queue
}

// NewTracker returns the tracker of an empty history.
func NewTracker(w Watermark) *Tracker { return &Tracker{w: w} }

// Len is the number of slots that were added.
func (t *Tracker) Len() int { return len(t.slots) }

// Slot returns what the tracker knows about slot i, which must be at least 0 and below Len: it is an index.
func (t *Tracker) Slot(i int) Slot { return t.slots[i] }

// Total is what the size trigger compares with the high watermark.
func (t *Tracker) Total() int { return t.total }

// Add appends a slot that was not sent yet, whatever s.Pending says, and returns its index.
func (t *Tracker) Add(s Slot) int {
	s.Pending = true
	t.slots = append(t.slots, s)
	t.total += s.counted()
	t.pending += s.counted()
	return len(t.slots) - 1
}

// Commit says that everything added so far was sent to the model.
func (t *Tracker) Commit() {
	t.pending = 0
	for ; t.committed < len(t.slots); t.committed++ {
		s := &t.slots[t.committed]
		s.Pending = false
		t.media += s.media()
		switch {
		case s.Protected:
			t.protected += s.counted()
		case s.windowCandidate(t.w):
			if !s.clearable(t.w) {
				t.small += s.counted()
			}
			t.queue(*s).push(t.committed)
		}
	}
}

// queue returns where a candidate waits for its clearing.
func (t *Tracker) queue(s Slot) *queue {
	switch {
	case s.Kind == NestedMediaSlot:
		return &t.nested
	case s.Kind == MediaSlot:
		return &t.loose
	case s.counted() > 0:
		return &t.text
	}
	return &t.pictures
}

// Checkpoint decides like PlanClear and takes the slots of the plan as cleared.
func (t *Tracker) Checkpoint(at Checkpoint) ClearPlan {
	plan := t.plan(at)
	for _, i := range plan.Cleared {
		s := &t.slots[i]
		t.total -= s.counted()
		t.media -= s.media()
		if s.Kind == ResultSlot {
			s.Cleared = true
			s.Units = s.Placeholder
		}
		s.Media = 0
	}
	return plan
}

func (t *Tracker) plan(at Checkpoint) ClearPlan {
	if at.Trigger == OnDemand {
		return t.windows(ForcedPath)
	}
	if t.w.idle(at) {
		if plan := t.windows(idleReason(at)); len(plan.Cleared) > 0 {
			return plan
		}
		if t.w.IdleIsFinal {
			return ClearPlan{}
		}
	}
	if t.w.High < 0 || t.total <= t.w.High {
		return ClearPlan{}
	}
	return t.size()
}

func (t *Tracker) start(why Reason) ClearPlan {
	return ClearPlan{
		Reason: why, High: t.w.High, Low: t.w.Low(),
		Before: t.total, Pending: t.pending,
		ProtectedUnits: t.protected, SmallUnits: t.small, MediaBefore: t.media,
	}
}

func (t *Tracker) size() ClearPlan {
	plan := t.start(SizePath)
	remaining := plan.Before
	t.text.drain(t.text.liveBeyond(t.w.keep()), func(i int) verdict {
		switch {
		case remaining <= plan.Low:
			return stop
		case !t.slots[i].clearable(t.w):
			return pass
		}
		remaining -= t.slots[i].counted()
		plan.clear(i, t.slots[i])
		return take
	})
	kept := t.text.newest(t.w.keep())
	t.keep(&plan, kept)
	plan.After = remaining - plan.Pending
	return plan
}

func (t *Tracker) windows(why Reason) ClearPlan {
	plan := t.start(why)
	keep := t.w.keep()
	text, pictures := t.text.newest(keep), t.pictures.newest(keep)
	results := merge(text, pictures)
	results = results[max(0, len(results)-keep):]
	texts := 0
	for _, i := range results {
		if _, ok := slices.BinarySearch(text, i); ok {
			texts++
		}
	}

	remaining := plan.Before
	var cleared [4][]int
	for n, q := range []struct {
		*queue
		keep int
	}{{&t.text, texts}, {&t.pictures, len(results) - texts}, {&t.nested, keep}, {&t.loose, keep}} {
		q.drain(q.liveBeyond(q.keep), func(i int) verdict {
			if !t.slots[i].clearable(t.w) {
				return pass
			}
			remaining -= t.slots[i].counted()
			cleared[n] = append(cleared[n], i)
			return take
		})
	}
	for _, i := range merge(merge(cleared[0], cleared[1]), merge(cleared[2], cleared[3])) {
		plan.clear(i, t.slots[i])
	}
	t.keep(&plan, results)
	t.keep(&plan, t.nested.newest(keep))
	t.keep(&plan, t.loose.newest(keep))
	plan.After = remaining - plan.Pending
	return plan
}

// keep records a keep window, which leaves the small results outside it as such.
func (t *Tracker) keep(plan *ClearPlan, window []int) {
	for _, i := range window {
		s := t.slots[i]
		plan.keep(i, s)
		if !s.clearable(t.w) {
			plan.SmallUnits -= s.counted()
		}
	}
}

// queue holds the candidates of one kind that are still in the history, oldest first. Those that can never be cleared are
// moved to passed once a clearing has gone past them, so that no later one looks at them again; they are older than all
// that is live, and fill a keep window when there is nothing younger.
type queue struct {
	passed []int
	live   []int
	head   int // live[:head] is gone
}

type verdict uint8

const (
	stop verdict = iota // leave this candidate and all later ones
	pass                // leave it for ever
	take                // it is cleared
)

// push appends a candidate, and first takes the room of what is gone once that is half of the list or more.
func (q *queue) push(i int) {
	if q.head > len(q.live)/2 {
		q.live = append(q.live[:0], q.live[q.head:]...)
		q.head = 0
	}
	q.live = append(q.live, i)
}

// liveBeyond is the number of live candidates that are older than the newest keep.
func (q *queue) liveBeyond(keep int) int { return max(0, len(q.live)-q.head-keep) }

// drain offers the oldest n candidates.
func (q *queue) drain(n int, decide func(i int) verdict) {
	for range n {
		i := q.live[q.head]
		switch decide(i) {
		case stop:
			return
		case pass:
			q.passed = append(q.passed, i)
		}
		q.head++
	}
}

// newest returns the newest k candidates, oldest first.
func (q *queue) newest(k int) []int {
	live := q.live[max(q.head, len(q.live)-k):]
	if missing := min(k-len(live), len(q.passed)); missing > 0 {
		return slices.Concat(q.passed[len(q.passed)-missing:], live)
	}
	return slices.Clone(live)
}

// merge joins two sorted lists of different numbers into one.
func merge(a, b []int) []int {
	if len(b) == 0 {
		return a
	}
	if len(a) == 0 {
		return b
	}
	joined := make([]int, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0] < b[0] {
			joined, a = append(joined, a[0]), a[1:]
		} else {
			joined, b = append(joined, b[0]), b[1:]
		}
	}
	return append(append(joined, a...), b...)
}
