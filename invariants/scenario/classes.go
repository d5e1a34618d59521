package scenario

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/bounding"
)

// class is a kind of scenario that generators must not forget.
type class struct {
	name string
	has  func(s *Scenario) bool
}

// Classes returns the names of what is in a scenario that a generator should bring often enough, such as "batch of 5 to 12"
// or "unit nul". [AllClasses] lists them.
func (s Scenario) Classes() []string {
	var names []string
	for _, c := range classes {
		if c.has(&s) {
			names = append(names, c.name)
		}
	}
	return names
}

// AllClasses are the names that Classes can return.
func AllClasses() []string {
	names := make([]string, len(classes))
	for i, c := range classes {
		names[i] = c.name
	}
	return names
}

var classes = slices.Concat(limitClasses, callClasses, batchClasses, historyClasses, opClasses(), unitClasses())

var limitClasses = []class{
	{"limits scaled", func(s *Scenario) bool { return s.Limits.Threshold > 100 && s.Limits.Threshold <= 2_000 }},
	{"limits full scale", func(s *Scenario) bool { return s.Limits.Threshold >= 20_000 }},
	{"limits below notices", func(s *Scenario) bool { return s.Limits.Threshold >= 0 && s.Limits.Threshold <= 100 }},
	{"limits switched off", func(s *Scenario) bool {
		w := s.Limits.Watermark
		return w.High < 0 || w.IdleAfter < 0 || s.Limits.Batch < 0 || s.Limits.Threshold < 0
	}},
	{"limits invalid", func(s *Scenario) bool { return s.Limits.Validate() != nil }},
}

// of reports whether there is a step of an operation with a property.
func of(op Op, has func(s Step) bool) func(*Scenario) bool {
	return func(s *Scenario) bool {
		return slices.ContainsFunc(s.Steps, func(step Step) bool { return step.Op == op && has(step) })
	}
}

func hasText(s Step) bool {
	return s.Payload.Len() > 0 || slices.ContainsFunc(s.More, func(p Payload) bool { return p.Len() > 0 })
}

func space(p Payload) bool {
	return p.Len() > 0 && !slices.ContainsFunc(p, func(p Piece) bool { return p.Count > 0 && strings.TrimSpace(p.Unit) != "" })
}

var callClasses = []class{
	{"result ok", of(Call, func(s Step) bool { return s.Status == bounding.Success && hasText(s) })},
	{"result error", of(Call, func(s Step) bool { return s.Status != bounding.Success && hasText(s) })},
	{"result empty", of(Call, func(s Step) bool { return !hasText(s) && s.Media == 0 })},
	{"result of spaces", of(Call, func(s Step) bool { return space(s.Payload) })},
	{"result of media only", of(Call, func(s Step) bool { return !hasText(s) && s.Media > 0 })},
	{"result of text and media", of(Call, func(s Step) bool { return hasText(s) && s.Media > 0 })},
	{"result error with media", of(Call, func(s Step) bool { return s.Status != bounding.Success && s.Media > 0 })},
	{"result of several parts", of(Call, func(s Step) bool { return len(s.More) > 0 })},
	{"result with metadata", of(Call, func(s Step) bool { return len(s.Metadata) > 0 })},
	{"result protected", of(Call, func(s Step) bool { return s.Protected })},
	{"result bounded by its tool", of(Call, func(s Step) bool { return s.Bounded })},
	{"call of a file", of(Call, func(s Step) bool { return len(s.Files) > 0 })},
	{"id hostile", of(Call, func(s Step) bool { return slices.Contains(hostile, s.ID) })},
	{"id twice", func(s *Scenario) bool {
		seen := map[string]bool{}
		return of(Call, func(s Step) bool {
			twice := seen[s.ID]
			seen[s.ID] = true
			return twice
		})(s)
	}},
}

// messages yields how many calls each message has, and in what order they were completed.
func messages(s *Scenario, has func(calls int, order []int) bool) bool {
	open := 0
	for _, step := range s.Steps {
		switch step.Op {
		case Call:
			open++
		case Batch:
			if has(open, step.Order) {
				return true
			}
			open = 0
		}
	}
	return false
}

