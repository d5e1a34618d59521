package machine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// model is what must be true of the session, as far as the inputs tell.
type model struct {
	limits    bounding.Limits
	valid     bool // the limits are: a subject may refuse others
	cancelled bool // the context of the next step
	lossy     bool // artifacts may be gone, or never have been there
	texts     []made
	messages  int
	results   int
	committed int // messages
	history   subject.History
	locators  map[string]int // what each stands for
}

// made is a text that was given to the subject.
type made struct {
	text    string
	plain   bool // nothing in it can be written in another way, and there is no more of the result
	locator string
}

func newModel(l bounding.Limits) model {
	return model{limits: l, valid: l.Validate() == nil, locators: map[string]int{}}
}

// step compares what came of a step with the model, and returns what is not so.
func (m *model) step(s scenario.Step, e trace.Event) string {
	cancelled := m.cancelled
	m.cancelled = s.Op == scenario.Cancel
	switch s.Op {
	case scenario.SetLimits:
		m.limits, m.valid = *s.Limits, s.Limits.Validate() == nil
	case scenario.Fault, scenario.Sweep, scenario.Plant:
		m.lossy = true
	case scenario.Crash:
		m.lossy = m.lossy || s.Survive < 100
	case scenario.Call, scenario.Save:
		m.texts = append(m.texts, m.given(s))
	}
	if e.Skipped {
		return ""
	}
	if e.Err != nil && (s.Op == scenario.Call || s.Op == scenario.Tighten || s.Op == scenario.Batch) && m.valid && !cancelled {
		return fmt.Sprintf("it returned an error, where a result is due whatever the store does: %.100v", e.Err)
	}
	switch s.Op {
	case scenario.Call, scenario.Tighten:
		return m.bounded(e)
	case scenario.Save:
		return m.saved(e)
	case scenario.Page:
		return m.paged(s, e, cancelled)
	case scenario.Batch, scenario.User, scenario.Commit, scenario.Checkpoint:
		return m.moved(s, e)
	}
	return ""
}

// given is the text of a call or a save.
func (m *model) given(s scenario.Step) made {
	plain := s.Op == scenario.Save || len(s.More) == 0 && len(s.Metadata) == 0 && s.Media == 0
	for _, p := range s.Payload {
		plain = plain && p.Unit == "x"
	}
	return made{text: s.Payload.String(), plain: plain}
}

// bounded judges a result after the first pass or a later one.
func (m *model) bounded(e trace.Event) string {
	if e.Err != nil {
		return ""
	}
	n, r := e.Of[0], e.Out[0]
	size := m.limits.Unit.Count(r.Text)
	if most := m.limits.Entry(m.limits.Tool(r.Call.Tool)); m.valid && most >= 0 && size > most {
		return fmt.Sprintf("the result has %d %v, and its bound is %d", size, m.limits.Unit, most)
	}
	for _, before := range e.In {
		if before.Call.ID != r.Call.ID {
			return fmt.Sprintf("the result of call %.20q came back as one of %.20q", before.Call.ID, r.Call.ID)
		}
		if was := m.limits.Unit.Count(before.Text); size > was {
			return fmt.Sprintf("a later pass made the result longer, from %d to %d", was, size)
		}
		if before.Locator != "" && r.Locator != before.Locator {
			return fmt.Sprintf("a later pass changed the locator from %.60q to %.60q", before.Locator, r.Locator)
		}
	}
	if t := m.texts[n]; t.plain && r.State == bounding.Kept && r.Text != t.text {
		return fmt.Sprintf("the result is said to be whole, and has %d of %d bytes", len(r.Text), len(t.text))
	}
	if t := m.texts[n]; t.plain && (r.State == bounding.Trimmed || r.State == bounding.Stubbed) && len(r.Text) >= len(t.text) {
		return fmt.Sprintf("cutting %d bytes made %d", len(t.text), len(r.Text))
	}
	return m.locate(r.Locator, n)
}

// locate notes what a locator stands for.
func (m *model) locate(locator string, n int) string {
	if locator == "" {
		return ""
	}
	if other, ok := m.locators[locator]; ok && other != n && !m.lossy {
		return fmt.Sprintf("the locator %.60q stands for text %d, and now for text %d, too", locator, other, n)
	}
	m.locators[locator] = n
	m.texts[n].locator = locator
	return ""
}

func (m *model) saved(e trace.Event) string {
	if e.Err != nil {
		return ""
	}
	n := e.Of[0]
	size, most := int64(len(m.texts[n].text)), m.limits.ArtifactBytes
	switch {
	case e.Saved.Outcome != bounding.Saved:
		return ""
	case e.Saved.Locator == "":
		return "the text was saved, and has no locator"
	case most >= 0 && size > most:
		return fmt.Sprintf("a text of %d bytes was saved, and an artifact may have %d", size, most)
	}
	return m.locate(e.Saved.Locator, n)
}

