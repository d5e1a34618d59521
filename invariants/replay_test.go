package invariants

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/model"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

// unbounded lets everything through.
type unbounded struct{ *model.Subject }

func (unbounded) Bound(_ context.Context, _ bounding.Limits, out bounding.Output) (subject.Result, error) {
	return subject.Result{Call: out.Call, Text: out.Text, Failed: out.Status != bounding.Success}, nil
}

func (unbounded) Batch(_ context.Context, _ bounding.Limits, results []subject.Result) ([]subject.Result, error) {
	return results, nil
}

// early clears all that it may, whatever the watermark is.
type early struct{ *model.Subject }

func (s early) Clear(ctx context.Context, l bounding.Limits, h subject.History, at bounding.Checkpoint) (subject.History, *subject.ClearReport, error) {
	l.Watermark.High = min(l.Watermark.High, 0)
	return s.Subject.Clear(ctx, l, h, at)
}

// fragile panics at errors of tools.
type fragile struct{ *model.Subject }

func (s fragile) Bound(ctx context.Context, l bounding.Limits, out bounding.Output) (subject.Result, error) {
	if out.Status == bounding.TimedOut {
		panic("no such status")
	}
	return s.Subject.Bound(ctx, l, out)
}

// TestScriptsReplay: the script of every failure replays to the same verdict: the subject that it was found with meets its
// expectation, and the reference does not.
func TestScriptsReplay(t *testing.T) {
	reference := func() (subject.Bounder, error) { return model.New(), nil }
	for name, wrong := range map[string]func() subject.Bounder{
		"unbounded": func() subject.Bounder { return unbounded{model.New()} },
		"early":     func() subject.Bounder { return early{model.New()} },
		"fragile":   func() subject.Bounder { return fragile{model.New()} },
	} {
		t.Run(name, func(t *testing.T) {
			newSubject := func() (subject.Bounder, error) { return wrong(), nil }
			report, err := Check(t.Context(), newSubject, Only("BND-1", "BND-8", "BND-13", "CLR-1", "CLR-10", "AGG-1"))
			if err != nil {
				t.Fatal(err)
			}
			failed := 0
			for _, f := range report.Findings {
				if f.Status != Fail {
					continue
				}
				failed++
				if !strings.HasSuffix(f.Scenario, "\nviolates "+f.ID+"\n") {
					t.Errorf("%s: the script does not end with its verdict\n%s", f.ID, f.Scenario)
				}
				if f.Results > 3 {
					t.Errorf("%s: %d results\n%s", f.ID, f.Results, f.Scenario)
				}
				script, err := scenario.Parse(f.ID+".txtar", []byte(f.Scenario))
				if err != nil {
					t.Fatal(err)
				}
				if err := Replay(t.Context(), script, newSubject); err != nil {
					t.Errorf("%s does not replay: %v\n%s", f.ID, err, f.Scenario)
				}
				if err := Replay(t.Context(), script, reference); err == nil || !strings.Contains(err.Error(), "expected that "+f.ID+" does not hold") {
					t.Errorf("%s: the reference replays to %v\n%s", f.ID, err, f.Scenario)
				}
			}
			if failed == 0 {
				t.Error("nothing failed")
			}
		})
	}
}

// TestReplayExpectations: each form of expectation is met or is told with the line where it stands.
func TestReplayExpectations(t *testing.T) {
	for _, c := range []struct{ script, says string }{
		{"limits scaled\ncall a shell 5000*x\nholds BND-1 BND-13\n", ""},
		{"limits scaled\ncall a shell 5000*x\n", ""}, // every invariant
		{"limits scaled\ncall a shell 5000*x\nviolates BND-1\n", "a.txtar:3: expected that BND-1 does not hold, and it does"},
		{"limits scaled\ncall a shell 5000*x\nholds BND-1000\n", `a.txtar:3: no invariant "BND-1000"; there are AGG-1`},
	} {
		script, err := scenario.Parse("a.txtar", []byte(c.script))
		if err != nil {
			t.Fatal(err)
		}
		err = Replay(t.Context(), script, func() (subject.Bounder, error) { return model.New(), nil })
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %q", c.script, err, c.says)
		}
	}
	script, err := scenario.Parse("a.txtar", []byte("limits scaled\ncall a shell 5000*x\nholds BND-1\n"))
	if err != nil {
		t.Fatal(err)
	}
	err = Replay(t.Context(), script, func() (subject.Bounder, error) { return unbounded{model.New()}, nil })
	if err == nil || !strings.Contains(err.Error(), "a.txtar:3: expected that BND-1 holds: ") {
		t.Errorf("%v", err)
	}
}

// stuck never answers.
type stuck struct{ *model.Subject }

func (stuck) Bound(ctx context.Context, _ bounding.Limits, _ bounding.Output) (subject.Result, error) {
	<-ctx.Done()
	<-make(chan struct{})
	return subject.Result{}, nil
}

// TestReplayOfAHang: a subject that does not answer is found again in the time that it is given.
func TestReplayOfAHang(t *testing.T) {
	script, err := scenario.Parse("a.txtar", []byte("limits scaled\ncall a shell x\nviolates BND-8\n"))
	if err != nil {
		t.Fatal(err)
	}
	hangs := func() (subject.Bounder, error) { return stuck{model.New()}, nil }
	if err := Replay(t.Context(), script, hangs, Timeout(20*time.Millisecond)); err != nil {
		t.Error(err)
	}
}
