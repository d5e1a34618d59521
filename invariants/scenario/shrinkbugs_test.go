package scenario

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/bounding"
)

// slot is a result as the planner of these tests knows it.
type slot struct {
	size                                int
	failed, protected, pending, cleared bool
}

// planner clears by size, oldest first, until no more than half of the watermark is left. Its fields are what can be wrong
// with it; the zero value is right.
type planner struct {
	fires, stops, half, keep, most            int // added to what they are named for
	newestFirst, pendingFree, pendingCleared  bool
	pendingKept, failedCleared, failedKept    bool
	emptyCleared, emptyKept, protectedCleared bool
	idleExclusive, forcedBySize, all          bool
	smallFirst                                bool
}

const placeholder = 33

// plan returns which results are cleared.
func (p planner) plan(slots []slot, w bounding.Watermark, at bounding.Checkpoint) []int {
	total := 0
	for _, s := range slots {
		if !s.pending || !p.pendingFree {
			total += s.size
		}
	}
	clearable := func(s slot) bool {
		return !s.cleared && (!s.pending || p.pendingCleared) && (!s.failed || p.failedCleared) &&
			(!s.protected || p.protectedCleared) && (s.size > placeholder || p.emptyCleared)
	}
	forced := at.Trigger == bounding.OnDemand && !p.forcedBySize ||
		at.Trigger == bounding.BeforeQuery && w.IdleAfter >= 0 && (at.Gap > w.IdleAfter || at.Gap == w.IdleAfter && !p.idleExclusive)
	if !forced && (w.High < 0 || total <= w.High+p.fires) {
		return nil
	}
	keep := max(1, w.Keep) + p.keep
	kept := map[int]bool{}
	for i := len(slots) - 1; i >= 0 && keep > 0; i-- {
		s := slots[i]
		takes := clearable(s) && !s.pending || p.pendingKept && s.pending || p.failedKept && s.failed ||
			p.emptyKept && s.size <= placeholder && !s.pending && !s.cleared
		if takes {
			kept[i] = true
			keep--
		}
	}
	order := make([]int, 0, len(slots))
	for i, s := range slots {
		if clearable(s) && !kept[i] {
			order = append(order, i)
		}
	}
	if p.newestFirst {
		slices.Reverse(order)
	}
	if p.smallFirst {
		slices.SortStableFunc(order, func(a, b int) int { return slots[a].size - slots[b].size })
	}
	var cleared []int
	for _, i := range order {
		if !forced && !p.all && total <= (w.High+p.half)/2+p.stops || p.most > 0 && len(cleared) == p.most {
			break
		}
		total -= slots[i].size - placeholder
		cleared = append(cleared, i)
	}
	return cleared
}

// bugs are planners that are wrong, each by a small difference.
var bugs = []struct {
	name string
	wrong
}{
	{"fires at the watermark", planner{fires: -1}},
	{"fires one too late", planner{fires: 1}},
	{"stops just below the half", planner{stops: -1}},
	{"stops one too early", planner{stops: 1}},
	{"half is rounded up", planner{half: 1}},
	{"clears one at a time", planner{most: 1}},
	{"clears no more than two", planner{most: 2}},
	{"clears everything that is old", planner{all: true}},
	{"keeps one more", planner{keep: 1}},
	{"keeps one less", planner{keep: -1}},
	{"newest first", planner{newestFirst: true}},
	{"smallest first", planner{smallFirst: true}},
	{"pending results do not count", planner{pendingFree: true}},
	{"pending results are cleared", planner{pendingCleared: true}},
	{"pending results are kept for others", planner{pendingKept: true}},
	{"errors are cleared", planner{failedCleared: true}},
	{"errors are kept for others", planner{failedKept: true}},
	{"short results are cleared", planner{emptyCleared: true}},
	{"short results are kept for others", planner{emptyKept: true}},
	{"protected results are cleared", planner{protectedCleared: true}},
	{"the idle gap is exclusive", planner{idleExclusive: true}},
	{"on demand only by size", planner{forcedBySize: true}},
}

type wrong = planner

// differs runs a scenario with the planner that is right, and reports whether a wrong one would ever have cleared others.
func (p planner) differs(s Scenario) bool {
	in := session{limits: s.Limits}
	var history []slot
	open := 0
	for _, step := range s.Steps {
		in.after(step)
		switch step.Op {
		case Call:
			history = append(history, slot{size: in.retained(step), failed: step.Status != 0, protected: step.Protected, pending: true})
			open++
		case Batch:
			open = 0
		case Commit:
			for i := range history[:len(history)-open] {
				history[i].pending = false
			}
		case Checkpoint:
			sent, at := history[:len(history)-open], bounding.Checkpoint{Trigger: step.Trigger, Gap: step.Gap}
			right := planner{}.plan(sent, in.limits.Watermark, at)
			if !slices.Equal(right, p.plan(sent, in.limits.Watermark, at)) {
				return true
			}
			for _, i := range right {
				history[i].cleared, history[i].size = true, placeholder
			}
		}
	}
	return false
}

// TestShrinkSeededBugs shrinks what random bytes find of wrong planners: to three results in the median, and to scenarios
// of which no step can be left out.
func TestShrinkSeededBugs(t *testing.T) {
	const each = 5
	var results []int
	table := &strings.Builder{}
	for _, bug := range bugs {
		found, seed := 0, uint64(0)
		for ; found < each && seed < 20_000; seed++ {
			s := FromBytes(random(seed))
			if !bug.differs(s) {
				continue
			}
			found++
			asked := 0
			begin := time.Now()
			small := Shrink(s, func(s Scenario) bool { asked++; return bug.differs(s) })
			results = append(results, small.Calls())
			if found == 1 {
				fmt.Fprintf(table, "%-36s seed %4d: %2d steps, %2d results -> %2d steps, %d results, %4d attempts, %v\n",
					bug.name, seed, len(s.Steps), s.Calls(), len(small.Steps), small.Calls(), asked, time.Since(begin).Round(time.Microsecond))
			}
			if asked > maxAttempts {
				t.Errorf("%s, seed %d: %d attempts", bug.name, seed, asked)
			}
			if !bug.differs(small) {
				t.Fatalf("%s, seed %d: what is left does not fail", bug.name, seed)
			}
			for i := range small.Steps {
				if bug.differs(without(small, i, i+1)) {
					t.Errorf("%s, seed %d: step %d can be left out of\n%s", bug.name, seed, i, Format(small))
				}
			}
		}
		if found < each {
			t.Errorf("%s: found %d times in %d scenarios", bug.name, found, seed)
		}
	}
	slices.Sort(results)
	t.Logf("results: median %d, most %d\n%s", results[len(results)/2], results[len(results)-1], table)
	if median := results[len(results)/2]; median > 3 {
		t.Errorf("the median is %d results", median)
	}
}
