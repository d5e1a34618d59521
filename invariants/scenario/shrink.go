package scenario

import (
	"slices"

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
// plain, and its limits as usual, as the failure allows. It asks no more than 2,000 times, and what it asks is determined by
// the scenario and the answers. Steps are left out first: only a scenario that stays long after that, some 500 steps, can
// exhaust the attempts before each of its steps was tried.
func Shrink(s Scenario, fails func(Scenario) bool) Scenario {
	k := &shrinker{best: s, fails: fails, left: maxAttempts}
	k.steps(len(s.Steps) / 2)
	k.all()
	// With more room, fewer results may do.
	small := k.best
	if small.Calls() > 2 && (k.under(Roomy()) || k.try(rescaled(small, Roomy()))) {
		k.steps(2)
		k.merge()
		k.all()
		if len(k.best.Steps) >= len(small.Steps) {
			return small
		}
	}
	return k.best
}

// all shrinks in every way as long as one of them helps.
func (k *shrinker) all() {
	for again := true; again && k.left > 0; {
		k.spare(func() {
			again = k.limits()
			for i := 0; i < len(k.best.Steps); i++ {
				again = k.step(i) || again
			}
		})
		again = k.steps(2) || again
	}
}

// merge makes one result of two where the failure is about their total.
func (k *shrinker) merge() {
	for i := 0; i < len(k.best.Steps); i++ {
		j := i + 1
		for j < len(k.best.Steps) && k.best.Steps[j].Op != Call {
			j++
		}
		if j == len(k.best.Steps) || k.best.Steps[i].Op != Call {
			continue
		}
		merged := k.best
		merged.Steps = slices.Clone(k.best.Steps)
		merged.Steps[j].Payload = slices.Concat(merged.Steps[i].Payload, merged.Steps[j].Payload)
		if k.try(without(merged, i, i+1)) {
			i--
		}
	}
}

type shrinker struct {
	best  Scenario
	fails func(Scenario) bool
	left  int // attempts
}

// spare keeps enough attempts back to try each step once more.
func (k *shrinker) spare(shrink func()) {
	reserve := min(k.left, 3*len(k.best.Steps))
	k.left -= reserve
	shrink()
	k.left += reserve
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

// steps leaves out steps, so many at first, until none can be left out by itself.
func (k *shrinker) steps(size int) (shrunk bool) {
	for size = max(1, size); ; {
		found := false
		for i := len(k.best.Steps) - size; i > -size; i -= size {
			if from := max(0, i); from < len(k.best.Steps) && k.try(without(k.best, from, min(i+size, len(k.best.Steps)))) {
				found, shrunk = true, true
			}
		}
		switch {
		case size > 1:
			size /= 2
		case !found:
			return shrunk
		}
	}
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

// limits tries limits that every engine uses, the small ones first, then fewer changes of them.
func (k *shrinker) limits() bool {
	scaled := Scaled()
	if sameLimits(k.best.Limits, scaled) || sameLimits(k.best.Limits, Roomy()) {
		return false
	}
	if k.try(rescaled(k.best, scaled)) || k.under(scaled) {
		return true
	}
	shrunk := false
	for _, base := range []bounding.Limits{scaled, Roomy(), bounding.Strict()} {
		for _, change := range lessUnusual(base) {
			l := k.best.Limits
			if change(&l); length(formatLimits(l)) < length(formatLimits(k.best.Limits)) {
				shrunk = k.under(l) || shrunk
			}
		}
	}
	return shrunk
}

// under tries other limits.
func (k *shrinker) under(l bounding.Limits) bool {
	candidate := k.best
	candidate.Limits = l
	return k.try(candidate)
}

// lessUnusual are the ways to make limits more like others.
func lessUnusual(base bounding.Limits) []func(l *bounding.Limits) {
	changes := []func(l *bounding.Limits){
		func(l *bounding.Limits) { *l = base },
		func(l *bounding.Limits) { l.Tools, l.Aliases = base.Tools, base.Aliases },
	}
	for _, f := range limitFields {
		changes = append(changes, func(l *bounding.Limits) {
			usual := base
			// The value was written from such a field, so that it can be read.
			_ = set(f.of(l), get(f.of(&usual)))
		})
	}
	return changes
}

// rescaled is the scenario under other limits, with texts that are as far from these as they were from their own.
func rescaled(s Scenario, to bounding.Limits) Scenario {
	from := s.Limits
	marks := func(l bounding.Limits) []int {
		return []int{l.Threshold, l.Threshold + l.Headroom, l.Watermark.High, l.Watermark.Low(), l.Batch, l.Preview, l.Lines}
	}
	was, is := marks(from), marks(to)
	count := func(n int) int {
		for i := range was {
			if d := n - was[i]; d >= -3 && d <= 3 && n > 10 {
				return max(0, is[i]+d)
			}
		}
		if from.Threshold <= to.Threshold || n <= 10 {
			return n
		}
		return n * to.Threshold / from.Threshold
	}
	s.Limits = to
	s.Steps = slices.Clone(s.Steps)
	for i := range s.Steps {
		p := slices.Clone(s.Steps[i].Payload)
		for j := range p {
			p[j].Count = count(p[j].Count)
		}
		s.Steps[i].Payload = p
	}
	return s
}
