package model

import (
	"context"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/retention"
	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// Subject is the reference model.
type Subject struct {
	storage storage
	saving  sync.Mutex
	log     strings.Builder

	mu       sync.Mutex
	results  []bounding.Result // what Data of a result counts up to
	limits   bounding.Limits
	pipeline *bounding.Pipeline
}

// New returns a model that nothing has used.
func New() *Subject {
	return &Subject{limits: bounding.Strict()}
}

// NewOn returns a model whose store is on another disk than it thinks: wrap is given what opens the directory, and returns
// what opens a directory that is wrong.
func NewOn(wrap func(open func(string) (spill.Dir, error)) func(string) (spill.Dir, error)) *Subject {
	s := New()
	s.storage.wrap = wrap
	return s
}

// Log returns the traces.
func (s *Subject) Log() string { return s.log.String() }

// under returns the pipeline of these limits.
func (s *Subject) under(l bounding.Limits) (*bounding.Pipeline, error) {
	if s.pipeline != nil && reflect.DeepEqual(s.limits, l) {
		return s.pipeline, nil
	}
	p, err := bounding.New(l, bounding.WithStore(saver{s}), bounding.WithSession(trace.Session), bounding.WithTracer(tracer{&s.log}))
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	s.limits, s.pipeline = l, p
	return p, nil
}

// Bound implements [subject.Bounder].
func (s *Subject) Bound(ctx context.Context, l bounding.Limits, out bounding.Output) (subject.Result, error) {
	p, err := s.under(l)
	if err != nil {
		return subject.Result{}, err
	}
	return s.export(p.Bound(ctx, out)), nil
}

// Tighten implements [subject.Tightener].
func (s *Subject) Tighten(ctx context.Context, l bounding.Limits, r subject.Result) (subject.Result, error) {
	p, err := s.under(l)
	if err != nil {
		return subject.Result{}, err
	}
	in, err := s.known(r)
	if err != nil {
		return subject.Result{}, err
	}
	return s.export(p.Tighten(ctx, in)), nil
}

// Batch implements [subject.Batcher].
func (s *Subject) Batch(ctx context.Context, l bounding.Limits, results []subject.Result) ([]subject.Result, error) {
	p, err := s.under(l)
	if err != nil {
		return nil, err
	}
	in := make([]bounding.Result, len(results))
	for i, r := range results {
		if in[i], err = s.known(r); err != nil {
			return nil, err
		}
	}
	out := make([]subject.Result, len(results))
	for i, r := range p.Batch(ctx, in...).Results() {
		out[i] = s.export(r)
	}
	return out, nil
}

// export shows a result as plain data, and remembers it for later passes.
func (s *Subject) export(r bounding.Result) subject.Result {
	s.mu.Lock()
	s.results = append(s.results, r)
	n := len(s.results)
	s.mu.Unlock()
	shown := subject.Result{
		Call: r.Call(), Text: r.Text(), Metadata: r.Metadata(), Failed: r.IsError(), Protected: r.Protected(),
		State: r.State(), Outcome: r.Outcome(), Data: binary.AppendUvarint(nil, uint64(n)),
	}
	if ref, ok := r.Artifact(); ok {
		shown.Locator, shown.SHA256, shown.Bytes = ref.Locator, ref.SHA256, ref.Bytes
	}
	for part := range r.Parts() {
		if part.Media != nil {
			shown.Media = append(shown.Media, *part.Media)
		}
	}
	return shown
}

// known returns the result that was shown.
func (s *Subject) known(r subject.Result) (bounding.Result, error) {
	n, size := binary.Uvarint(r.Data)
	s.mu.Lock()
	defer s.mu.Unlock()
	if size <= 0 || n == 0 || n > uint64(len(s.results)) {
		return bounding.Result{}, fmt.Errorf("model: the result of call %q has data %x, which are not from here", r.Call.ID, r.Data)
	}
	return s.results[n-1], nil
}

// Plan implements [subject.Planner].
func (s *Subject) Plan(slots []bounding.Slot, w bounding.Watermark, at bounding.Checkpoint) bounding.ClearPlan {
	return bounding.PlanClear(slots, w, at)
}

// Clear implements [subject.Clearer].
func (s *Subject) Clear(_ context.Context, l bounding.Limits, h subject.History, at bounding.Checkpoint) (subject.History, *subject.ClearReport, error) {
	cleared, r := bounding.Clear(h.Messages[:h.Committed], h.Messages[h.Committed:], bounding.View[subject.Message](view{&l}), l.Watermark, at)
	h.Messages = slices.Concat(cleared, h.Messages[h.Committed:])
	return h, shownReport(r), nil
}

func shownReport(r *bounding.Report) *subject.ClearReport {
	if r == nil {
		return nil
	}
	return &subject.ClearReport{
		Reason: r.Reason.String(), Before: r.Before, After: r.After, Pending: r.Pending, High: r.High, Low: r.Low,
		Cleared: r.Results, Kept: len(r.Kept), Media: r.Media, Soft: r.SoftExceeded(),
		Evicted: r.Evicted, Unresolved: r.Unresolved, DisarmAll: r.DisarmAll,
	}
}

// Diagnose implements [subject.Doctor].
func (s *Subject) Diagnose(_ context.Context, l bounding.Limits, h subject.History) (subject.Diagnosis, error) {
	entries := func(yield func(retention.Entry) bool) {
		for _, r := range h.All() {
			if !yield(retention.Entry{
				ID: r.Call.ID, Tool: r.Call.Tool, State: r.State, Failed: r.Failed,
				Body: body(l, r), Metadata: l.Unit.Count(r.Metadata), Media: len(r.Media),
			}) {
				return
			}
		}
	}
	report := retention.Diagnose(l, retention.Sources{History: entries})
	d := subject.Diagnosis{Results: report.Results, Total: report.Total, Counted: report.Counted, Media: report.MediaParts,
		Failed: report.Failed, Text: report.String()}
	for _, r := range report.Oversized {
		d.Oversized = append(d.Oversized, r.ID)
	}
	return d, nil
}
