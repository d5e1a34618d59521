package bounding

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// alphabet holds one slot of each sort that the rules tell apart. Placeholders measure 2.
var alphabet = []Slot{
	{Units: 3, Placeholder: 2},
	{Units: 4, Placeholder: 2},
	{Units: 2, Placeholder: 2}, // no longer than its placeholder
	{Units: 0, Placeholder: 2},
	{Units: 0, Placeholder: 2, Media: 1},
	{Units: 1, Placeholder: 2, Media: 1},
	{Units: 3, Placeholder: 2, Failed: true, Media: 1},
	{Units: 3, Placeholder: 2, Protected: true},
	{Units: 2, Placeholder: 2, Cleared: true},
	{Kind: NestedMediaSlot, Units: 3, Media: 1},
	{Kind: NestedMediaSlot, Units: 3, Media: 1, Failed: true},
	{Kind: MediaSlot, Media: 1},
	{Kind: OtherSlot, Units: 3, Media: 1},
}

// eachHistory calls f with every history of up to n slots of the alphabet, and every number of pending slots at its end
// up to two. The slice is used again.
func eachHistory(n int, f func([]Slot)) {
	var grow func(slots []Slot)
	grow = func(slots []Slot) {
		for pending := range min(len(slots), 2) + 1 {
			h := slices.Clone(slots)
			for i := range pending {
				h[len(h)-1-i].Pending = true
			}
			f(h)
		}
		if len(slots) == n {
			return
		}
		for _, s := range alphabet {
			grow(append(slots, s))
		}
	}
	grow(nil)
}

var smallScopeWatermarks = []Watermark{
	{High: Unlimited, Keep: 1, IdleAfter: time.Minute},
	{High: 0, Keep: 0, IdleAfter: Never},
	{High: 3, Keep: 2, IdleAfter: time.Minute},
	{High: 6, Keep: 1, IdleAfter: time.Minute},
	{High: 7, Keep: 1, IdleAfter: 0},
}

var smallScopeCheckpoints = []Checkpoint{
	{Trigger: BeforeToolTurn, Gap: time.Hour},
	{Trigger: BeforeQuery, Gap: time.Minute},
	{Trigger: BeforeQuery, Gap: time.Minute - 1},
	{Trigger: OnDemand},
	{Trigger: MemoryPressure},
}

// TestPlanClearExhaustive compares the planner with the oracle on every small history, and checks that those histories
// tell every named wrong implementation from the right one.
//
// spec: WMK-1, WMK-2, WMK-3, WMK-4, WMK-5, WMK-10, WMK-11
func TestPlanClearExhaustive(t *testing.T) {
	alive := slices.Clone(oracleFaults)
	eachHistory(scope(4), func(slots []Slot) {
		before := slices.Clone(slots)
		for _, w := range smallScopeWatermarks {
			for _, at := range smallScopeCheckpoints {
				got := PlanClear(slots, w, at)
				want, reason := oracle{}.cleared(slots, w, at)
				if !slices.Equal(got.Cleared, want) || got.Reason != reason {
					t.Fatalf("slots %+v\n%+v, %+v\ncleared %v by %v, want %v by %v", slots, w, at, got.Cleared, got.Reason, want, reason)
				}
				checkNumbers(t, slots, w, got)
				if len(slots) > 3 {
					continue
				}
				alive = slices.DeleteFunc(alive, func(fault string) bool {
					list, why := oracle{fault}.cleared(slots, w, at)
					return !slices.Equal(list, got.Cleared) || why != got.Reason
				})
			}
		}
		if !slices.Equal(slots, before) {
			t.Fatal("the planner changed its input")
		}
	})
	if len(alive) > 0 {
		t.Errorf("no small history tells these wrong implementations from the right one: %q", alive)
	}
}

// scope is the length of the histories of an exhaustive test: one less with -short.
func scope(n int) int {
	if testing.Short() {
		return n - 1
	}
	return n
}

