package relations

import (
	"fmt"
	"slices"

	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

var references = []Relation{
	{"MR13", "Citing sessions in another order changes the order of what is shown and nothing else.", reversed, sameItems},
}

func reversed(s scenario.Scenario) (scenario.Scenario, bool) {
	other := scenario.Scenario{Limits: s.Limits, Steps: slices.Clone(s.Steps)}
	changed := false
	for i := range other.Steps {
		step := &other.Steps[i]
		if step.Op != scenario.Reference || len(step.Sources) < 2 {
			continue
		}
		seen := map[string]bool{}
		for _, source := range step.Sources {
			if seen[source.Session] {
				return s, false // which of two is dropped depends on the order
			}
			seen[source.Session] = true
		}
		step.Sources = slices.Clone(step.Sources)
		slices.Reverse(step.Sources)
		changed = true
	}
	return other, changed && !has(s, scenario.Fault) && !has(s, scenario.Cancel)
}

func sameItems(a, b *trace.Trace) error {
	for i := range min(len(a.Events), len(b.Events)) {
		one, two := a.Events[i], b.Events[i]
		if one.Op != scenario.Reference || one.Broken != nil || two.Broken != nil {
			continue
		}
		if (one.Err == nil) != (two.Err == nil) {
			return fmt.Errorf("step %d: in one order there is an answer, in the other there is an error", one.Step)
		}
		if one.Err != nil {
			continue
		}
		if len(one.References.Items) != len(two.References.Items) {
			return fmt.Errorf("step %d: %d sessions are shown in one order, %d in the other", one.Step, len(one.References.Items), len(two.References.Items))
		}
		for _, item := range one.References.Items {
			j := slices.IndexFunc(two.References.Items, func(r subject.Reference) bool { return r.SessionID == item.SessionID })
			if j < 0 {
				return fmt.Errorf("step %d: session %.60q is shown in one order only", one.Step, item.SessionID)
			}
			other := two.References.Items[j]
			if item.Preview != other.Preview || item.OmittedMessages != other.OmittedMessages || item.OmittedBytes != other.OmittedBytes ||
				item.Saved.Outcome != other.Saved.Outcome || item.Saved.Bytes != other.Saved.Bytes {
				return fmt.Errorf("step %d: session %.60q is shown otherwise in another order", one.Step, item.SessionID)
			}
		}
	}
	return nil
}