// paged judges the reading of a whole artifact by the session that owns it.
func (m *model) paged(s scenario.Step, e trace.Event, cancelled bool) string {
	if m.lossy || cancelled || s.Limit < 0 || s.Session != "" {
		return ""
	}
	if e.Err != nil {
		return fmt.Sprintf("the artifact of text %d cannot be read: %.100v", s.Of, e.Err)
	}
	var b strings.Builder
	for _, p := range e.Pages {
		if p.Expired {
			return fmt.Sprintf("the artifact of text %d has expired, and nothing was swept", s.Of)
		}
		b.Write(p.Data)
	}
	if t := m.texts[s.Of]; t.plain && b.String() != t.text {
		return fmt.Sprintf("the pages of text %d have %d bytes, and not the %d that were given", s.Of, b.Len(), len(t.text))
	}
	return ""
}

// moved judges a step that may change the history.
func (m *model) moved(s scenario.Step, e trace.Event) string {
	before := m.history
	m.history = e.After
	switch s.Op {
	case scenario.User:
		m.messages++
	case scenario.Commit:
		m.committed = m.messages
	case scenario.Batch:
		m.messages += 2
		m.results += len(e.Of)
		if problem := m.batch(e); problem != "" {
			return problem
		}
	case scenario.Checkpoint:
		if problem := m.cleared(e); problem != "" {
			return problem
		}
	}
	results := 0
	for range e.After.All() {
		results++
	}
	if len(e.After.Messages) != m.messages || results != m.results || e.After.Committed != m.committed {
		return fmt.Sprintf("the history has %d messages, %d sent, with %d results; there must be %d, %d and %d",
			len(e.After.Messages), e.After.Committed, results, m.messages, m.committed, m.results)
	}
	if s.Op != scenario.Checkpoint {
		for i, message := range before.Messages {
			if !subject.SameMessage(message, e.After.Messages[i]) {
				return fmt.Sprintf("message %d has changed without a checkpoint", i)
			}
		}
	}
	return ""
}

func (m *model) batch(e trace.Event) string {
	if e.Err != nil {
		return ""
	}
	if len(e.Out) != len(e.In) {
		return fmt.Sprintf("of %d results came back %d", len(e.In), len(e.Out))
	}
	total := 0
	for i, r := range e.Out {
		if r.Call.ID != e.In[i].Call.ID {
			return fmt.Sprintf("in the place of call %.20q is %.20q", e.In[i].Call.ID, r.Call.ID)
		}
		total += m.limits.Unit.Count(r.Text)
		if problem := m.locate(r.Locator, e.Of[i]); problem != "" {
			return problem
		}
	}
	if m.valid && m.limits.Batch >= 0 && total > m.limits.Batch {
		return fmt.Sprintf("the message has %d %v, and its bound is %d", total, m.limits.Unit, m.limits.Batch)
	}
	return ""
}

// cleared judges what a checkpoint left of the history.
func (m *model) cleared(e trace.Event) string {
	if e.Err != nil {
		return ""
	}
	if e.Mutated {
		return "the history that was given was changed"
	}
	if e.Report == nil {
		if !subject.SameHistory(e.Before, e.After) {
			return "the history has changed, and there is no report"
		}
		return ""
	}
	if w := m.limits.Watermark; e.Report.Reason == bounding.SizePath.String() {
		if e.Report.Before <= w.High || w.High < 0 {
			return fmt.Sprintf("cleared for its size at %d, and the watermark is %d", e.Report.Before, w.High)
		}
	}
	for i, was := range e.Before.Messages {
		if i >= len(e.After.Messages) {
			return fmt.Sprintf("message %d is gone", i)
		}
		is := e.After.Messages[i]
		if subject.SameMessage(was, is) {
			continue
		}
		if i >= e.Before.Committed {
			return fmt.Sprintf("message %d was changed before it was sent", i)
		}
		if was.Role != is.Role || was.Text != is.Text || len(was.Results) != len(is.Results) || len(was.Calls) != len(is.Calls) {
			return fmt.Sprintf("more than results has changed in message %d", i)
		}
		for j := range was.Results {
			if problem := m.aged(was.Results[j], is.Results[j]); problem != "" {
				return fmt.Sprintf("result %d of message %d %s", j, i, problem)
			}
		}
	}
	return ""
}

// aged judges what a checkpoint made of a result.
func (m *model) aged(was, is subject.Result) string {
	if subject.SameResult(was, is) {
		return ""
	}
	before, after := m.limits.Unit.Count(was.Text), m.limits.Unit.Count(is.Text)
	switch {
	case was.Call.ID != is.Call.ID:
		return "belongs to another call"
	case was.Protected && was.Text != is.Text:
		return "is protected, and was cleared"
	case was.Failed && was.Text != is.Text:
		return "is an error, and was cleared"
	case was.State == bounding.Cleared && is.State != bounding.Cleared:
		return "was cleared, and came back"
	case after > before && !m.limits.Watermark.ClearSmall && len(is.Media) == len(was.Media):
		return fmt.Sprintf("was made longer, from %d to %d", before, after)
	case slices.ContainsFunc(is.Media, func(medium bounding.Media) bool { return !slices.Contains(was.Media, medium) && !medium.Cleared }):
		return "has media that it had not"
	}
	return ""
}
