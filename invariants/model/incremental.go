package model

import (
	"context"
	"fmt"
	"slices"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

// Mirror is the reference model as an agent uses it for a long session: it keeps a history of its own, to which each
// message is added once, and clears that one.
type Mirror struct {
	*Subject
	history   *bounding.History
	pipeline  *bounding.Pipeline
	messages  []subject.Message // what the history holds, as it was shown last
	first     []int             // the entry with which each message begins
	committed int
}

// Incremental returns a [Mirror] that nothing has used. [New] clears a history that it is shown anew each time.
func Incremental() *Mirror { return &Mirror{Subject: New()} }

// Plan implements [subject.Planner], with a tracker to which one slot after the other is added.
func (m *Mirror) Plan(slots []bounding.Slot, w bounding.Watermark, at bounding.Checkpoint) bounding.ClearPlan {
	t := bounding.NewTracker(w)
	sent := slices.IndexFunc(slots, func(s bounding.Slot) bool { return s.Pending })
	if sent < 0 {
		sent = len(slots)
	}
	for _, s := range slots[:sent] {
		t.Add(s)
	}
	t.Commit()
	for _, s := range slots[sent:] {
		t.Add(s)
	}
	return t.Checkpoint(at)
}

// Clear implements [subject.Clearer]. A history that is not the one before with more messages behind it is mirrored anew.
func (m *Mirror) Clear(ctx context.Context, l bounding.Limits, h subject.History, at bounding.Checkpoint) (subject.History, *subject.ClearReport, error) {
	p, err := m.under(l)
	if err != nil { // the planners take every value, a pipeline does not
		m.pipeline = nil
		return m.Subject.Clear(ctx, l, h, at)
	}
	if p != m.pipeline || !m.extends(h) {
		m.history, m.pipeline, m.messages, m.first, m.committed = p.NewHistory(), p, nil, nil, 0
	}
	same, err := m.grow(ctx, h)
	if err != nil {
		return h, nil, err
	}
	if !same { // what was bounded under other limits would be bounded again on its way in
		m.pipeline = nil
		return m.Subject.Clear(ctx, l, h, at)
	}
	r := p.Checkpoint(ctx, m.history, at)
	if r == nil || len(r.ClearPlan.Cleared) == 0 {
		return h, shownReport(r), nil
	}
	m.show()
	h.Messages = slices.Clone(m.messages)
	return h, shownReport(r), nil
}

func (m *Mirror) extends(h subject.History) bool {
	n := len(m.messages)
	return len(h.Messages) >= n && (h.Committed == m.committed || h.Committed >= n) &&
		slices.EqualFunc(m.messages, h.Messages[:n], subject.SameMessage)
}

// grow adds what is new, and reports whether the results are in the history as they were given.
func (m *Mirror) grow(ctx context.Context, h subject.History) (bool, error) {
	commit := func() {
		if h.Committed == len(m.messages) && m.committed != h.Committed {
			m.history.Commit()
			m.committed = h.Committed
		}
	}
	for _, message := range h.Messages[len(m.messages):] {
		commit()
		m.first = append(m.first, m.history.Len())
		m.messages = append(m.messages, message)
		same, err := m.add(ctx, message)
		if err != nil || !same {
			return same, err
		}
	}
	commit()
	return true, nil
}

func (m *Mirror) add(ctx context.Context, message subject.Message) (bool, error) {
	switch message.Role {
	case bounding.UserRole:
		return true, m.history.User(message.Text, message.Media...)
	case bounding.ModelRole:
		return true, m.history.Model(message.Text, message.Calls...)
	}
	results := make([]bounding.Result, len(message.Results))
	for i, r := range message.Results {
		var err error
		if results[i], err = m.known(r); err != nil {
			return false, err
		}
		if results[i].Text() != r.Text || results[i].State() != r.State {
			return false, nil
		}
	}
	bounded := m.pipeline.Batch(ctx, results...)
	for i, r := range bounded.Results() {
		if i >= len(message.Results) || r.Text() != message.Results[i].Text || r.State() != message.Results[i].State {
			return false, nil
		}
	}
	if err := m.history.Append(bounded); err != nil {
		return false, fmt.Errorf("model: mirror: %w", err)
	}
	return true, nil
}

// show brings the messages up to what the history holds.
func (m *Mirror) show() {
	entries := make([]bounding.Entry, 0, m.history.Len())
	for _, e := range m.history.Entries() {
		entries = append(entries, e)
	}
	m.messages = slices.Clone(m.messages)
	for i := range m.messages {
		shown := &m.messages[i]
		if shown.Role == bounding.UserRole {
			shown.Media = entries[m.first[i]].Media
		}
		shown.Results = slices.Clone(shown.Results)
		for j := range shown.Results {
			before, now := &shown.Results[j], entries[m.first[i]+j].Result
			if before.Text != now.Text() || before.State != now.State() || len(before.Media) != now.Media() {
				*before = m.export(now)
			}
		}
	}
}