// checkNumbers recounts the numbers of a plan.
//
// spec: WMK-6, WMK-10
func checkNumbers(t *testing.T, slots []Slot, w Watermark, p ClearPlan) {
	t.Helper()
	if p.Reason == NotFired {
		if !reflect.DeepEqual(p, ClearPlan{}) {
			t.Fatalf("a checkpoint at which nothing fired says %+v", p)
		}
		return
	}
	after := apply(slots, p)
	want := ClearPlan{
		Reason: p.Reason, Cleared: p.Cleared, Kept: p.Kept, High: w.High, Low: w.Low(),
		KeptUnits: p.KeptUnits, SmallUnits: p.SmallUnits, MediaKept: p.MediaKept,
	}
	for i, s := range slots {
		n := oracle{}.units(s)
		want.Before += n
		switch {
		case s.Pending:
			want.Pending += n
			continue
		case s.Protected:
			want.ProtectedUnits += n
		}
		want.After += oracle{}.units(after[i])
		if s.Kind != OtherSlot {
			want.MediaBefore += s.Media
			want.Media += s.Media - after[i].Media
		}
		if s.Kind == ResultSlot && after[i] != s {
			want.Results++
		}
	}
	if !reflect.DeepEqual(want, p) { // a hundred times as fast as the diff
		t.Fatalf("slots %+v\n%+v\nwrong numbers (-want +got):\n%s", slots, w, cmp.Diff(want, p))
	}
	// Either the target is reached, or nothing is left that may be cleared.
	if rest := p.After - p.KeptUnits - p.ProtectedUnits - p.SmallUnits; rest > 0 && p.SoftExceeded() {
		t.Fatalf("slots %+v\n%+v\nabove the watermark with %d clearable units left: %+v", slots, w, rest, p)
	}
	if p.KeptUnits+p.ProtectedUnits+p.SmallUnits > p.After {
		t.Fatalf("slots %+v\n%+v\nmore units are said to be kept than remain: %+v", slots, w, p)
	}
}

// apply returns the history after a plan.
func apply(slots []Slot, p ClearPlan) []Slot {
	slots = slices.Clone(slots)
	for _, i := range p.Cleared {
		if slots[i].Kind == ResultSlot {
			slots[i].Cleared, slots[i].Units = true, slots[i].Placeholder
		}
		slots[i].Media = 0
	}
	return slots
}

// results returns committed results of these sizes, the last n of them pending.
func results(pending int, units ...int) []Slot {
	slots := make([]Slot, len(units))
	for i, n := range units {
		slots[i] = Slot{Units: n, Placeholder: 33, Pending: i >= len(units)-pending}
	}
	return slots
}

func TestClearTable(t *testing.T) {
	qwen := Watermark{High: 500_000, Keep: 5, IdleAfter: Never}
	toolTurn := Checkpoint{Trigger: BeforeToolTurn}
	repeat := func(n, size int) []int { return slices.Repeat([]int{size}, n) }
	for _, tt := range []struct {
		name    string
		slots   []Slot
		w       Watermark
		cleared []int
		after   int
		soft    bool
	}{
		// spec: WMK-1, exactly H is quiet
		{"just below H", results(0, 250_000, 249_999), Watermark{High: 500_000, Keep: 1}, nil, 0, false},
		{"exactly H", results(0, 250_000, 250_000), Watermark{High: 500_000, Keep: 1}, nil, 0, false},
		{"just above H", results(0, 250_000, 250_001), Watermark{High: 500_000, Keep: 1}, []int{0}, 250_001, true},
		// spec: WMK-6, exactly on L is not soft-exceeded
		{"landing on L", results(0, 250_001, 250_000), Watermark{High: 500_000, Keep: 1}, []int{0}, 250_000, false},
		{"odd H rounds down", results(0, 60, 51), Watermark{High: 101, Keep: 1}, []int{0}, 51, true},
		{"odd H, on L", results(0, 60, 50), Watermark{High: 101, Keep: 1}, []int{0}, 50, false},
		// spec: WMK-8
		{"5 pending leave the 5 newest committed", results(5, repeat(12, 60_000)...), qwen, []int{0, 1}, 300_000, true},
		// field report O078
		{"5 committed, 5 pending, nothing clearable", results(5, repeat(10, 60_000)...), qwen, nil, 300_000, true},
		// field report O079
		{"5 empty results take no slot", results(0, append(repeat(10, 60_000), 0, 0, 0, 0, 0)...), qwen,
			[]int{0, 1, 2, 3, 4}, 300_000, true},
		// field report O080
		{"30 small results", results(0, repeat(30, 50)...), Watermark{High: 200_000, Keep: 6}, nil, 0, false},
		// spec: WMK-5, 0 is active, below 0 is off
		{"H of 0", results(0, 40, 40), Watermark{High: 0, Keep: 1}, []int{0}, 40, true},
		{"H below 0", results(0, 40, 40), Watermark{High: -7, Keep: 1}, nil, 0, false},
		// spec: WMK-3, just below, at and just above the length of the placeholder
		{"34 units shrink", results(0, 34, 100), Watermark{High: 100, Keep: 1}, []int{0}, 100, true},
		{"33 units do not", results(0, 33, 100), Watermark{High: 100, Keep: 1}, nil, 133, true},
		{"32 units do not", results(0, 32, 100), Watermark{High: 100, Keep: 1}, nil, 132, true},
		{"unless small ones are cleared, too", results(0, 32, 100), Watermark{High: 100, Keep: 1, ClearSmall: true},
			[]int{0}, 100, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := PlanClear(tt.slots, tt.w, toolTurn)
			if !slices.Equal(p.Cleared, tt.cleared) || p.After != tt.after || p.SoftExceeded() != tt.soft {
				t.Errorf("cleared %v, after %d, soft %t; want %v, %d, %t",
					p.Cleared, p.After, p.SoftExceeded(), tt.cleared, tt.after, tt.soft)
			}
		})
	}
}

