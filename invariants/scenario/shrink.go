package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/bounding"
)

// Calls is the number of tool calls in the scenario.
func (s Scenario) Calls() int {
	n := 0
	for _, step := range s.Steps {
		if step.Op == Call {
			n++
		}
	}
	return n
}

// maxAttempts bounds how often Shrink asks.
const maxAttempts = 2_000

// Shrink returns a smaller scenario that fails as well: no step of it can be left out, and its texts are as short and as
// plain as the failure allows, unless that would take more than 2,000 attempts. It is deterministic if fails is.
func Shrink(s Scenario, fails func(Scenario) bool) Scenario {
	k := &shrinker{best: s, fails: fails, left: maxAttempts}
	for again := true; again && k.left > 0; {
		again = k.steps()
		again = k.limits() || again
		for i := 0; i < len(k.best.Steps); i++ {
			again = k.step(i) || again
		}
	}
	return k.best
}

type shrinker struct {
	best  Scenario
	fails func(Scenario) bool
	left  int
}

// try takes a candidate if it fails, too.
func (k *shrinker) try(candidate Scenario) bool {
	if k.left == 0 {
		return false
	}
	k.left--
	if !k.fails(candidate) {
		return false
	}
	k.best = candidate
	return true
}

// steps leaves out steps, many at first.
func (k *shrinker) steps() (shrunk bool) {
	for size := max(1, len(k.best.Steps)/2); size > 0; size /= 2 {
		for i := len(k.best.Steps) - size; i >= 0; i-- {
			if i+size <= len(k.best.Steps) && k.try(without(k.best, i, i+size)) {
				shrunk = true
			}
		}
	}
	return shrunk
}

// without leaves out steps. What is about a text that is left out goes, too.
func without(s Scenario, from, to int) Scenario {
	made := func(step Step) bool { return step.Op == Call || step.Op == Save }
	var gone []bool // by the number of the text
	for i, step := range s.Steps {
		if made(step) {
			gone = append(gone, i >= from && i < to)
		}
	}
	left := Scenario{Limits: s.Limits}
	for i, step := range s.Steps {
		if i >= from && i < to {
			continue
		}
		if step.Op == Tighten || step.Op == Read || step.Op == Page {
			if step.Of >= 0 && step.Of < len(gone) {
				if gone[step.Of] {
					continue
				}
				for _, g := range gone[:step.Of] {
					if g {
						step.Of--
					}
				}
			}
		}
		left.Steps = append(left.Steps, step)
	}
	return left
}

// limits tries those that every engine uses, the small ones first, and then fewer changes of tools.
func (k *shrinker) limits() bool {
	words := func(l bounding.Limits) int { return len(strings.Fields(strings.Join(formatLimits(l), " "))) }
	scaled := Scaled()
	if sameLimits(k.best.Limits, scaled) {
		return false
	}
	now := k.best.Limits
	candidate := k.best
	candidate.Limits = scaled
	if k.try(candidate) {
		return true
	}
	for _, base := range []bounding.Limits{scaled, bounding.Strict()} {
		own := now
		own.Tools, own.Aliases = base.Tools, base.Aliases
		for _, l := range []bounding.Limits{base, own} {
			if candidate.Limits = l; words(l) < words(now) && k.try(candidate) {
				return true
			}
		}
	}
	return false
}

// change tries a change of one step.
func (k *shrinker) change(i int, change func(s *Step)) bool {
	candidate := k.best
	candidate.Steps = slices.Clone(k.best.Steps)
	change(&candidate.Steps[i])
	return k.try(candidate)
}

