package trace

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

// Session is the session that scenarios run in, where a step names no other.
const Session = "session"

// Run runs a scenario against a subject that nothing has used before. Steps that the subject has no capability for are
// skipped. The run ends with the first step at which the subject breaks, or when the context ends.
//
// A step that takes longer than the timeout is a hang; 0 is [DefaultTimeout], and less than 0 waits for ever.
func Run(ctx context.Context, s subject.Bounder, sc scenario.Scenario, timeout time.Duration) *Trace {
	stepper := Begin(ctx, s, sc.Limits, timeout)
	stepper.r.trace.Events = make([]Event, 0, len(sc.Steps))
	for _, step := range sc.Steps {
		if ctx.Err() != nil {
			break
		}
		if e := stepper.Do(step); e.Broken != nil {
			break
		}
	}
	stepper.r.trace.Scenario = sc
	return stepper.End()
}

// Stepper runs a scenario that is not known as a whole, one step after the other.
type Stepper struct{ r *runner }

// Begin begins a scenario under limits, with a subject and a timeout as [Run] has them.
func Begin(ctx context.Context, s subject.Bounder, l bounding.Limits, timeout time.Duration) *Stepper {
	if timeout == 0 {
		timeout = DefaultTimeout
	}
	return &Stepper{&runner{ctx: ctx, subject: s, timeout: timeout, limits: l,
		trace: &Trace{Scenario: scenario.Scenario{Limits: l}, Caps: subject.CapsOf(s)}}}
}

// Do does the next step, and returns what came of it. After a step at which the subject broke there must be no other.
func (s *Stepper) Do(step scenario.Step) Event {
	r := s.r
	e := Event{Step: len(r.trace.Events), Op: step.Op, Limits: r.limits}
	if operation, ok := operations[step.Op]; ok && r.trace.Caps.Has(operation.needs...) {
		operation.run(r, step, &e)
	} else {
		e.Skipped = true
	}
	if errors.Is(e.Err, subject.ErrUnsupported) {
		e.Skipped = true
	}
	r.trace.Events = append(r.trace.Events, e)
	r.trace.Scenario.Steps = append(r.trace.Scenario.Steps, step)
	if step.Op != scenario.Cancel {
		r.cancelled = false
	}
	return e
}

// End returns the trace of all steps.
func (s *Stepper) End() *Trace {
	s.r.trace.History = s.r.history
	s.r.askAside(s.r.subject)
	return s.r.trace
}

// askAside asks the subject what it tells by the way, unless it is at work still: then nothing of it may be touched.
func (r *runner) askAside(s subject.Bounder) {
	if n := len(r.trace.Events); n > 0 {
		if b := r.trace.Events[n-1].Broken; b != nil && b.Kind != Panicked {
			return
		}
	}
	if l, ok := s.(subject.Logger); ok && r.trace.Caps.Has(subject.CapLog) {
		r.trace.Log = aside(r, func() (string, error) { return l.Log(), nil })
	}
	if f, ok := s.(subject.Files); ok && r.trace.Caps.Has(subject.CapFiles) {
		r.trace.Files = aside(r, f.Files)
	}
}

// aside asks for what belongs to no step. A subject that breaks here does not break its last step.
func aside[T any](r *runner, call func() (T, error)) T {
	var e Event
	answer, _ := ask(r, &e, func(context.Context) (T, error) { return call() })
	return answer
}

type runner struct {
	ctx       context.Context
	subject   subject.Bounder
	timeout   time.Duration
	limits    bounding.Limits
	cancelled bool
	trace     *Trace
	history   subject.History
	open      []pendingCall // calls of the open message
	recorded  []byte
	users     int // messages of the user: what they hold is the same with other steps between them
}

// pendingCall is a call whose message is not complete. Its result is missing if the subject made none.
type pendingCall struct {
	made   int
	call   bounding.Call
	result subject.Result
}