func calls(from, to int) func(*Scenario) bool {
	return func(s *Scenario) bool {
		return messages(s, func(n int, _ []int) bool { return n >= from && n <= to })
	}
}

var batchClasses = []class{
	{"batch of none", calls(0, 0)},
	{"batch of one", calls(1, 1)},
	{"batch of 2 to 4", calls(2, 4)},
	{"batch of 5 to 12", calls(5, 12)},
	{"batch in another order", func(s *Scenario) bool {
		return messages(s, func(n int, order []int) bool { return n > 1 && len(order) == n && !slices.IsSorted(order) })
	}},
}

// follow walks through a scenario with what a decoder knows of it.
func follow(s *Scenario, has func(in *session, next Step) bool) bool {
	in := session{limits: s.Limits}
	for _, step := range s.Steps {
		if has(&in, step) {
			return true
		}
		in.after(step)
	}
	return false
}

// checkpoint reports whether a checkpoint finds a total that is so far from a watermark.
func checkpoint(has func(in *session, above int) bool) func(*Scenario) bool {
	return func(s *Scenario) bool {
		return follow(s, func(in *session, next Step) bool {
			high := in.limits.Watermark.High
			return next.Op == Checkpoint && high >= 0 && in.history && has(in, in.total-high)
		})
	}
}

var historyClasses = []class{
	{"checkpoint far below the watermark", checkpoint(func(_ *session, above int) bool { return above < -10 })},
	{"checkpoint at the watermark", checkpoint(func(_ *session, above int) bool { return above == 0 })},
	{"checkpoint just above the watermark", checkpoint(func(_ *session, above int) bool { return above == 1 })},
	{"checkpoint far above the watermark", checkpoint(func(_ *session, above int) bool { return above > 10 })},
	{"checkpoint with pending results", checkpoint(func(in *session, _ int) bool { return in.pending })},
	{"checkpoint with an open message", checkpoint(func(in *session, _ int) bool { return in.open > 0 })},
	{"checkpoint after the idle gap", of(Checkpoint, func(s Step) bool { return s.Trigger == bounding.BeforeQuery && s.Gap > 0 })},
	{"checkpoint on demand", of(Checkpoint, func(s Step) bool { return s.Trigger == bounding.OnDemand })},
	{"checkpoint under pressure", of(Checkpoint, func(s Step) bool { return s.Trigger == bounding.MemoryPressure })},
	{"later pass over an open call", func(s *Scenario) bool {
		return follow(s, func(in *session, next Step) bool { return next.Op == Tighten && in.open > 0 })
	}},
	{"text stored under faults", func(s *Scenario) bool {
		faulty := false
		return slices.ContainsFunc(s.Steps, func(s Step) bool {
			if s.Op == Fault {
				faulty = s.Program != ""
			}
			return faulty && (s.Op == Call || s.Op == Save)
		})
	}},
}

// opClasses are the steps that need no more than being there.
func opClasses() []class {
	var list []class
	for _, op := range []Op{User, SetLimits, Save, Read, Page, Reference, Replay, Diagnose, Fault, Cancel, Crash, Advance, Sweep, Plant} {
		list = append(list, class{verbs[op].name, of(op, func(Step) bool { return true })})
	}
	return list
}

// unitClasses are the units of texts.
func unitClasses() []class {
	var list []class
	for _, u := range Units {
		has := func(p Payload) bool {
			return slices.ContainsFunc(p, func(p Piece) bool { return p.Unit == u.Text && p.Count > 0 })
		}
		list = append(list, class{"unit " + u.Name, func(s *Scenario) bool {
			return slices.ContainsFunc(s.Steps, func(s Step) bool {
				return has(s.Payload) || slices.ContainsFunc(s.More, has) || slices.ContainsFunc(s.Metadata, has)
			})
		}})
	}
	return list
}
