package bounding

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"strings"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// Pipeline takes tool outputs to what may enter a history. It may be used by several goroutines at once, as parallel tool
// calls do.
type Pipeline struct {
	limits  Limits
	session string
	stores  []spill.Store // primary first
	quota   *spill.Quota
	tracer  Tracer
}

// Option sets up a pipeline.
type Option func(*Pipeline)

// WithStore names the stores for what is removed from the history, the one to try first first.
//
// spec: OFF-10
func WithStore(stores ...spill.Store) Option {
	return func(p *Pipeline) { p.stores = append(p.stores, stores...) }
}

// WithSession names the session whose artifacts the pipeline stores. Without it, that is the session "".
func WithSession(id string) Option { return func(p *Pipeline) { p.session = id } }

// WithQuota shares a count of stored bytes with other pipelines, such as those of sub-agents. Without it, a pipeline counts
// for itself, up to [Limits].SessionBytes.
func WithQuota(q *spill.Quota) Option { return func(p *Pipeline) { p.quota = q } }

// WithTracer names who is told what happens.
func WithTracer(t Tracer) Option { return func(p *Pipeline) { p.tracer = t } }

// New returns a pipeline with these limits. The error is a [*LimitsError] with every bad field, or says which option is
// missing its value.
//
// spec: OFF-11
func New(l Limits, options ...Option) (*Pipeline, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	l.Tools, l.Aliases = maps.Clone(l.Tools), maps.Clone(l.Aliases)
	p := &Pipeline{limits: l}
	for _, option := range options {
		if option == nil {
			return nil, errors.New("bounding: New was given a nil option: leave it out")
		}
		option(p)
	}
	for _, store := range p.stores {
		if v := reflect.ValueOf(store); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
			return nil, errors.New("bounding: WithStore was given a nil store: leave it out to work without one")
		}
	}
	if p.quota == nil {
		p.quota = spill.NewQuota(l.SessionBytes)
	}
	return p, nil
}

// given is ctx, or one that never ends.
func given(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

// Limits returns a copy of the limits.
func (p *Pipeline) Limits() Limits {
	l := p.limits
	l.Tools, l.Aliases = maps.Clone(l.Tools), maps.Clone(l.Aliases)
	return l
}

// Text bounds one output and returns the text for the model. It is Bound for an agent that keeps its own message types,
// with one result in a message:
//
//	anthropic.NewToolResultBlock(id, p.Text(ctx, bounding.Call{ID: id, Tool: name}, output), false)
//
// It never fails and never blocks longer than the store does.
func (p *Pipeline) Text(ctx context.Context, call Call, output string) string {
	r := p.Bound(ctx, Output{Call: call, Text: output})
	return r.Text()
}

// Bound takes one output through the gate, the budget of its tool, and the bound of its metadata. What it removes goes to
// the store first. Whatever the output is, the result is within [Limits.Entry], and it is an error if and only if the
// output was.
//
// Text that is within all bounds and valid UTF-8 is returned as it is, without a copy; a byte that is no UTF-8 is shown as
// U+FFFD. Nothing in the text makes a difference but its length and its lines.
//
// spec: OFF-1, OFF-2, OFF-3, OFF-4, OFF-6, OFF-7, OFF-9, OFF-10
func (p *Pipeline) Bound(ctx context.Context, out Output) Result {
	r := p.newResult(&out)
	r.fill(out.Text, out.flatten())
	if len(out.Metadata) > 0 {
		r.meta = fresh(r.unit, strings.Join(out.Metadata, metadataBreak))
	}
	p.pass(ctx, &r)
	return r
}

// fill puts a text, or parts in its place, into a result.
func (r *Result) fill(raw string, flat []Part) {
	if r.parts = flat; flat != nil {
		raw, r.media = split(flat)
	}
	r.body = fresh(r.unit, raw)
}

// newResult is the result of an output before any of its text.
func (p *Pipeline) newResult(out *Output) Result {
	return Result{
		by: p, call: out.Call.own(), status: out.Status, protected: out.Protected, bounded: out.Bounded, unit: p.limits.Unit,
	}
}