type answer[T any] struct {
	value  T
	err    error
	broken *Broken
}

// ask calls the subject, catches its panics, and gives it up after the timeout. What a subject that was given up does
// later reaches nobody.
func ask[T any](r *runner, e *Event, call func(ctx context.Context) (T, error)) (T, bool) {
	ctx, cancel := context.WithCancel(r.ctx)
	defer cancel()
	if r.cancelled {
		cancel()
	}
	protected := func() (a answer[T]) {
		defer func() {
			if p := recover(); p != nil {
				a.broken = &Broken{Panicked, fmt.Sprintf("%v\n%s", p, debug.Stack())}
			}
		}()
		a.value, a.err = call(ctx)
		return a
	}
	var a answer[T]
	if r.timeout < 0 {
		a = protected()
	} else {
		done := make(chan answer[T], 1)
		go func() { done <- protected() }()
		timer := time.NewTimer(r.timeout)
		select {
		case a = <-done:
		case <-timer.C:
			a.broken = &Broken{Hung, fmt.Sprintf("no answer within %v", r.timeout)}
		}
		timer.Stop()
	}
	var broken *BrokenError
	if errors.As(a.err, &broken) {
		a.broken, a.err = &broken.Broken, nil
	}
	e.Err, e.Broken = a.err, a.broken
	return a.value, a.err == nil && a.broken == nil
}

// BrokenError is what a subject returns that stands for a program, when the program did not answer.
type BrokenError struct{ Broken }

func (e *BrokenError) Error() string { return string(e.Kind) + ": " + e.Detail }

func (r *runner) made(step int, m Made) int {
	m.Step = step
	r.trace.Made = append(r.trace.Made, m)
	return len(r.trace.Made) - 1
}

// stored notes which artifacts the subject has, after a step that may have made one.
func (r *runner) stored(e *Event) {
	if e.Broken != nil || !r.trace.Caps.Has(subject.CapSpill) {
		return
	}
	var listing Event
	if list, ok := ask(r, &listing, func(ctx context.Context) ([]subject.Stored, error) {
		return r.subject.(subject.Spiller).List(context.WithoutCancel(ctx), Session)
	}); ok {
		e.Stored = list
	}
}

var operations = map[scenario.Op]struct {
	needs []string
	run   func(r *runner, s scenario.Step, e *Event)
}{
	scenario.Call:       {[]string{subject.CapBound}, (*runner).call},
	scenario.Tighten:    {[]string{subject.CapTighten}, (*runner).tighten},
	scenario.Batch:      {nil, (*runner).batch},
	scenario.Commit:     {nil, (*runner).commit},
	scenario.User:       {nil, (*runner).user},
	scenario.Checkpoint: {[]string{subject.CapClear}, (*runner).checkpoint},
	scenario.SetLimits:  {nil, (*runner).setLimits},
	scenario.Save:       {[]string{subject.CapSpill}, (*runner).save},
	scenario.Read:       {[]string{subject.CapSpill}, (*runner).read},
	scenario.Page:       {[]string{subject.CapSpill}, (*runner).page},
	scenario.Reference:  {[]string{subject.CapReference}, (*runner).reference},
	scenario.Replay:     {[]string{subject.CapReplay}, (*runner).replay},
	scenario.Diagnose:   {[]string{subject.CapDoctor}, (*runner).diagnose},
	scenario.Fault:      {[]string{subject.CapFault}, (*runner).fault},
	scenario.Cancel:     {nil, func(r *runner, _ scenario.Step, _ *Event) { r.cancelled = true }},
	scenario.Crash:      {[]string{subject.CapReopen}, (*runner).crash},
	scenario.Advance:    {[]string{subject.CapClock}, (*runner).advance},
	scenario.Sweep:      {[]string{subject.CapSweep}, (*runner).sweep},
	scenario.Plant:      {[]string{subject.CapLinks}, (*runner).plant},
}