// step makes one step plainer.
func (k *shrinker) step(i int) (shrunk bool) {
	now := k.best.Steps[i]
	plain := func(is bool, change func(s *Step)) {
		if !is {
			shrunk = k.change(i, change) || shrunk
		}
	}
	plain(now.Status == 0, func(s *Step) { s.Status = 0 })
	plain(now.Media == 0, func(s *Step) { s.Media = 0 })
	plain(!now.Nested, func(s *Step) { s.Nested = false })
	plain(!now.Bounded, func(s *Step) { s.Bounded = false })
	plain(!now.Protected, func(s *Step) { s.Protected = false })
	plain(now.Metadata == nil, func(s *Step) { s.Metadata = nil })
	plain(now.More == nil, func(s *Step) { s.More = nil })
	plain(now.Files == nil, func(s *Step) { s.Files = nil })
	plain(now.Order == nil, func(s *Step) { s.Order = nil })
	plain(now.Session == "", func(s *Step) { s.Session = "" })
	if now.Op == Call || now.Op == Save {
		id := fmt.Sprint("c", i)
		plain(len(now.ID) <= len(id), func(s *Step) { s.ID = id })
		plain(now.Tool == "shell", func(s *Step) { s.Tool = "shell" })
	}
	shrunk = k.payload(i, func(s *Step) *Payload { return &s.Payload }) || shrunk
	shrunk = k.sources(i) || shrunk
	for j := range now.Metadata {
		shrunk = k.payload(i, func(s *Step) *Payload { return at(&s.Metadata, j) }) || shrunk
	}
	for j := range now.More {
		shrunk = k.payload(i, func(s *Step) *Payload { return at(&s.More, j) }) || shrunk
	}
	return shrunk
}

// sources makes what is cited smaller: fewer sessions, fewer events, shorter texts.
func (k *shrinker) sources(i int) (shrunk bool) {
	for a := len(k.best.Steps[i].Sources) - 1; a >= 0; a-- {
		if k.change(i, func(s *Step) { s.Sources = slices.Delete(slices.Clone(s.Sources), a, a+1) }) {
			shrunk = true
			continue
		}
		own := func(s *Step) *Source {
			s.Sources = slices.Clone(s.Sources)
			source := &s.Sources[a]
			source.Events = slices.Clone(source.Events)
			return source
		}
		for size := len(k.best.Steps[i].Sources[a].Events); size > 0; size /= 2 {
			for e := len(k.best.Steps[i].Sources[a].Events) - size; e >= 0; e-- {
				if e+size <= len(k.best.Steps[i].Sources[a].Events) && k.change(i, func(s *Step) {
					source := own(s)
					source.Events = slices.Delete(source.Events, e, e+size)
				}) {
					shrunk = true
				}
			}
		}
		for e := range k.best.Steps[i].Sources[a].Events {
			shrunk = k.payload(i, func(s *Step) *Payload { return &own(s).Events[e].Text }) || shrunk
		}
	}
	return shrunk
}

// at returns an element of a list of its own.
func at(list *[]Payload, j int) *Payload {
	if j >= len(*list) {
		return new(Payload)
	}
	*list = slices.Clone(*list)
	return &(*list)[j]
}

// payload makes one text shorter: fewer pieces, then fewer repetitions, then plainer ones.
func (k *shrinker) payload(i int, of func(s *Step) *Payload) (shrunk bool) {
	now := func() Payload { s := k.best.Steps[i]; return *of(&s) }
	replace := func(p Payload) bool {
		return k.change(i, func(s *Step) { *of(s) = p })
	}
	if p := merged(now()); len(p) < len(now()) {
		shrunk = replace(p)
	}
	for j := len(now()) - 1; j >= 0; j-- {
		if p := now(); len(p) > 1 {
			shrunk = replace(slices.Delete(slices.Clone(p), j, j+1)) || shrunk
		}
	}
	for j := range now() {
		with := func(piece Piece) bool {
			p := slices.Clone(now())
			p[j] = piece
			return replace(p)
		}
		if p := now()[j]; len(p.Unit) > 1 {
			shrunk = with(Piece{p.Count * len(p.Unit), "x"}) || with(Piece{p.Count, "x"}) || shrunk
		} else if p.Unit != "x" && p.Unit != "" {
			shrunk = with(Piece{p.Count, "x"}) || shrunk
		}
		// The smallest count that fails, if all above it do.
		low, high := 0, now()[j].Count
		for low < high {
			middle := low + (high-low)/2
			if with(Piece{middle, now()[j].Unit}) {
				high, shrunk = middle, true
			} else {
				low = middle + 1
			}
		}
	}
	return shrunk
}

// merged joins pieces of one unit that stand side by side.
func merged(p Payload) Payload {
	var m Payload
	for _, piece := range p {
		if last := len(m) - 1; last >= 0 && m[last].Unit == piece.Unit {
			m[last].Count += piece.Count
		} else {
			m = append(m, piece)
		}
	}
	return m
}
