package trace

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/boundcheck/boundcheck/bounding/reference"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

// maxPages ends the reading of an artifact whose pages make no progress.
const maxPages = 100_000

func (r *runner) read(s scenario.Step, e *Event) { r.pages(s, e, false) }
func (r *runner) page(s scenario.Step, e *Event) { r.pages(s, e, true) }

// pages reads one page of the artifact of a text, or all pages.
func (r *runner) pages(s scenario.Step, e *Event, all bool) {
	if s.Of < 0 || s.Of >= len(r.trace.Made) || r.trace.Made[s.Of].Locator == "" {
		e.Skipped = true
		return
	}
	if s.Session != "" && !r.trace.Caps.Has(subject.CapReader) {
		e.Skipped = true
		return
	}
	e.Of = []int{s.Of}
	locator := r.trace.Made[s.Of].Locator
	offset := s.Offset
	for {
		page, ok := ask(r, e, func(ctx context.Context) (subject.Page, error) {
			if s.Session != "" {
				return r.subject.(subject.Reader).OpenAs(ctx, s.Session, locator, offset, s.Limit)
			}
			return r.subject.(subject.Spiller).Open(ctx, locator, offset, s.Limit)
		})
		if !ok {
			return
		}
		e.Pages = append(e.Pages, Paged{offset, s.Limit, page})
		if !all || page.Expired || page.Next >= page.Total || page.Next <= offset || len(e.Pages) >= maxPages {
			return
		}
		offset = page.Next
	}
}

func (r *runner) reference(s scenario.Step, e *Event) {
	session := s.Session
	if session == "" {
		session = Session
	}
	reads := &counter{counts: map[string]int{}}
	req := subject.ReferenceRequest{Session: session, Limits: r.limits, Budget: s.Budget}
	for _, source := range s.Sources {
		req.Citations = append(req.Citations, reference.Citation{SessionID: source.Session, Label: source.Label})
	}
	peek := func(id string) (reference.Snapshot, error) {
		for _, source := range s.Sources {
			if source.Session == id {
				return Snapshot(source), nil
			}
		}
		return reference.Snapshot{}, fmt.Errorf("no session %q", id)
	}
	req.Peek = peek
	req.Read = func(id string) (reference.Snapshot, error) {
		reads.add(id)
		return peek(id)
	}
	e.Request = req
	refs, ok := ask(r, e, func(ctx context.Context) (subject.References, error) {
		return r.subject.(subject.Referencer).Reference(ctx, req)
	})
	e.Reads = reads.taken()
	r.stored(e)
	if ok {
		e.References = refs
		r.recorded = slices.Clone(refs.Recorded)
		r.transcripts(e)
	}
}

// transcripts reads back what was stored for references.
func (r *runner) transcripts(e *Event) {
	store, ok := r.subject.(subject.Spiller)
	if !ok || !r.trace.Caps.Has(subject.CapSpill) {
		return
	}
	e.Transcripts = map[string]string{}
	for _, item := range e.References.Items {
		locator := item.Saved.Locator
		if locator == "" {
			continue
		}
		var content []byte
		for range maxPages {
			var reading Event
			page, ok := ask(r, &reading, func(ctx context.Context) (subject.Page, error) {
				return store.Open(context.WithoutCancel(ctx), locator, int64(len(content)), 0)
			})
			content = append(content, page.Data...)
			if ok && page.Next >= page.Total {
				e.Transcripts[locator] = string(content)
			}
			if !ok || len(page.Data) == 0 || page.Next >= page.Total {
				break
			}
		}
	}
}

func (r *runner) replay(_ scenario.Step, e *Event) {
	if r.recorded == nil {
		e.Skipped = true
		return
	}
	e.References, _ = ask(r, e, func(ctx context.Context) (subject.References, error) {
		return r.subject.(subject.Replayer).Replay(ctx, slices.Clone(r.recorded))
	})
	r.stored(e)
}

// counter counts for a subject that may go on counting after it was given up.
type counter struct {
	mu     sync.Mutex
	counts map[string]int
}

func (c *counter) add(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts[key]++
}

// taken returns what was counted so far.
func (c *counter) taken() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.counts)
}

var kinds = map[string]reference.Kind{
	"user": reference.User, "assistant": reference.Assistant, "checkpoint": reference.Checkpoint, "other": reference.Other,
}

// Snapshot is what is current in a session that a scenario cites.
func Snapshot(s scenario.Source) reference.Snapshot {
	through := int64(len(s.Events))
	snapshot := reference.Snapshot{CWD: "/src", ThroughSeq: &through, FormatVersion: 1}
	for _, event := range s.Events {
		snapshot.Events = append(snapshot.Events, reference.Event{Kind: kinds[event.Kind], Parts: reference.TextParts(event.Text.String())})
	}
	return snapshot
}
