package relations

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

var clearing = []Relation{
	{"MR3", "One more result that keeps the total within the watermark changes no earlier byte.", oneMore, sameBeginning},
	{"MR6", "With nothing switched on, a session with checkpoints is the same as one without.", pass, sameTexts},
	{"MR7", "Keeping one result more never clears another result.", keepMore, clearsNoMore},
	{"MR8", "A higher watermark never fires earlier.", higher, firesNoEarlier},
	{"MR10", "What a user says between results changes nothing about which are cleared.", interrupted, clearsSame(0)},
	{"MR11", "A result that was cleared before everything else changes no decision.", prologue, clearsSame(prologueResults)},
	{"MR12", "Another store changes locators and nothing else.", same, sameButLocators},
	{"MR16", "What was cleared stays cleared, whatever follows.", followed, staysCleared},
}

// clearedAt lists the results that a checkpoint changed, counted over the session.
func clearedAt(e *trace.Event) []int {
	var list []int
	n := 0
	for p, r := range e.Before.All() {
		if p.Message < len(e.After.Messages) && p.Result < len(e.After.Messages[p.Message].Results) {
			is := e.After.Messages[p.Message].Results[p.Result]
			if is.Text != r.Text || len(is.Media) != len(r.Media) {
				list = append(list, n)
			}
		}
		n++
	}
	return list
}

// checkpoints lists the checkpoints at which the subject did what it was asked.
func checkpoints(t *trace.Trace) []*trace.Event {
	var list []*trace.Event
	for i := range t.Events {
		e := &t.Events[i]
		if e.Op == scenario.Checkpoint && !e.Skipped && e.Err == nil && e.Broken == nil {
			list = append(list, e)
		}
	}
	return list
}

func has(s scenario.Scenario, op scenario.Op) bool {
	return slices.ContainsFunc(s.Steps, func(step scenario.Step) bool { return step.Op == op })
}

// with returns the session under other limits, from the beginning and wherever they are set.
func with(s scenario.Scenario, change func(l bounding.Limits) bounding.Limits) scenario.Scenario {
	s.Limits, s.Steps = change(s.Limits), slices.Clone(s.Steps)
	for i, step := range s.Steps {
		if step.Op == scenario.SetLimits && step.Limits != nil {
			l := change(*step.Limits)
			s.Steps[i].Limits = &l
		}
	}
	return s
}

var toolTurn = scenario.Step{Op: scenario.Checkpoint, Trigger: bounding.BeforeToolTurn, Gap: bounding.NoGap}

func more(id string) []scenario.Step {
	return []scenario.Step{{Op: scenario.Call, ID: id, Tool: "one_more", Payload: scenario.Of(40, "x")}, {Op: scenario.Batch}, toolTurn}
}

// settled reports whether no call is open at the end, so that what is appended is a message of its own.
func settled(s scenario.Scenario) bool {
	open := false
	for _, step := range s.Steps {
		switch step.Op {
		case scenario.Call:
			open = true
		case scenario.Batch:
			open = false
		case scenario.Cancel, scenario.Crash:
			return false
		}
	}
	return !open
}

func oneMore(s scenario.Scenario) (scenario.Scenario, bool) {
	other := scenario.Scenario{Limits: s.Limits, Steps: slices.Concat(s.Steps, more("one-more"))}
	return other, settled(s)
}

func sameBeginning(a, b *trace.Trace) error {
	all := checkpoints(b)
	if len(all) == 0 || len(b.Events) != len(b.Scenario.Steps) || all[len(all)-1].Step != len(b.Scenario.Steps)-1 {
		return nil
	}
	last := all[len(all)-1]
	total := 0 // too much rather than too little
	for _, r := range last.Before.All() {
		total += last.Limits.Unit.Count(r.Text)
	}
	if high := last.Limits.Watermark.High; high >= 0 && total > high {
		return nil
	}
	for i, m := range a.History.Messages {
		if i >= len(b.History.Messages) || !sameMessage(m, b.History.Messages[i]) {
			return fmt.Errorf("one result more took the total to at most %d, within the watermark of %d, and message %d changed",
				total, last.Limits.Watermark.High, i)
		}
	}
	return nil
}

