package model

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/reference"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

// Reference implements [subject.Referencer].
func (s *Subject) Reference(ctx context.Context, req subject.ReferenceRequest) (subject.References, error) {
	limits := reference.DefaultLimits()
	limits.Bytes = req.Budget
	store, err := s.storage.under(req.Limits)
	if err != nil {
		return subject.References{}, err
	}
	window := func(context.Context) (int, error) { return req.Window, nil }
	p, err := reference.New(limits, source(req.Read), reference.WithStore(store), reference.WithWindow(window))
	if err != nil {
		return subject.References{}, err
	}
	c, err := p.Prepare(ctx, req.Session, req.Citations)
	if err != nil {
		return subject.References{}, err
	}
	for _, err := range c.SaveErrors {
		fmt.Fprintln(&s.log, err)
	}
	return export(c)
}

type source func(session string) (reference.Snapshot, error)

func (s source) Read(_ context.Context, session string) (reference.Snapshot, error) {
	return s(session)
}

// Replay implements [subject.Replayer].
func (s *Subject) Replay(_ context.Context, recorded []byte) (subject.References, error) {
	c, err := reference.Replay(recorded)
	if err != nil {
		return subject.References{}, err
	}
	return export(c)
}

// export takes the message apart: it holds an array of previews, and one of notices where something is omitted.
func export(c reference.Context) (subject.References, error) {
	refs := subject.References{Text: c.Text}
	if len(c.References) == 0 {
		return refs, nil
	}
	var err error
	if refs.Recorded, err = json.Marshal(c); err != nil {
		return refs, err
	}
	_, rest, _ := strings.Cut(c.Text, "<referenced-sessions>\n")
	shown, rest, _ := strings.Cut(rest, "\n</referenced-sessions>")
	var previews, notices []json.RawMessage
	if err := json.Unmarshal([]byte(shown), &previews); err != nil || len(previews) != len(c.References) {
		return refs, fmt.Errorf("model: %d previews of %d references: %w", len(previews), len(c.References), err)
	}
	if i := strings.LastIndex(rest, "\n["); i >= 0 {
		if err := json.Unmarshal([]byte(rest[i+1:]), &notices); err != nil {
			return refs, fmt.Errorf("model: notices: %w", err)
		}
	}
	for i, r := range c.References {
		item := subject.Reference{
			SessionID: r.SessionID, Label: r.Label, Preview: string(previews[i]),
			OriginalMessages: r.OriginalMessages, RetainedMessages: r.RetainedMessages,
			OmittedMessages: r.OmittedMessages, OmittedBytes: r.OmittedBytes, FormatVersion: r.CapturedFormatVersion,
		}
		if r.Truncated && len(notices) > 0 {
			item.Notice, notices = string(notices[0]), notices[1:]
		}
		if t := r.Transcript; t != nil {
			item.Saved = subject.Saved{Outcome: unavailable[t.Unavailable], Locator: t.Locator, Bytes: t.Bytes, SHA256: t.SHA256, Hint: t.RetrievalHint}
		}
		refs.Items = append(refs.Items, item)
	}
	return refs, nil
}

var unavailable = map[string]bounding.Outcome{
	"": bounding.Saved, reference.NotConfigured: bounding.NoStore, reference.SaveFailed: bounding.SaveFailed,
}