func (r *runner) setLimits(s scenario.Step, e *Event) {
	if s.Limits != nil {
		r.limits = *s.Limits
	}
	e.Limits = r.limits
}

// Output is the output of a call step.
func Output(s scenario.Step) bounding.Output {
	out := bounding.Output{
		Call:      bounding.Call{ID: s.ID, Tool: s.Tool, Files: slices.Clone(s.Files)},
		Status:    s.Status,
		Text:      s.Payload.String(),
		Bounded:   s.Bounded,
		Protected: s.Protected,
	}
	var parts []bounding.Part
	for _, p := range s.More {
		parts = append(parts, bounding.Part{Text: p.String()})
	}
	for i := range s.Media {
		parts = append(parts, bounding.Part{Media: &bounding.Media{Type: "image/png", Value: fmt.Sprintf("%s-%d", s.ID, i)}})
	}
	if s.Nested && len(parts) > 0 {
		parts = []bounding.Part{{Parts: parts}}
	}
	out.Parts = parts
	for _, m := range s.Metadata {
		out.Metadata = append(out.Metadata, m.String())
	}
	return out
}

func (r *runner) call(s scenario.Step, e *Event) {
	out := Output(s)
	given := cloneOutput(out)
	n := r.made(e.Step, Made{Output: out, Owner: Session})
	e.Of = []int{n}
	result, ok := ask(r, e, func(ctx context.Context) (subject.Result, error) {
		return r.subject.Bound(ctx, r.limits, given)
	})
	r.stored(e)
	if !ok {
		return
	}
	e.Out = []subject.Result{result}
	r.trace.Made[n].Locator = result.Locator
	r.open = append(r.open, pendingCall{n, out.Call, result})
}

func (r *runner) tighten(s scenario.Step, e *Event) {
	i := slices.IndexFunc(r.open, func(p pendingCall) bool { return p.made == s.Of })
	if i < 0 {
		e.Skipped = true
		return
	}
	before := r.open[i].result
	e.Of, e.In = []int{s.Of}, []subject.Result{before}
	given := cloneResults(e.In)[0]
	result, ok := ask(r, e, func(ctx context.Context) (subject.Result, error) {
		return r.subject.(subject.Tightener).Tighten(ctx, r.limits, given)
	})
	r.stored(e)
	if ok {
		e.Out = []subject.Result{result}
		r.open[i].result = result
		r.trace.Made[s.Of].Locator = result.Locator
	}
}

func (r *runner) batch(s scenario.Step, e *Event) {
	e.Before = r.history
	calls, order := r.open, s.Order
	r.open = nil
	if len(calls) == 0 {
		e.After, e.Skipped = r.history, true
		return
	}
	if !isPermutation(order, len(calls)) {
		order = nil
	}
	for i := range calls {
		p := calls[i]
		if order != nil {
			p = calls[order[i]]
		}
		e.Of = append(e.Of, p.made)
		e.In = append(e.In, p.result)
	}
	e.Out = e.In
	if r.trace.Caps.Has(subject.CapBatch) {
		in := cloneResults(e.In)
		out, ok := ask(r, e, func(ctx context.Context) ([]subject.Result, error) {
			return r.subject.(subject.Batcher).Batch(ctx, r.limits, in)
		})
		if ok {
			e.Out = out
		}
		r.stored(e)
	}
	model := subject.Message{Role: bounding.ModelRole}
	for _, p := range calls {
		model.Calls = append(model.Calls, p.call)
	}
	for i, out := range e.Out {
		if i < len(e.Of) && out.Locator != "" {
			r.trace.Made[e.Of[i]].Locator = out.Locator
		}
	}
	r.history.Messages = append(slices.Clip(r.history.Messages), model, subject.Message{Role: bounding.ToolRole, Results: e.Out})
	e.After = r.history
}

