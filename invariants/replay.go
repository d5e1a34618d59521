package invariants

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

// Replay runs a script against a subject that nothing has used, and returns an error for the first expectation that is not
// met: a line "violates ID…" wants the scenario to show that each of the invariants does not hold, and "holds ID…" that it
// shows no such thing. A script that expects nothing must hold for every invariant that applies.
func Replay(ctx context.Context, script scenario.Script, newSubject func() (subject.Bounder, error), options ...Option) error {
	d := &driver{ctx: ctx, config: configure(options), newSubject: newSubject, lost: new(atomic.Int32)}
	t, err := d.run(script.Scenario)
	if err != nil {
		return fmt.Errorf("%s: %w", script.Name, err)
	}
	expect := script.Expect
	if len(expect) == 0 {
		all := []string{"holds"}
		for i := range All() {
			if t.Caps.Has(i.Needs...) {
				all = append(all, i.ID)
			}
		}
		expect = []scenario.Expectation{{Words: all}}
	}
	for _, e := range expect {
		for _, id := range e.Words[1:] {
			i, err := Find(id)
			if err != nil {
				return fmt.Errorf("%s:%d: %w", script.Name, e.Line, err)
			}
			v, err := d.judge(i, script.Scenario, t)
			switch {
			case err != nil:
				return fmt.Errorf("%s:%d: %w", script.Name, e.Line, err)
			case e.Words[0] == "violates" && !v.Failed():
				return fmt.Errorf("%s:%d: expected that %s does not hold, and it does: %s", script.Name, e.Line, id, i.Statement)
			case e.Words[0] == "holds" && v.Failed():
				return fmt.Errorf("%s:%d: expected that %s holds: %s", script.Name, e.Line, id, v.failure)
			}
		}
	}
	return nil
}

// Find returns the invariant with this id.
func Find(id string) (Invariant, error) {
	for i := range All() {
		if i.ID == id {
			return i, nil
		}
	}
	var ids []string
	for i := range All() {
		ids = append(ids, i.ID)
	}
	slices.Sort(ids)
	return Invariant{}, fmt.Errorf("no invariant %q; there are %s", id, strings.Join(ids, ", "))
}

// counterexample is a scenario as a script that replays to the same verdict.
func counterexample(id string, s scenario.Scenario) string {
	return scenario.Script{Scenario: s, Expect: []scenario.Expectation{{Words: []string{"violates", id}}}}.Format()
}
