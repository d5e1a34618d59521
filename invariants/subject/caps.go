package subject

import (
	"slices"
	"strings"
)

// Caps are the capabilities of a subject by name, sorted.
type Caps []string

// The names of the capabilities.
const (
	CapBound     = "bound"
	CapTighten   = "tighten"
	CapBatch     = "batch"
	CapClear     = "clear"
	CapPlan      = "plan"
	CapSpill     = "spill"
	CapReader    = "reader"
	CapFiles     = "files"
	CapReference = "reference"
	CapReplay    = "replay"
	CapDoctor    = "doctor"
	CapReopen    = "reopen"
	CapFault     = "fault"
	CapClock     = "clock"
	CapSweep     = "sweep"
	CapLog       = "log"
	CapLinks     = "links"
)

// Limiter is a subject that can do less than its type says, such as one that stands for a program in another language: of
// the capabilities that its methods give it, only these count.
type Limiter interface {
	Caps() Caps
}

// CapsOf returns what a subject can do.
func CapsOf(s Bounder) Caps {
	if l, ok := s.(Limiter); ok {
		return l.Caps()
	}
	var caps Caps
	for _, c := range tests {
		if c.has(s) {
			caps = append(caps, c.name)
		}
	}
	slices.Sort(caps)
	return caps
}

var tests = []struct {
	name string
	has  func(Bounder) bool
}{
	{CapBound, is[Bounder]}, {CapTighten, is[Tightener]}, {CapBatch, is[Batcher]}, {CapClear, is[Clearer]},
	{CapPlan, is[Planner]}, {CapSpill, is[Spiller]}, {CapReader, is[Reader]}, {CapFiles, is[Files]},
	{CapReference, is[Referencer]}, {CapReplay, is[Replayer]}, {CapDoctor, is[Doctor]}, {CapReopen, is[Reopener]},
	{CapFault, is[Faulter]}, {CapClock, is[Clock]}, {CapSweep, is[Sweeper]}, {CapLog, is[Logger]},
	{CapLinks, is[Planter]},
}

func is[C any](s Bounder) bool {
	_, ok := s.(C)
	return ok
}

// Has reports whether all of the capabilities are there.
func (c Caps) Has(names ...string) bool {
	for _, name := range names {
		if !slices.Contains(c, name) {
			return false
		}
	}
	return true
}

func (c Caps) String() string { return strings.Join(c, ", ") }
