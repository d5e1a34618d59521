package bounding

import (
	"errors"
	"fmt"
	"iter"
	"slices"
)

// Role says who an entry of a history is from.
type Role uint8

const (
	UserRole  Role = iota
	ModelRole      // text, and the calls that the model wants made
	ToolRole       // one result
)

var roleNames = names("role", "user", "model", "tool")

func (r Role) String() string { return roleNames.of(int(r)) }

// MarshalText writes the name of the value.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (r *Role) UnmarshalText(name []byte) error {
	i, err := roleNames.parse(name)
	*r = Role(i)
	return err
}

// Entry is one entry of a history. Entries are values: changing one changes nothing.
type Entry struct {
	Role   Role
	Text   string  // of the user and the model
	Media  []Media // of the user
	Calls  []Call  // of the model
	Result Result  // of a tool
}

// History is a conversation. Tool results enter it only as a [Message], which only [Pipeline.Batch] makes, so what is in a
// history has passed every bound; each result follows its call, and each call gets one.
//
// A history comes from [Pipeline.NewHistory]; the zero value takes no results. What was added since [History.Commit] is pending: it is about to be sent. A history must not be used by two goroutines
// at once.
//
// spec: OFF-1, WMK-3
type History struct {
	by      *Pipeline
	entries []Entry
	tracker Tracker
	owner   []slotOwner // of each slot of the tracker
	open    []Call      // calls without a result
	last    *Report     // what was reported last
}

type slotOwner struct{ entry, media int }

// NewHistory returns an empty history for the results of this pipeline.
func (p *Pipeline) NewHistory() *History {
	return &History{by: p, tracker: *NewTracker(p.limits.Watermark)}
}

// ErrUnpaired says that calls and results of a history would not match.
var ErrUnpaired = errors.New("calls and results do not match")

// User adds what the user says.
func (h *History) User(text string, media ...Media) error {
	if err := h.settled("the user speaks"); err != nil {
		return err
	}
	h.entries = append(h.entries, Entry{Role: UserRole, Text: text, Media: slices.Clone(media)})
	for i := range media {
		h.track(Slot{Kind: MediaSlot, Media: 1}, slotOwner{len(h.entries) - 1, i})
	}
	return nil
}

// Model adds what the model says, and the calls it wants made. Where calls share an id, as they do with models that give
// none, their results answer them in order.
func (h *History) Model(text string, calls ...Call) error {
	if err := h.settled("the model speaks"); err != nil {
		return err
	}
	h.entries = append(h.entries, Entry{Role: ModelRole, Text: text, Calls: ownCalls(calls)})
	h.open = ownCalls(calls)
	return nil
}

func (h *History) settled(what string) error {
	if len(h.open) > 0 {
		return fmt.Errorf("bounding: %s while %d calls have no result, the first is %q: %w",
			what, len(h.open), h.open[0].ID, ErrUnpaired)
	}
	return nil
}

// Append adds the results of one message. They must answer every call of the model's last turn, each once, in any order;
// a call that was given up is answered by an output with [Cancelled].
func (h *History) Append(m Message) error {
	if m.by != h.by && len(m.results) > 0 {
		return errors.New("bounding: the results are within the limits of another pipeline: " +
			"call Batch of the one that made the history")
	}
	if len(m.results) != len(h.open) {
		return fmt.Errorf("bounding: %d results for %d calls: %w", len(m.results), len(h.open), ErrUnpaired)
	}
	open := slices.Clone(h.open)
	for _, r := range m.results {
		if r.state == Raw {
			return fmt.Errorf("bounding: a result for call %q that went through no pipeline", r.call.ID)
		}
		i := slices.IndexFunc(open, func(c Call) bool { return c.ID == r.call.ID })
		if i < 0 {
			return fmt.Errorf("bounding: a result for call %q, which is not open: %w", r.call.ID, ErrUnpaired)
		}
		open = slices.Delete(open, i, i+1)
	}
	for _, r := range m.results {
		h.entries = append(h.entries, Entry{Role: ToolRole, Result: r})
		h.track(h.slot(&r), slotOwner{len(h.entries) - 1, 0})
	}
	h.open = nil
	return nil
}

// slot is what the tracker has to know about a result.
func (h *History) slot(r *Result) Slot {
	s := Slot{
		Kind: ResultSlot, Units: r.body.units, Media: len(r.media), Placeholder: h.by.limits.Unit.Count(h.placeholder(r)),
		Failed: r.IsError(), Cleared: r.state == Cleared, Protected: r.protected,
	}
	if h.by.limits.Tool(r.call.Tool).Fixed {
		if s.Kind = OtherSlot; s.Media > 0 {
			s.Kind = NestedMediaSlot
		}
	}
	return s
}

func (h *History) placeholder(r *Result) string {
	if r.body.outcome != Saved || h.by.limits.Watermark.ForgetLocator {
		return ClearedText
	}
	return Placeholder(r.body.ref.Locator)
}

func (h *History) track(s Slot, owner slotOwner) {
	h.tracker.Add(s)
	h.owner = append(h.owner, owner)
}

// Commit says that everything in the history was sent to the model.
func (h *History) Commit() { h.tracker.Commit() }

// Len is the number of entries. Clearing does not change it.
func (h *History) Len() int { return len(h.entries) }

// Entries yields the entries with their positions.
func (h *History) Entries() iter.Seq2[int, Entry] {
	return func(yield func(int, Entry) bool) {
		for i, e := range h.entries {
			e.Media, e.Calls = slices.Clone(e.Media), ownCalls(e.Calls)
			if !yield(i, e) {
				return
			}
		}
	}
}

// Results yields the tool results in order.
func (h *History) Results() iter.Seq[Result] {
	return func(yield func(Result) bool) {
		for i := range h.entries {
			if h.entries[i].Role == ToolRole && !yield(h.entries[i].Result) {
				return
			}
		}
	}
}

// Open returns the calls that have no result yet.
func (h *History) Open() []Call { return ownCalls(h.open) }

// Total is what the size trigger compares with the high watermark: the text of results that may be cleared, committed and
// pending.
//
// spec: WMK-1, DIA-1
func (h *History) Total() int { return h.tracker.Total() }
