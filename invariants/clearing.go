package invariants

import (
	"iter"
	"strings"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/oracle"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// place is where a slot is: a result of a message, or a medium of a user.
type place struct {
	message, index int
	medium         bool
}

// clearing is one checkpoint of a trace, recounted. What was cleared before is known from the earlier checkpoints, not from
// what the subject says or from how a text looks.
type clearing struct {
	*trace.Event
	slots   []bounding.Slot
	places  []place
	changed []int       // slots that the checkpoint changed
	want    oracle.Plan // what the requirements ask for
	onSize  bool        // the occasion leaves the decision to the size path
}

// clearings yields the checkpoints at which the subject did what it was asked, under limits that are strict about clearing.
func clearings(t *trace.Trace) iter.Seq[clearing] {
	return func(yield func(clearing) bool) {
		gone := map[place]bool{}
		for i := range t.Events {
			e := &t.Events[i]
			if e.Op != scenario.Checkpoint || e.Skipped || e.Err != nil || e.Broken != nil {
				continue
			}
			c := clearing{Event: e}
			c.slots, c.places = slotsOf(e.Limits, e.Before, gone)
			for j, p := range c.places {
				if differs(e.Before, e.After, p) {
					c.changed = append(c.changed, j)
					gone[p] = true
				}
			}
			w := e.Limits.Watermark
			if w.ForgetLocator || w.ClearSmall || w.IdleIsFinal || w.FailedMediaKept {
				continue
			}
			c.want = oracle.Clear(c.slots, w, e.At)
			c.onSize = e.At.Trigger != bounding.OnDemand && (len(c.want.Cleared) == 0 || c.want.Reason == bounding.SizePath)
			if !yield(c) {
				return
			}
		}
	}
}

// slotsOf shows a history as the numbers that clearing is about.
func slotsOf(l bounding.Limits, h subject.History, gone map[place]bool) ([]bounding.Slot, []place) {
	var slots []bounding.Slot
	var places []place
	for m, message := range h.Messages {
		pending := m >= h.Committed
		for i := range message.Media {
			p := place{m, i, true}
			s := bounding.Slot{Kind: bounding.MediaSlot, Media: 1, Pending: pending}
			if gone[p] {
				s = bounding.Slot{Kind: bounding.OtherSlot, Pending: pending}
			}
			slots, places = append(slots, s), append(places, p)
		}
		for i, r := range message.Results {
			p := place{m, i, false}
			s := bounding.Slot{
				Units: l.Unit.Count(bodyWithout(r)), Media: len(r.Media), Placeholder: l.Unit.Count(bounding.Placeholder(r.Locator)),
				Failed: r.Failed, Cleared: gone[p], Protected: r.Protected, Pending: pending,
			}
			if l.Tool(r.Call.Tool).Fixed {
				s.Kind, s.Cleared = bounding.NestedMediaSlot, false
			}
			slots, places = append(slots, s), append(places, p)
		}
	}
	return slots, places
}

// bodyWithout is the text of a result without its metadata, as far as the subject tells which that is.
func bodyWithout(r subject.Result) string {
	if r.Metadata == "" {
		return r.Text
	}
	return strings.TrimSuffix(strings.TrimSuffix(r.Text, r.Metadata), "\n\n")
}

// differs reports whether what is at a place was changed or is gone.
func differs(before, after subject.History, p place) bool {
	if p.message >= len(after.Messages) {
		return true
	}
	b, a := before.Messages[p.message], after.Messages[p.message]
	if p.medium {
		return p.index >= len(a.Media) || !sameMedium(a.Media[p.index], b.Media[p.index])
	}
	if p.index >= len(a.Results) {
		return true
	}
	was, is := b.Results[p.index], a.Results[p.index]
	return was.Text != is.Text || len(was.Media) != len(is.Media) || was.State != is.State
}

// sameMedium compares two media. Their values are strings in every scenario.
func sameMedium(a, b bounding.Media) bool {
	was, _ := a.Value.(string)
	is, _ := b.Value.(string)
	return a.Type == b.Type && a.Cleared == b.Cleared && was == is
}

// fired reports whether the checkpoint changed a result or a medium.
func (c clearing) fired() bool { return len(c.changed) > 0 }

// counted is what a slot adds to the total.
func counted(s bounding.Slot) int {
	if s.Kind != bounding.ResultSlot || s.Failed || s.Cleared {
		return 0
	}
	return s.Units
}

// total is the counted text before the checkpoint, pending included.
func (c clearing) total() int {
	n := 0
	for _, s := range c.slots {
		n += counted(s)
	}
	return n
}

// remaining is the counted text after the checkpoint, pending included.
func (c clearing) remaining() int {
	n := c.total()
	for _, i := range c.changed {
		n -= counted(c.slots[i])
	}
	return n
}

func (c clearing) low() int { return c.Limits.Watermark.Low() }

// candidates lists the slots that the size path may clear, oldest first: outside the keep window, with text that a
// placeholder makes shorter.
func (c clearing) candidates() []int {
	protected := c.protected(false)
	var list []int
	for i, s := range c.slots {
		if counted(s) > 0 && !s.Pending && !s.Protected && !protected[i] && (s.Units > s.Placeholder || s.Media > 0) {
			list = append(list, i)
		}
	}
	return list
}

// protected is the keep window: the newest K committed slots of each kind that could be cleared, K at least 1.
func (c clearing) protected(idle bool) map[int]bool {
	room := map[bounding.Kind]int{}
	window := map[int]bool{}
	for i := len(c.slots) - 1; i >= 0; i-- {
		s := c.slots[i]
		if s.Pending || s.Protected || s.Failed || s.Cleared {
			continue
		}
		if counted(s) > 0 || idle && s.Media > 0 {
			if room[s.Kind]++; room[s.Kind] <= max(c.Limits.Watermark.Keep, 1) {
				window[i] = true
			}
		}
	}
	return window
}

// name says which result or medium a slot is.
func (c clearing) name(slot int) string {
	p := c.places[slot]
	if p.medium {
		return "a medium of message " + itoa(p.message)
	}
	return "result " + itoa(p.index) + " of message " + itoa(p.message)
}