// sameMessage compares what the model gets, but for locators.
func sameMessage(a, b subject.Message) bool {
	return a.Role == b.Role && a.Text == b.Text && len(a.Media) == len(b.Media) &&
		slices.EqualFunc(a.Results, b.Results, func(r, s subject.Result) bool {
			return masked(r) == masked(s) && len(r.Media) == len(s.Media)
		})
}

// masked is the text of a result without the locator in it.
func masked(r subject.Result) string {
	if r.Locator == "" {
		return r.Text
	}
	return strings.ReplaceAll(r.Text, r.Locator, "\x00")
}

func pass(s scenario.Scenario) (scenario.Scenario, bool) {
	off := func(l bounding.Limits) bool { return l.Watermark.High < 0 && l.Watermark.IdleAfter < 0 }
	other := scenario.Scenario{Limits: s.Limits}
	for _, step := range s.Steps {
		if step.Op == scenario.SetLimits && step.Limits != nil && !off(*step.Limits) ||
			step.Op == scenario.Checkpoint && step.Trigger == bounding.OnDemand {
			return s, false
		}
		if step.Op != scenario.Checkpoint {
			other.Steps = append(other.Steps, step)
		}
	}
	return other, off(s.Limits) && len(other.Steps) < len(s.Steps)
}

func sameTexts(a, b *trace.Trace) error {
	if !slices.EqualFunc(a.History.Messages, b.History.Messages, sameMessage) {
		return fmt.Errorf("checkpoints that are switched off changed the history")
	}
	return nil
}

func keepMore(s scenario.Scenario) (scenario.Scenario, bool) {
	return with(s, func(l bounding.Limits) bounding.Limits {
		l.Watermark.Keep = max(l.Watermark.Keep, 1) + 1
		return l
	}), has(s, scenario.Checkpoint)
}

// clearsNoMore looks at the first checkpoint. After it the histories differ, and so do the later decisions.
func clearsNoMore(a, b *trace.Trace) error {
	one, two := checkpoints(a), checkpoints(b)
	if len(one) == 0 || len(two) == 0 || one[0].Step != two[0].Step {
		return nil
	}
	fewer := clearedAt(one[0])
	for _, i := range clearedAt(two[0]) {
		if !slices.Contains(fewer, i) {
			return fmt.Errorf("step %d: with K of %d result %d is cleared, with K of %d it is not", one[0].Step,
				two[0].Limits.Watermark.Keep, i, one[0].Limits.Watermark.Keep)
		}
	}
	return nil
}

func higher(s scenario.Scenario) (scenario.Scenario, bool) {
	on := true
	other := with(s, func(l bounding.Limits) bounding.Limits {
		on = on && l.Watermark.High >= 0
		l.Watermark.High++
		return l
	})
	return other, on && has(s, scenario.Checkpoint)
}

func firesNoEarlier(a, b *trace.Trace) error {
	first := func(t *trace.Trace) int {
		for _, e := range checkpoints(t) {
			if len(clearedAt(e)) > 0 {
				return e.Step
			}
		}
		return len(t.Scenario.Steps)
	}
	if one, two := first(a), first(b); two < one {
		return fmt.Errorf("with a watermark one higher the first firing is at step %d, without at step %d", two, one)
	}
	return nil
}

func interrupted(s scenario.Scenario) (scenario.Scenario, bool) {
	other := scenario.Scenario{Limits: s.Limits}
	for _, step := range s.Steps {
		other.Steps = append(other.Steps, step)
		if step.Op == scenario.Batch {
			other.Steps = append(other.Steps, scenario.Step{Op: scenario.User, Payload: scenario.Of(1, "go on")})
		}
	}
	return other, has(s, scenario.Checkpoint) && !has(s, scenario.Cancel)
}

// prologueResults is how many results prologue puts in front: one that is cleared, and the one that is kept for it.
const prologueResults = 2

