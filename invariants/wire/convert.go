package wire

import (
	"fmt"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/reference"
	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

// convert returns fn of each element, and nil of nothing.
func convert[A, B any](as []A, fn func(A) B) []B {
	if len(as) == 0 {
		return nil
	}
	bs := make([]B, len(as))
	for i, a := range as {
		bs[i] = fn(a)
	}
	return bs
}

func plain(s string) Text      { return Text{S: s} }
func textString(t Text) string { return t.S }

// encoder writes texts as the program takes them.
type encoder struct{ recipes bool }

func (e encoder) text(s string) Text { return Text{s, e.recipes} }

func callToWire(c bounding.Call) Call {
	return Call{plain(c.ID), plain(c.Tool), convert(c.Files, plain)}
}

func (c Call) call() bounding.Call {
	return bounding.Call{ID: c.ID.S, Tool: c.Tool.S, Files: convert(c.Files, textString)}
}

// mediaToWire writes the values of media as text: in every scenario they are.
func mediaToWire(m bounding.Media) Media {
	value := ""
	if m.Value != nil {
		value = fmt.Sprint(m.Value)
	}
	return Media{plain(m.Type), plain(value), m.Cleared}
}

func (m Media) media() bounding.Media {
	medium := bounding.Media{Type: m.Type.S, Cleared: m.Cleared}
	if m.Value.S != "" {
		medium.Value = m.Value.S
	}
	return medium
}

func (e encoder) part(p bounding.Part) Part {
	switch {
	case p.Media != nil:
		m := mediaToWire(*p.Media)
		return Part{Media: &m}
	case p.Parts != nil:
		return Part{Parts: convert(p.Parts, e.part)}
	}
	t := e.text(p.Text)
	return Part{Text: &t}
}

func (p Part) part() bounding.Part {
	var part bounding.Part
	if p.Text != nil {
		part.Text = p.Text.S
	}
	if p.Media != nil {
		m := p.Media.media()
		part.Media = &m
	}
	part.Parts = convert(p.Parts, Part.part)
	return part
}

func (e encoder) output(o bounding.Output) *Output {
	return &Output{Call: callToWire(o.Call), Status: o.Status, Text: e.text(o.Text), Parts: convert(o.Parts, e.part),
		Metadata: convert(o.Metadata, e.text), Bounded: o.Bounded, Protected: o.Protected}
}

func (o *Output) output() bounding.Output {
	return bounding.Output{Call: o.Call.call(), Status: o.Status, Text: o.Text.S, Parts: convert(o.Parts, Part.part),
		Metadata: convert(o.Metadata, textString), Bounded: o.Bounded, Protected: o.Protected}
}

func (e encoder) result(r subject.Result) Result {
	call := callToWire(r.Call)
	return Result{Call: &call, Text: e.text(r.Text), Metadata: e.text(r.Metadata), Media: convert(r.Media, mediaToWire),
		Failed: r.Failed, Protected: r.Protected, State: r.State, Outcome: r.Outcome, Locator: plain(r.Locator),
		SHA256: r.SHA256, Bytes: r.Bytes, Data: plain(string(r.Data))}
}

// result reads a result. What a program leaves out of its call is that of the one that was asked about.
func (r Result) result(asked bounding.Call) subject.Result {
	if r.Call != nil {
		asked = r.Call.call()
	}
	var data []byte
	if r.Data.S != "" {
		data = []byte(r.Data.S)
	}
	return subject.Result{Call: asked, Text: r.Text.S, Metadata: r.Metadata.S, Media: convert(r.Media, Media.media),
		Failed: r.Failed, Protected: r.Protected, State: r.State, Outcome: r.Outcome, Locator: r.Locator.S,
		SHA256: r.SHA256, Bytes: r.Bytes, Data: data}
}

func (e encoder) history(h subject.History) *History {
	w := &History{Messages: make([]Message, len(h.Messages)), Committed: h.Committed}
	for i, m := range h.Messages {
		w.Messages[i] = Message{Role: m.Role, Text: e.text(m.Text), Media: convert(m.Media, mediaToWire),
			Calls: convert(m.Calls, callToWire), Results: convert(m.Results, e.result)}
	}
	return w
}

// after reads a history in an answer. A program may leave out the calls of results that it did not change.
func (h *History) after(asked subject.History) subject.History {
	s := h.history()
	for i, m := range s.Messages {
		for j := range m.Results {
			if h.Messages[i].Results[j].Call == nil && i < len(asked.Messages) && j < len(asked.Messages[i].Results) {
				m.Results[j].Call = asked.Messages[i].Results[j].Call
			}
		}
	}
	return s
}

func (h *History) history() subject.History {
	s := subject.History{Messages: make([]subject.Message, len(h.Messages)), Committed: h.Committed}
	for i, m := range h.Messages {
		s.Messages[i] = subject.Message{Role: m.Role, Text: m.Text.S, Media: convert(m.Media, Media.media),
			Calls:   convert(m.Calls, Call.call),
			Results: convert(m.Results, func(r Result) subject.Result { return r.result(bounding.Call{}) })}
	}
	return s
}

func (e encoder) save(r spill.Request) *Save {
	s := &Save{Owner: plain(r.Owner), Name: plain(r.SuggestedName), Text: e.text(r.Content)}
	if tool, ok := r.Source.(spill.Tool); ok {
		s.CallID, s.Tool = plain(tool.CallID), plain(tool.Name)
	}
	return s
}

func (s *Save) request() spill.Request {
	return spill.Request{Owner: s.Owner.S, Source: spill.Tool{Name: s.Tool.S, CallID: s.CallID.S}, SuggestedName: s.Name.S, Content: s.Text.S}
}

func savedToWire(s subject.Saved) *Saved {
	return &Saved{s.Outcome, plain(s.Locator), s.Bytes, s.SHA256, plain(s.Hint)}
}

func (s *Saved) saved() subject.Saved {
	if s == nil {
		return subject.Saved{}
	}
	return subject.Saved{Outcome: s.Outcome, Locator: s.Locator.S, Bytes: s.Bytes, SHA256: s.SHA256, Hint: s.Hint.S}
}

var kindNames = map[reference.Kind]string{
	reference.User: "user", reference.Assistant: "assistant", reference.Checkpoint: "checkpoint", reference.Other: "other",
}

func kindOf(name string) reference.Kind {
	for kind, known := range kindNames {
		if known == name {
			return kind
		}
	}
	return reference.Other
}

// reference writes a request with all that can be read. A session that cannot be read is left out.
func (e encoder) reference(r subject.ReferenceRequest) *Reference {
	w := &Reference{Session: plain(r.Session), Budget: r.Budget, Window: r.Window,
		Citations: convert(r.Citations, func(c reference.Citation) Citation { return Citation{plain(c.SessionID), plain(c.Label)} })}
	seen := map[string]bool{}
	for _, c := range r.Citations {
		if seen[c.SessionID] {
			continue
		}
		seen[c.SessionID] = true
		s, err := r.Peek(c.SessionID)
		if err != nil {
			continue
		}
		session := Session{ID: plain(c.SessionID), CWD: plain(s.CWD), ThroughSeq: s.ThroughSeq, FormatVersion: s.FormatVersion}
		for _, event := range s.Events {
			session.Events = append(session.Events, Event{kindNames[event.Kind],
				convert(event.Parts, func(p reference.Part) Text { return e.text(p.Text) })})
		}
		w.Sessions = append(w.Sessions, session)
	}
	return w
}

// request reads a request, and counts in reads how often each session is read.
func (r *Reference) request(reads map[string]int) subject.ReferenceRequest {
	read := func(id string) (reference.Snapshot, error) {
		for _, s := range r.Sessions {
			if s.ID.S != id {
				continue
			}
			snapshot := reference.Snapshot{CWD: s.CWD.S, ThroughSeq: s.ThroughSeq, FormatVersion: s.FormatVersion}
			for _, event := range s.Events {
				snapshot.Events = append(snapshot.Events, reference.Event{Kind: kindOf(event.Kind),
					Parts: reference.TextParts(convert(event.Parts, textString)...)})
			}
			return snapshot, nil
		}
		return reference.Snapshot{}, fmt.Errorf("no session %q", id)
	}
	return subject.ReferenceRequest{Session: r.Session.S, Budget: r.Budget, Window: r.Window,
		Citations: convert(r.Citations, func(c Citation) reference.Citation {
			return reference.Citation{SessionID: c.Session.S, Label: c.Label.S}
		}),
		Peek: read,
		Read: func(id string) (reference.Snapshot, error) {
			reads[id]++
			return read(id)
		}}
}

func (e encoder) references(r subject.References) *References {
	return &References{Text: e.text(r.Text), Recorded: e.text(string(r.Recorded)),
		Items: convert(r.Items, func(i subject.Reference) Shown {
			return Shown{plain(i.SessionID), plain(i.Label), e.text(i.Preview), e.text(i.Notice), i.OriginalMessages,
				i.RetainedMessages, i.OmittedMessages, i.OmittedBytes, i.FormatVersion, savedToWire(i.Saved)}
		})}
}

func (r *References) references() subject.References {
	return subject.References{Text: r.Text.S, Recorded: []byte(r.Recorded.S),
		Items: convert(r.Items, func(s Shown) subject.Reference {
			return subject.Reference{SessionID: s.Session.S, Label: s.Label.S, Preview: s.Preview.S, Notice: s.Notice.S,
				OriginalMessages: s.Original, RetainedMessages: s.Retained, OmittedMessages: s.Omitted,
				OmittedBytes: s.OmittedBytes, FormatVersion: s.FormatVersion, Saved: s.Saved.saved()}
		})}
}
