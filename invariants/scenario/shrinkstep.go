package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/bounding"
)

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
	plain(now.Media <= 1, func(s *Step) { s.Media = min(s.Media, 1) })
	plain(!now.Nested, func(s *Step) { s.Nested = false })
	plain(!now.Bounded, func(s *Step) { s.Bounded = false })
	plain(!now.Protected, func(s *Step) { s.Protected = false })
	plain(now.Files == nil, func(s *Step) { s.Files = nil })
	plain(now.Order == nil, func(s *Step) { s.Order = nil })
	plain(now.Session == "", func(s *Step) { s.Session = "" })
	plain(now.Offset == 0, func(s *Step) { s.Offset = 0 })
	plain(now.Limit == 0, func(s *Step) { s.Limit = 0 })
	plain(now.Trigger == 0, func(s *Step) { s.Trigger = 0 })
	plain(now.Seed == 0, func(s *Step) { s.Seed = 0 })
	plain(now.Op != Checkpoint || now.Gap == 0, func(s *Step) { s.Gap = 0 })
	plain(now.Program == "" || now.Program == plainFault, func(s *Step) { s.Program = plainFault })
	plain(now.Op != SetLimits, func(s *Step) { s.Limits = &[]bounding.Limits{Scaled()}[0] })
	if now.Op == Call || now.Op == Save {
		id := fmt.Sprint("c", i)
		plain(!strings.HasPrefix(quote(now.ID), `"`) && len(now.ID) <= len(id), func(s *Step) { s.ID = id })
		plain(now.Tool == "shell" || now.Tool == "look_up", func(s *Step) { s.Tool = "look_up" })
		plain(now.Tool == "shell" || now.Tool == "look_up", func(s *Step) { s.Tool = "shell" })
	}
	shrunk = k.parts(i, func(s *Step) *[]Payload { return &s.More }) || shrunk
	shrunk = k.parts(i, func(s *Step) *[]Payload { return &s.Metadata }) || shrunk
	shrunk = k.payload(i, func(s *Step) *Payload { return &s.Payload }) || shrunk
	return k.sources(i) || shrunk
}

const plainFault = "(fail EIO)"

// fewer leaves out elements of a list of a step, many at first.
func fewer[T any](k *shrinker, i int, of func(s *Step) *[]T) (shrunk bool) {
	now := func() []T { s := k.best.Steps[i]; return *of(&s) }
	for size := len(now()); size > 0; size /= 2 {
		for j := len(now()) - size; j >= 0; j -= size {
			shrunk = k.change(i, func(s *Step) { list := of(s); *list = leave(*list, j, j+size) }) || shrunk
		}
	}
	return shrunk
}

// leave returns a list without some elements, and nil for none.
func leave[T any](list []T, from, to int) []T {
	if to-from == len(list) {
		return nil
	}
	return slices.Delete(slices.Clone(list), from, to)
}

// parts makes a list of texts shorter, and then each text.
func (k *shrinker) parts(i int, of func(s *Step) *[]Payload) bool {
	shrunk := fewer(k, i, of)
	step := k.best.Steps[i]
	for j := range *of(&step) {
		shrunk = k.payload(i, func(s *Step) *Payload { return own(of(s), j) }) || shrunk
	}
	return shrunk
}

// sources makes what is cited shorter.
func (k *shrinker) sources(i int) bool {
	shrunk := fewer(k, i, func(s *Step) *[]Source { return &s.Sources })
	for j := range k.best.Steps[i].Sources {
		events := func(s *Step) *[]Event { return &own(&s.Sources, j).Events }
		shrunk = fewer(k, i, events) || shrunk
		for e := range k.best.Steps[i].Sources[j].Events {
			shrunk = k.payload(i, func(s *Step) *Payload { return &own(events(s), e).Text }) || shrunk
		}
	}
	return shrunk
}

// own returns an element of a list that is the step's own from here on.
func own[T any](list *[]T, j int) *T {
	*list = slices.Clone(*list)
	return &(*list)[j]
}

// payload makes one text shorter: fewer pieces, plainer ones, then fewer repetitions.
func (k *shrinker) payload(i int, of func(s *Step) *Payload) (shrunk bool) {
	now := func() Payload { s := k.best.Steps[i]; return *of(&s) }
	replace := func(p Payload) bool {
		return k.change(i, func(s *Step) { *of(s) = p })
	}
	if p := now(); len(p) > 1 { // one plain text of the same size
		shrunk = replace(Of(p.Len(), "x"))
	}
	if p := merged(now()); len(p) < len(now()) {
		shrunk = replace(p) || shrunk
	}
	for size := len(now()) / 2; size > 0; size /= 2 {
		for j := len(now()) - size; j >= 0 && len(now()) > size; j -= size {
			shrunk = replace(leave(now(), j, min(j+size, len(now())))) || shrunk
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
		shrunk = k.repetitions(now()[j].Count, func(n int) bool { return with(Piece{n, now()[j].Unit}) }) || shrunk
	}
	return shrunk
}

// repetitions looks for the smallest count that fails. A search by halves finds it if all above it fail, too; where it is
// stuck, the failure may need an exact size, and those just above the limits and small ones are tried by themselves.
func (k *shrinker) repetitions(count int, fails func(n int) bool) bool {
	low, high := 0, count
	for low < high {
		if middle := low + (high-low)/2; fails(middle) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	for _, n := range append([]int{0, 1, 2}, k.marks()...) {
		if n < high && fails(n) {
			return true
		}
	}
	return high < count
}

// marks are the sizes at which limits begin to matter, in rising order.
func (k *shrinker) marks() []int {
	l := k.best.Limits
	marks := []int{l.Preview + 1, l.Lines + 1, l.Threshold + 1, l.Threshold + l.Headroom + 1, l.Watermark.Low() + 1, l.Watermark.High + 1}
	slices.Sort(marks)
	return slices.Compact(marks)
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
