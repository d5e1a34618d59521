package smallscope

import (
	"slices"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/oracle"
	"github.com/boundcheck/boundcheck/invariants/scenario"
)

// Command is one thing that happens to a session.
type Command uint8

const (
	AddMid   Command = iota // a pending result that can be cleared
	AddBig                  // a larger one with a medium
	AddError                // an error
	AddMedia                // a medium without text
	Commit                  // everything was sent
	Turn                    // a checkpoint before a tool turn
	Idle                    // one after the gap
)

var added = map[Command]kind{AddMid: committed[1], AddBig: committed[2], AddError: committed[3], AddMedia: committed[5]}

// at is the checkpoint of a command, if it is one.
func (c Command) at() (bounding.Checkpoint, bool) {
	switch c {
	case Turn:
		return toolTurn, true
	case Idle:
		return idle, true
	}
	return bounding.Checkpoint{}, false
}

// Decision is a checkpoint that some commands lead to.
type Decision struct {
	Commands  []Command // up to the checkpoint and with it
	Slots     []bounding.Slot
	Watermark bounding.Watermark
	At        bounding.Checkpoint
	Want      oracle.Plan
}

// Walked says how much a walk saw.
type Walked struct{ States, Transitions int }

// Sequences walks breadth-first over every history of at most n results that commands lead to, and shows each checkpoint
// on the way to visit, with the shortest commands that lead there. Each history is walked on from what the requirements make
// of it. The walk ends when visit returns false.
func Sequences(n, high, keep int, visit func(d Decision) bool) Walked {
	type state struct {
		slots  []bounding.Slot
		parent int
		by     Command
	}
	mark := occasion{high: high, keep: keep}.watermark()
	states := []state{{}}
	known := map[string]bool{"": true}
	walked := Walked{}
	commands := func(i int, last Command) []Command {
		list := []Command{last}
		for ; i > 0; i = states[i].parent {
			list = append(list, states[i].by)
		}
		slices.Reverse(list)
		return list
	}
	for i := 0; i < len(states); i++ {
		from := states[i].slots
		for c := AddMid; c <= Idle; c++ {
			next := slices.Clone(from)
			if k, ok := added[c]; ok {
				if len(from) == n {
					continue
				}
				s := k.slot
				s.Pending = true
				next = append(next, s)
			}
			if c == Commit {
				for j := range next {
					next[j].Pending = false
				}
			}
			if at, ok := c.at(); ok {
				want := oracle.Clear(from, mark, at)
				if !visit(Decision{commands(i, c), slices.Clone(from), mark, at, want}) {
					return walked
				}
				for _, j := range want.Cleared {
					next[j].Cleared, next[j].Units, next[j].Media = true, next[j].Placeholder, 0
				}
			}
			walked.Transitions++
			key := keyOf(next)
			if known[key] {
				continue
			}
			known[key] = true
			states = append(states, state{next, i, c})
		}
	}
	walked.States = len(states)
	return walked
}

func keyOf(slots []bounding.Slot) string {
	key := make([]byte, len(slots))
	for i, s := range slots {
		key[i] = byte(s.Units) | byte(s.Media)<<3
		for j, set := range []bool{s.Failed, s.Cleared, s.Pending} {
			if set {
				key[i] |= 0x10 << j
			}
		}
	}
	return string(key)
}

// Scenario is the session of a decision as texts, with a watermark in the same proportion. Decisions at the very border are
// what [Histories] is for.
func (d Decision) Scenario() scenario.Scenario {
	s := scenario.Scenario{Limits: limits(occasion{d.Watermark.High * sizes["mid"] / added[AddMid].slot.Units, d.Watermark.Keep, d.At})}
	for i, c := range d.Commands {
		if k, ok := added[c]; ok {
			s.Steps = append(s.Steps, call(k.name, i), scenario.Step{Op: scenario.Batch})
		} else if at, ok := c.at(); ok {
			s.Steps = append(s.Steps, scenario.Step{Op: scenario.Checkpoint, Trigger: at.Trigger, Gap: at.Gap})
		} else {
			s.Steps = append(s.Steps, scenario.Step{Op: scenario.Commit})
		}
	}
	return s
}