// session plays a session of equal results, each checked while pending, and returns the steps at which history was
// rewritten.
func session(n, size int, w Watermark, plan func([]Slot) ClearPlan) (steps []int) {
	var slots []Slot
	for step := range n {
		slots = append(slots, Slot{Units: size, Placeholder: 33, Pending: true})
		if p := plan(slots); len(p.Cleared) > 0 {
			slots = apply(slots, p)
			steps = append(steps, step)
		}
		slots[step].Pending = false
	}
	return steps
}

// spec: WMK-8
func TestRewritesOf167Results(t *testing.T) {
	w := Watermark{High: 500_000, Keep: 5, IdleAfter: Never}
	pure := func(slots []Slot) ClearPlan { return PlanClear(slots, w, Checkpoint{}) }
	want := []int{19, 30, 41, 52, 63, 74, 85, 96, 107, 118, 129, 140, 151, 162}
	if got := session(167, 25_500, w, pure); !slices.Equal(got, want) {
		t.Errorf("rewrites at %v, want %v", got, want)
	}
	for _, size := range []int{25_400, 25_600} {
		if got := session(167, size, w, pure); len(got) != 14 {
			t.Errorf("%d rewrites of results of %d, want 14", len(got), size)
		}
	}
	stopAtHigh := func(slots []Slot) ClearPlan {
		list, why := oracle{"low is H"}.cleared(slots, w, Checkpoint{})
		return ClearPlan{Reason: why, Cleared: list}
	}
	if got := session(167, 25_500, w, stopAtHigh); len(got) != 148 {
		t.Errorf("%d rewrites when clearing stops at H, want 148", len(got))
	}
}

// spec: WMK-8
func TestProtectedSaturationFiresTwiceAndRests(t *testing.T) {
	w := Watermark{High: 500_000, Keep: 5, IdleAfter: Never}
	slots := results(1, 100_000, 100_000, 100_000, 100_000, 100_000, 100_000, 100_000)
	var fired []bool
	for range 4 {
		p := PlanClear(slots, w, Checkpoint{})
		fired = append(fired, p.Reason == SizePath)
		slots = apply(slots, p)
		slots[6].Pending = false
	}
	if want := []bool{true, true, false, false}; !slices.Equal(fired, want) {
		t.Errorf("fired %v, want %v", fired, want)
	}
}

// The fault: an error that carries media takes a keep slot of the idle path and can never be cleared.
//
// spec: WMK-2, WMK-4
func TestFaultErrorWithMediaTakesNoSlot(t *testing.T) {
	slots := []Slot{
		{Units: 100, Placeholder: 33},
		{Units: 100, Placeholder: 33},
		{Units: 100, Placeholder: 33, Failed: true, Media: 1},
	}
	w := Watermark{High: Unlimited, Keep: 2, IdleAfter: time.Hour}
	at := Checkpoint{Trigger: BeforeQuery, Gap: time.Hour}
	if p := PlanClear(slots, w, at); len(p.Cleared) != 0 {
		t.Errorf("cleared %v: the error took a slot", p.Cleared)
	}
	w.FailedMediaKept = true
	if p := PlanClear(slots, w, at); !slices.Equal(p.Cleared, []int{0}) {
		t.Errorf("the source system clears [0], this %v", p.Cleared)
	}
	slots[0] = slots[2] // outside the window, and still an error
	if p := PlanClear(slots, Watermark{High: Unlimited, Keep: 1, FailedMediaKept: true}, at); !slices.Equal(p.Cleared, []int{1}) {
		t.Errorf("cleared %v: an error is never cleared", p.Cleared)
	}
}

// spec: WMK-4
func TestIdlePathKeepsRecentMediaOnlyResults(t *testing.T) {
	mediaOnly := Slot{Media: 1, Placeholder: 33}
	slots := []Slot{mediaOnly, mediaOnly, {Units: 100, Placeholder: 33}, mediaOnly}
	w := Watermark{High: Unlimited, Keep: 2, IdleAfter: time.Hour}
	for gap, want := range map[time.Duration][]int{
		time.Hour - 1: nil, time.Hour: {0, 1}, time.Hour + 1: {0, 1}, NoGap: nil,
	} {
		if p := PlanClear(slots, w, Checkpoint{Trigger: BeforeQuery, Gap: gap}); !slices.Equal(p.Cleared, want) {
			t.Errorf("gap %v: cleared %v, want %v", gap, p.Cleared, want)
		}
	}
	if p := PlanClear(slots, Watermark{High: 10, Keep: 1, IdleAfter: Never}, Checkpoint{}); len(p.Cleared) != 0 {
		t.Errorf("the size path cleared %v: media-only results are none of its business", p.Cleared)
	}
}