func prologue(s scenario.Scenario) (scenario.Scenario, bool) {
	fixed := func(l bounding.Limits) bounding.Limits {
		l.Tools = maps.Clone(l.Tools)
		if l.Tools == nil {
			l.Tools = map[string]bounding.Tool{}
		}
		l.Tools["prologue_kept"] = bounding.Tool{Fixed: true}
		l.Tools["prologue"] = bounding.Tool{}
		return l
	}
	rest := with(s, fixed)
	first := rest.Limits
	first.Watermark.Keep = 1
	first.Tools = maps.Clone(first.Tools)
	first.Tools["prologue_kept"] = bounding.Tool{}
	other := scenario.Scenario{Limits: first, Steps: []scenario.Step{
		{Op: scenario.Call, ID: "prologue", Tool: "prologue", Payload: scenario.Of(60, "x")},
		{Op: scenario.Call, ID: "kept", Tool: "prologue_kept", Payload: scenario.Of(60, "x")},
		{Op: scenario.Batch}, {Op: scenario.Commit},
		{Op: scenario.Checkpoint, Trigger: bounding.OnDemand},
		{Op: scenario.SetLimits, Limits: &rest.Limits},
	}}
	for _, step := range rest.Steps {
		step.Of += prologueResults
		other.Steps = append(other.Steps, step)
	}
	return other, has(s, scenario.Checkpoint)
}

// clearsSame compares the decisions, where the other session has so many results, and checkpoints, in front.
func clearsSame(before int) func(a, b *trace.Trace) error {
	return func(a, b *trace.Trace) error {
		one, two := checkpoints(a), checkpoints(b)
		if before > 0 {
			if len(two) == 0 || !slices.Equal(clearedAt(two[0]), []int{0}) {
				return nil // these limits let nothing be cleared in front
			}
			two = two[1:]
		}
		if len(one) != len(two) {
			return nil
		}
		for i := range one {
			want, got := clearedAt(one[i]), clearedAt(two[i])
			for j := range got {
				got[j] -= before
			}
			if !slices.Equal(want, got) {
				return fmt.Errorf("checkpoint %d clears results %v, and %v in the other session", i, want, got)
			}
		}
		return nil
	}
}

func same(s scenario.Scenario) (scenario.Scenario, bool) {
	return s, !has(s, scenario.Fault) && !has(s, scenario.Crash)
}

// sameButLocators compares texts where the locators are of equal length, and states where they are not.
func sameButLocators(a, b *trace.Trace) error {
	if len(a.History.Messages) != len(b.History.Messages) {
		return fmt.Errorf("%d messages with one store, %d with the other", len(a.History.Messages), len(b.History.Messages))
	}
	// Metadata may name an artifact of its own.
	metadata := slices.ContainsFunc(a.Scenario.Steps, func(s scenario.Step) bool { return len(s.Metadata) > 0 })
	for p, r := range a.History.All() {
		m := b.History.Messages[p.Message]
		if p.Result >= len(m.Results) {
			return fmt.Errorf("message %d has fewer results with the other store", p.Message)
		}
		other := m.Results[p.Result]
		if r.State != other.State || r.Outcome != other.Outcome || len(r.Locator) == len(other.Locator) && !metadata && masked(r) != masked(other) {
			return fmt.Errorf("result %d of message %d is %v and %v with one store, %v and %v with the other, or reads otherwise",
				p.Result, p.Message, r.State, r.Outcome, other.State, other.Outcome)
		}
	}
	return nil
}

func followed(s scenario.Scenario) (scenario.Scenario, bool) {
	other := scenario.Scenario{Limits: s.Limits, Steps: slices.Concat(s.Steps, []scenario.Step{{Op: scenario.Commit}},
		more("after-1"), []scenario.Step{{Op: scenario.Commit}, {Op: scenario.Checkpoint, Trigger: bounding.OnDemand}}, more("after-2"))}
	return other, settled(s) && has(s, scenario.Checkpoint)
}

func staysCleared(a, b *trace.Trace) error {
	n := 0
	gone := map[int]bool{}
	for _, e := range checkpoints(a) {
		for _, i := range clearedAt(e) {
			gone[i] = true
		}
	}
	for p, r := range a.History.All() {
		if gone[n] && (p.Message >= len(b.History.Messages) || p.Result >= len(b.History.Messages[p.Message].Results) ||
			masked(b.History.Messages[p.Message].Results[p.Result]) != masked(r)) {
			return fmt.Errorf("result %d was cleared, and reads otherwise after more happened", n)
		}
		n++
	}
	return nil
}
