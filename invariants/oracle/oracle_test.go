package oracle_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/invariants/model"
	"github.com/boundcheck/boundcheck/invariants/oracle"
	"github.com/boundcheck/boundcheck/invariants/smallscope"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

// TestRightValues are the figures of WMK-8, by the naive rules.
func TestRightValues(t *testing.T) {
	w := bounding.Watermark{High: 500_000, Keep: 5, IdleAfter: time.Hour}
	at := bounding.Checkpoint{Trigger: bounding.BeforeToolTurn, Gap: bounding.NoGap}
	var slots []bounding.Slot
	var fired []int
	for step := range 167 {
		slots = append(slots, bounding.Slot{Units: 25_500, Placeholder: 33, Pending: true})
		plan := oracle.Clear(slots, w, at)
		if len(plan.Cleared) > 0 {
			fired = append(fired, step)
		}
		for _, i := range plan.Cleared {
			slots[i].Cleared = true
		}
		slots[step].Pending = false
	}
	if len(fired) != 14 || fired[0] != 19 || fired[1] != 30 || fired[13] != 162 {
		t.Errorf("fired at %v, want 14 times, at 19, 30, ... 162", fired)
	}
}

// choices turns bytes into a history whose watermark lies at a total that is reached on the way.
func choices(data []byte) ([]bounding.Slot, bounding.Watermark, bounding.Checkpoint) {
	next := func(n int) int {
		if len(data) == 0 {
			return 0
		}
		b := int(data[0])
		data = data[1:]
		return b % n
	}
	w := bounding.Watermark{Keep: next(5) - 1, IdleAfter: []time.Duration{time.Hour, 0, bounding.Never}[next(3)]}
	at := bounding.Checkpoint{Trigger: bounding.Trigger(next(4)), Gap: time.Hour + time.Duration(next(3)-1)}
	mark, odd := next(16), next(4)
	var slots []bounding.Slot
	for len(data) > 0 {
		s := bounding.Slot{Kind: bounding.Kind(max(0, next(8)-4)), Placeholder: 33 + 10*next(2), Units: []int{0, 1, 32, 33, 34, 43, 44, 100, 101, -1}[next(10)]}
		switch next(8) {
		case 0:
			s.Failed = true
		case 1:
			s.Cleared = s.Kind == bounding.ResultSlot
		case 2:
			s.Protected = true
		case 3, 4:
			s.Media = 1 + next(2)
		}
		if s.Kind == bounding.MediaSlot {
			s = bounding.Slot{Kind: bounding.MediaSlot, Media: 1}
		}
		slots = append(slots, s)
	}
	pending := min(next(3), len(slots))
	for i := range slots[len(slots)-pending:] {
		slots[len(slots)-pending+i].Pending = true
	}
	left := 0
	for i, s := range slots {
		if i >= mark && s.Kind == bounding.ResultSlot && !s.Failed && !s.Cleared {
			left += max(s.Units, 0)
		}
	}
	w.High = []int{left, 2*left - 1, 2 * left, 2*left + 1}[odd]
	return slots, w, at
}

// TestPlannersAgreeOnLongHistories holds both planners against the oracle on histories that are longer than what is searched
// completely, and with every kind of slot.
func TestPlannersAgreeOnLongHistories(t *testing.T) {
	parameters := gopter.DefaultTestParametersWithSeed(1)
	parameters.MinSuccessfulTests = 20_000
	parameters.MaxSize = 100
	fired := 0
	properties := gopter.NewProperties(parameters)
	for name, p := range map[string]subject.Planner{"PlanClear": model.New(), "Tracker": model.Incremental()} {
		properties.Property(name, prop.ForAll(func(data []byte) (string, error) {
			slots, w, at := choices(data)
			want := oracle.Clear(slots, w, at)
			if len(want.Cleared) > 0 {
				fired++
			}
			if got := p.Plan(slices.Clone(slots), w, at); !smallscope.Agrees(got, want) {
				return "", fmt.Errorf("%+v %+v\n%+v\ngot  %+v\nwant %+v", w, at, slots, got, want)
			}
			return "", nil
		}, gen.SliceOf(gen.UInt8())))
	}
	properties.TestingRun(t)
	if fired < 4_000 {
		t.Errorf("only %d of the histories cleared something", fired)
	}
}

// TestSharing holds the sharing of a budget against the oracle: every message of up to 5 results of a few sizes, with every
// budget up to the sum.
func TestSharing(t *testing.T) {
	const stubSize, floor = 3, 2
	sizes := []int{0, 1, stubSize, stubSize + 1, 9}
	cases := 0
	for n := range 5 {
		letters := make([]int, n)
		for {
			message, sum := make([]int, n), 0
			for i, l := range letters {
				message[i] = sizes[l]
				sum += message[i]
			}
			for budget := -1; budget <= sum+1; budget++ {
				cases++
				checkSharing(t, message, budget, stubSize, floor)
			}
			i := n - 1
			for ; i >= 0 && letters[i] == len(sizes)-1; i-- {
				letters[i] = 0
			}
			if i < 0 {
				break
			}
			letters[i]++
		}
	}
	t.Logf("%d cases", cases)
}

func checkSharing(t *testing.T, message []int, budget, stub, floor int) {
	t.Helper()
	got := bounding.PlanBatch(message, budget, bounding.LargestFirst, func(int) bounding.Stub { return bounding.Stub{Size: stub, Floor: floor} })
	constant := func(n int) func(int) int { return func(int) int { return n } }
	want := oracle.Batch(message, budget, constant(stub), constant(floor))
	for i := range message {
		if got.Max[i] != want[i].Max || slices.Contains(got.Offloaded, i) != want[i].Offloaded {
			t.Fatalf("%v with a budget of %d: got %v, offloaded %v; want %v", message, budget, got.Max, got.Offloaded, want)
		}
	}
}

// TestDecisions holds a pipeline against the oracle at every limit of a tool.
func TestDecisions(t *testing.T) {
	l := bounding.Strict()
	l.Threshold, l.Headroom, l.Lines, l.Preview = 1_000, 100, 50, 100
	l.Tools = map[string]bounding.Tool{
		"small": {Budget: 700}, "large": {Budget: 5_000}, "exempt": {Budget: 3_000, Exempt: true}, "free": {Budget: bounding.Unlimited, Exempt: true},
	}
	p, err := bounding.New(l, bounding.WithStore(&spill.Memory{}), bounding.WithSession("s"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"plain", "small", "large", "exempt", "free"} {
		for _, limit := range []int{700, 1_000, 1_100, 3_000, 5_000} {
			for _, size := range []int{limit - 1, limit, limit + 1} {
				for _, unit := range []string{"x", "0123456789012345678\n"} {
					for _, bounded := range []bool{false, true} {
						out := bounding.Output{Call: bounding.Call{ID: "c", Tool: tool}, Bounded: bounded,
							Text: strings.Repeat(unit, size/len(unit)+1)[:size]}
						want := oracle.Bound(l, out)
						got := p.Bound(t.Context(), out)
						if got.State() != want.State || got.Outcome() != want.Outcome {
							t.Errorf("%s, %d units of %q, bounded %t: %v and %v, want %v and %v",
								tool, size, unit, bounded, got.State(), got.Outcome(), want.State, want.Outcome)
						}
						if want.Limit >= 0 && got.BodySize() > want.Limit {
							t.Errorf("%s, %d units: body of %d, want at most %d", tool, size, got.BodySize(), want.Limit)
						}
					}
				}
			}
		}
	}
}