// The fault: an idle checkpoint that finds nothing does not try the size path.
//
// spec: WMK-4
func TestFaultIdleThatClearsNothingGoesOnBySize(t *testing.T) {
	// The window of two protects the text on the idle path; the size path does not count the media-only result.
	slots := []Slot{{Units: 100, Placeholder: 33}, {Units: 100, Placeholder: 33}, {Units: 0, Media: 1, Placeholder: 33}}
	slots[2].Pending = true
	w := Watermark{High: 150, Keep: 2, IdleAfter: time.Hour}
	at := Checkpoint{Trigger: BeforeQuery, Gap: time.Hour}
	if p := PlanClear(slots, w, at); p.Reason != SizePath {
		t.Errorf("reason %v: the size path must have run", p.Reason)
	}
	w.IdleIsFinal = true
	if p := PlanClear(slots, w, at); p.Reason != NotFired {
		t.Errorf("reason %v, the source system says nothing", p.Reason)
	}
}

// spec: WMK-5, WMK-11
func TestDisabledPathsStayOff(t *testing.T) {
	off := Watermark{High: Unlimited, Keep: 1, IdleAfter: Never}
	slots := results(0, 1_000_000, 1_000_000, 1_000_000)
	for _, trigger := range []Trigger{BeforeToolTurn, BeforeQuery, MemoryPressure, Trigger(99)} {
		if p := PlanClear(slots, off, Checkpoint{Trigger: trigger, Gap: 1000 * time.Hour}); !cmp.Equal(p, ClearPlan{}) {
			t.Errorf("%v: %+v", trigger, p)
		}
	}
	if p := PlanClear(slots, off, Checkpoint{Trigger: OnDemand}); !slices.Equal(p.Cleared, []int{0, 1}) || p.SoftExceeded() {
		t.Errorf("on demand: cleared %v, want [0 1]: it is not asked to obey the limits", p.Cleared)
	}
}

func TestPlanClearTakesAnyNumbers(t *testing.T) {
	const huge = int(^uint(0) >> 1)
	slots := []Slot{{Units: huge}, {Units: huge, Media: huge}, {Units: -huge}, {Kind: MediaSlot, Media: huge}, {Kind: 77, Units: 5, Media: 5}}
	for _, high := range []int{-huge, -1, 0, 1, huge} {
		for _, keep := range []int{-huge, 0, 1, huge} {
			for trigger := range Trigger(5) {
				p := PlanClear(slots, Watermark{High: high, Keep: keep}, Checkpoint{Trigger: trigger})
				if p.Before < 0 || p.After < 0 || p.Media < 0 || slices.Contains(p.Cleared, 4) {
					t.Errorf("H %d, K %d, %v: %+v", high, keep, trigger, p)
				}
			}
		}
	}
}

// The arithmetic for results of one size: n1 = H/s + 1 results until the first rewrite, m = L/s that survive one.
//
// spec: WMK-8
func TestRewritesOfEqualResults(t *testing.T) {
	w := Qwen().Watermark
	w.High = 5_000
	for size := 40; size < 400; size += 7 {
		n1, m := w.High/size+1, w.Low()/size
		if w.Keep+1 > m {
			break
		}
		n := 3*n1 + 5
		want := 1 + (n-n1)/(n1-m)
		if got := session(n, size, w, func(slots []Slot) ClearPlan { return PlanClear(slots, w, Checkpoint{}) }); len(got) != want {
			t.Errorf("%d results of %d: %d rewrites, want %d", n, size, len(got), want)
		}
	}
}

// Which results count towards clearing under Qwen, by the list of the source system.
//
// spec: WMK-1
func TestQwenClearsItsOwnTools(t *testing.T) {
	l := Qwen()
	for tool, fixed := range map[string]bool{
		"read_file": false, "run_shell_command": false, "grep_search": false, "glob": false, "web_fetch": false, "web_search": false,
		"read_mcp_resource": false, "edit": false, "write_file": false, "skill": false, "search_file_content": false, "replace": false,
		"agent": true, "task": true, "mcp__a__b": true, "list_directory": true, "todo_write": true, "exec": true, "enter_plan_mode": true,
	} {
		if got := l.Tool(tool).Fixed; got != fixed {
			t.Errorf("%s: fixed %t", tool, got)
		}
	}
	if l.Sharing != WaterFill || Strict().Sharing != LargestFirst {
		t.Error("the presets share in another way")
	}
}
