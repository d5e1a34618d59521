package trace

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/reference"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

// endless never answers at one step, and goes on working on all that it was given. It is the subject that the race detector
// has to find nothing with.
type endless struct {
	at   scenario.Op
	stop chan struct{}
	done chan struct{}
	log  string
	work int
}

func (s *endless) hang(op scenario.Op, work func()) {
	if op != s.at {
		return
	}
	defer close(s.done)
	for {
		select {
		case <-s.stop:
			return
		default:
			work()
			s.work++
			s.log += "."[:s.work%2]
			time.Sleep(time.Microsecond)
		}
	}
}

func (s *endless) Bound(_ context.Context, _ bounding.Limits, out bounding.Output) (subject.Result, error) {
	s.hang(scenario.Call, func() {
		out.Metadata[0] = fmt.Sprint(s.work)
		out.Call.Files[0] = fmt.Sprint(s.work)
		out.Parts[0].Parts[0].Text = fmt.Sprint(s.work)
	})
	return subject.Result{Call: out.Call, Text: out.Text, Data: []byte{0}, Media: []bounding.Media{{Type: "a"}}}, nil
}

func (s *endless) mar(r *subject.Result) {
	r.Data[0]++
	r.Media[0].Type += "x"[:s.work%2]
	r.Call.Files[0] = fmt.Sprint(s.work)
}

func (s *endless) Tighten(_ context.Context, _ bounding.Limits, r subject.Result) (subject.Result, error) {
	s.hang(scenario.Tighten, func() { s.mar(&r) })
	return r, nil
}

func (s *endless) Batch(_ context.Context, _ bounding.Limits, results []subject.Result) ([]subject.Result, error) {
	s.hang(scenario.Batch, func() { s.mar(&results[0]) })
	return results, nil
}

func (s *endless) Clear(_ context.Context, _ bounding.Limits, h subject.History, _ bounding.Checkpoint) (subject.History, *subject.ClearReport, error) {
	s.hang(scenario.Checkpoint, func() { h.Messages[1].Results[0].Text = fmt.Sprint(s.work) })
	return h, nil, nil
}

func (s *endless) Reference(_ context.Context, req subject.ReferenceRequest) (subject.References, error) {
	s.hang(scenario.Reference, func() { _, _ = req.Read("a") })
	_, err := req.Read("a")
	return subject.References{Recorded: []byte("r")}, err
}

func (s *endless) Log() string { return s.log }

var busy = scenario.Scenario{Limits: scenario.Scaled(), Steps: []scenario.Step{
	{Op: scenario.Call, ID: "a", Tool: "shell", Payload: scenario.Of(3, "x"), More: []scenario.Payload{scenario.Of(2, "y")}, Media: 1,
		Nested: true, Metadata: []scenario.Payload{scenario.Of(1, "m")}, Files: []string{"f"}},
	{Op: scenario.Tighten},
	{Op: scenario.Batch},
	{Op: scenario.Commit},
	{Op: scenario.Checkpoint, Trigger: bounding.OnDemand},
	{Op: scenario.Reference, Sources: []scenario.Source{{Session: "a", Events: []scenario.Event{{Kind: "user", Text: scenario.Of(1, "hi")}}}}},
}}

// TestHang: a subject that does not answer ends its scenario there, and what it does later changes nothing in the trace.
func TestHang(t *testing.T) {
	for i, step := range busy.Steps {
		if step.Op == scenario.Commit {
			continue
		}
		t.Run(fmt.Sprint(step.Op), func(t *testing.T) {
			s := &endless{at: step.Op, stop: make(chan struct{}), done: make(chan struct{})}
			got := Run(t.Context(), s, busy, 30*time.Millisecond)
			last := got.Events[len(got.Events)-1]
			if last.Step != i || last.Broken == nil || last.Broken.Kind != Hung {
				t.Errorf("step %d ended it: %+v", last.Step, last.Broken)
			}
			if got.Log != "" {
				t.Errorf("the log of a subject at work was read: %d bytes", len(got.Log))
			}
			before := fmt.Sprintf("%+v", got)
			time.Sleep(2 * time.Millisecond)
			if after := fmt.Sprintf("%+v", got); after != before {
				t.Error("the trace goes on changing")
			}
			close(s.stop)
			<-s.done
			if s.work == 0 {
				t.Error("it did nothing")
			}
		})
	}
}

// TestReads: each read of a session that is cited counts, and only these.
func TestReads(t *testing.T) {
	s := &endless{at: 255}
	got := Run(t.Context(), s, busy, 0)
	e := got.Events[len(got.Events)-1]
	if e.Broken != nil || e.Reads["a"] != 1 {
		t.Fatalf("%+v, %v", e.Broken, e.Reads)
	}
	snapshot, err := e.Request.Peek("a")
	if err != nil || snapshot.Events[0].Kind != reference.User || e.Reads["a"] != 1 {
		t.Errorf("%+v, %v, %v", snapshot, err, e.Reads)
	}
	if _, err := e.Request.Read("b"); err == nil {
		t.Error("a session that is not cited can be read")
	}
}

// clumsy panics where it is told to.
type clumsy struct{ subject.Bounder }

func (clumsy) Log() string { panic("no log") }

// TestLogPanics: a subject that cannot tell its log has done its steps all the same.
func TestLogPanics(t *testing.T) {
	got := Run(t.Context(), clumsy{&endless{at: 255}}, busy, 0)
	if got.Log != "" || got.Events[0].Broken != nil || len(got.Events) != len(busy.Steps) {
		t.Errorf("%d events, log %q", len(got.Events), got.Log)
	}
}