func isPermutation(order []int, n int) bool {
	if len(order) != n {
		return false
	}
	seen := make([]bool, n)
	for _, i := range order {
		if i < 0 || i >= n || seen[i] {
			return false
		}
		seen[i] = true
	}
	return true
}

func (r *runner) commit(_ scenario.Step, e *Event) {
	e.Before = r.history
	r.history.Committed = len(r.history.Messages)
	e.After = r.history
}

func (r *runner) user(s scenario.Step, e *Event) {
	e.Before = r.history
	m := subject.Message{Role: bounding.UserRole, Text: s.Payload.String()}
	for i := range s.Media {
		m.Media = append(m.Media, bounding.Media{Type: "image/png", Value: fmt.Sprintf("user-%d-%d", r.users, i)})
	}
	r.users++
	r.history.Messages = append(slices.Clip(r.history.Messages), m)
	e.After = r.history
}

func (r *runner) checkpoint(s scenario.Step, e *Event) {
	e.At = bounding.Checkpoint{Trigger: s.Trigger, Gap: s.Gap}
	e.Before = r.history
	given := r.history.Clone()
	type cleared struct {
		history subject.History
		report  *subject.ClearReport
	}
	c, ok := ask(r, e, func(ctx context.Context) (cleared, error) {
		h, report, err := r.subject.(subject.Clearer).Clear(ctx, r.limits, given, e.At)
		return cleared{h, report}, err
	})
	e.After = e.Before
	if !ok {
		return
	}
	e.Mutated = !subject.SameHistory(given, e.Before)
	e.After, e.Report = c.history, c.report
	r.history = c.history
	r.history.Committed = e.Before.Committed
}

func (r *runner) save(s scenario.Step, e *Event) {
	owner := s.Session
	if owner == "" {
		owner = Session
	}
	content := s.Payload.String()
	req := spill.Request{Owner: owner, Source: spill.Tool{Name: s.Tool, CallID: s.ID}, SuggestedName: s.ID, Content: content}
	n := r.made(e.Step, Made{Output: bounding.Output{Call: bounding.Call{ID: s.ID, Tool: s.Tool}, Text: content}, Saved: true, Owner: owner})
	e.Of = []int{n}
	saved, ok := ask(r, e, func(ctx context.Context) (subject.Saved, error) {
		return r.subject.(subject.Spiller).Save(ctx, r.limits, req)
	})
	r.stored(e)
	if ok {
		e.Saved = saved
		r.trace.Made[n].Locator = saved.Locator
	}
}

func (r *runner) fault(s scenario.Step, e *Event) {
	_, _ = ask(r, e, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, r.subject.(subject.Faulter).Fault(ctx, s.Program)
	})
}

func (r *runner) crash(s scenario.Step, e *Event) {
	_, _ = ask(r, e, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, r.subject.(subject.Reopener).Reopen(ctx, subject.Loss{Survive: s.Survive, Seed: s.Seed})
	})
	r.stored(e)
}

func (r *runner) advance(s scenario.Step, e *Event) {
	_, _ = ask(r, e, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, r.subject.(subject.Clock).Advance(ctx, s.Gap)
	})
}

func (r *runner) sweep(s scenario.Step, e *Event) {
	_, _ = ask(r, e, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, r.subject.(subject.Sweeper).Sweep(ctx, s.Gap)
	})
	r.stored(e)
}

func (r *runner) plant(s scenario.Step, e *Event) {
	_, _ = ask(r, e, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, r.subject.(subject.Planter).Plant(ctx, s.ID)
	})
}

func (r *runner) diagnose(_ scenario.Step, e *Event) {
	e.Before = r.history
	given := r.history.Clone()
	e.Diagnosis, _ = ask(r, e, func(ctx context.Context) (subject.Diagnosis, error) {
		return r.subject.(subject.Doctor).Diagnose(ctx, r.limits, given)
	})
	e.After = r.history
	e.Mutated = e.Broken == nil && !subject.SameHistory(given, e.Before)
}
