package bounding

import (
	"slices"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
)

// noStub is for plans in which nothing may be offloaded.
func noStub(int) Stub { return Stub{Size: maxUnits} }

func stubOf(size, floor int) func(int) Stub { return func(int) Stub { return Stub{size, floor} } }

// The right values of the source system's water-filling, and what largest first makes of the same message.
//
// spec: OFF-8
func TestPlanBatchTable(t *testing.T) {
	for _, tt := range []struct {
		name      string
		sizes     []int
		budget    int
		sharing   Sharing
		stub      func(int) Stub
		want      []int
		offloaded []int
		shared    bool
	}{
		{"water 57", []int{100, 5, 100, 1}, 57, WaterFill, nil, []int{26, 5, 25, 1}, nil, true},
		{"water 32", []int{11, 11, 11}, 32, WaterFill, nil, []int{11, 11, 10}, nil, true},
		{"water 1", []int{100, 100}, 1, WaterFill, nil, []int{1, 0}, nil, true},
		{"water 200k", []int{150_000, 90_000, 1_000}, 200_000, WaterFill, nil, []int{109_000, 90_000, 1_000}, nil, true},
		{"water, one result", []int{300_000}, 200_000, WaterFill, nil, []int{200_000}, nil, true},
		{"water 0", []int{3, 4}, 0, WaterFill, nil, []int{0, 0}, nil, true},

		{"just below", []int{100, 99}, 200, LargestFirst, noStub, []int{100, 99}, nil, false},
		{"at the budget", []int{100, 100}, 200, LargestFirst, noStub, []int{100, 100}, nil, false},
		{"just above, the earlier of equals goes", []int{100, 101, 101}, 301, LargestFirst, stubOf(20, 5), []int{100, 20, 101}, []int{1}, false},
		{"unlimited", []int{1 << 30, 1 << 30}, Unlimited, LargestFirst, noStub, []int{1 << 30, 1 << 30}, nil, false},
		{"largest first 57", []int{100, 5, 100, 1}, 57, LargestFirst, stubOf(20, 9), []int{20, 5, 20, 1}, []int{0, 2}, false},
		{"largest first 126 needs one", []int{100, 5, 100, 1}, 126, LargestFirst, stubOf(20, 9), []int{20, 5, 100, 1}, []int{0}, false},
		{"largest first 125 needs two", []int{100, 5, 100, 1}, 125, LargestFirst, stubOf(20, 9), []int{20, 5, 20, 1}, []int{0, 2}, false},
		{"stubs too large, nothing shrinks", []int{100, 5, 100, 1}, 57, LargestFirst, noStub, []int{26, 5, 25, 1}, nil, true},
		{"stub of the same size is not taken", []int{100, 100}, 150, LargestFirst, stubOf(100, 9), []int{75, 75}, nil, true},
		{"then water", []int{100, 100, 100}, 40, LargestFirst, stubOf(20, 5), []int{14, 13, 13}, []int{0, 1, 2}, true},
		{"floors hold against the level", []int{100, 100, 10}, 50, LargestFirst,
			func(i int) Stub { return Stub{[]int{40, 20, 10}[i], []int{30, 5, 2}[i]} }, []int{30, 10, 10}, []int{0, 1}, true},
		{"a floor takes no part of the remainder", []int{100, 100, 100}, 51, LargestFirst,
			func(i int) Stub { return Stub{[]int{40, 20, 20}[i], []int{30, 5, 5}[i]} }, []int{30, 11, 10}, []int{0, 1, 2}, true},
		{"floors do not fit", []int{100, 100}, 30, LargestFirst, stubOf(40, 25), []int{15, 15}, []int{0, 1}, true},
		// field report O013: 4 x 49,000 with a batch budget of 120,000
		{"O013", []int{49_000, 49_000, 49_000, 49_000}, 120_000, LargestFirst, stubOf(2_300, 100),
			[]int{2_300, 2_300, 49_000, 49_000}, []int{0, 1}, false},
		// field report O014: 3 x 30,000 with a batch budget of 60,000, stubs included
		{"O014", []int{30_000, 30_000, 30_000}, 60_000, LargestFirst, stubOf(2_300, 100),
			[]int{2_300, 2_300, 30_000}, []int{0, 1}, false},
		{"sizes below 0 count 0", []int{-5, 10}, 3, WaterFill, nil, []int{0, 3}, nil, true},
		{"nothing", nil, 0, LargestFirst, noStub, []int{}, nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := PlanBatch(tt.sizes, tt.budget, tt.sharing, tt.stub)
			if !slices.Equal(p.Max, tt.want) || !slices.Equal(p.Offloaded, tt.offloaded) || p.Shared != tt.shared {
				t.Errorf("got %v, offloaded %v, shared %t; want %v, %v, %t",
					p.Max, p.Offloaded, p.Shared, tt.want, tt.offloaded, tt.shared)
			}
		})
	}
}

// rounds is the water-filling of the source system, in the rounds in which its text describes it. A fault makes it a
// named wrong implementation.
func rounds(sizes []int, budget int, fault string) []int {
	shares := make([]int, len(sizes))
	active := make([]bool, len(sizes))
	count := len(sizes)
	for i := range active {
		active[i] = true
	}
	for count > 0 {
		share := budget / count
		again := false
		for i, n := range sizes {
			if fits := n <= share && (fault != "strictly below the share" || n < share); active[i] && fits {
				active[i], shares[i], again = false, n, true
				budget -= n
				count--
			}
		}
		if fault == "one round" {
			again = false
			share = budget / max(count, 1)
		}
		if !again {
			rest := budget - share*count
			for i := range sizes {
				if fault == "remainder to later ones" {
					i = len(sizes) - 1 - i
				}
				if !active[i] {
					continue
				}
				shares[i] = share
				if rest > 0 && fault != "remainder is lost" {
					shares[i]++
					rest--
				}
			}
			break
		}
	}
	return shares
}

// eachBatch calls f with every message of up to n results with sizes 0 to 6, and every budget up to one above the sum.
func eachBatch(n int, f func(sizes []int, budget int)) {
	var grow func(sizes []int)
	grow = func(sizes []int) {
		for budget := range sum(sizes) + 2 {
			f(sizes, budget)
		}
		if len(sizes) < n {
			for size := range 7 {
				grow(append(sizes, size))
			}
		}
	}
	grow(nil)
}

// spec: OFF-8
func TestWaterFillExhaustive(t *testing.T) {
	alive := []string{"strictly below the share", "one round", "remainder to later ones", "remainder is lost"}
	eachBatch(scope(5), func(sizes []int, budget int) {
		got := PlanBatch(sizes, budget, WaterFill, nil)
		want := sizes
		if sum(sizes) > budget {
			want = rounds(sizes, budget, "")
		}
		if !slices.Equal(got.Max, want) || got.After != sum(want) || got.Before != sum(sizes) {
			t.Fatalf("%v in %d: got %v, want %v", sizes, budget, got.Max, want)
		}
		alive = slices.DeleteFunc(alive, func(fault string) bool {
			return sum(sizes) > budget && !slices.Equal(rounds(sizes, budget, fault), got.Max)
		})
	})
	if len(alive) > 0 {
		t.Errorf("no small message tells these wrong implementations from the right one: %q", alive)
	}
}

// largestFirst restates the offloading: look for the largest again before each step.
func largestFirst(sizes []int, budget, stub int, fault string) (left []int, offloaded []int) {
	left = slices.Clone(sizes)
	asked := make([]bool, len(sizes))
	for sum(left) > budget || fault == "at the budget" && sum(left) == budget {
		best := -1
		for i, n := range sizes {
			if asked[i] {
				continue
			}
			better := best < 0 || n > sizes[best] || fault == "ties to the later" && n == sizes[best] ||
				fault == "smallest first" && n < sizes[best]
			if better && (fault != "smallest first" || best < 0 || n < sizes[best]) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		asked[best] = true
		if stub < left[best] || fault == "offloads what grows" {
			left[best] = stub
			offloaded = append(offloaded, best)
		}
		if fault == "one is enough" {
			break
		}
	}
	return left, offloaded
}

// spec: OFF-8
func TestLargestFirstExhaustive(t *testing.T) {
	alive := []string{"at the budget", "ties to the later", "smallest first", "offloads what grows", "one is enough"}
	floors := []int{0, 3, 1, 2, 3}
	eachBatch(scope(4), func(sizes []int, budget int) {
		asked := map[int]int{}
		got := PlanBatch(sizes, budget, LargestFirst, func(i int) Stub { asked[i]++; return Stub{3, floors[i]} })
		left, offloaded := largestFirst(sizes, budget, 3, "")
		if !slices.Equal(got.Offloaded, offloaded) {
			t.Fatalf("%v in %d: offloaded %v, want %v", sizes, budget, got.Offloaded, offloaded)
		}
		for i, n := range asked {
			if n > 1 {
				t.Fatalf("%v in %d: asked %d times for result %d", sizes, budget, n, i)
			}
		}
		if got.After != sum(got.Max) || got.After > max(budget, 0) && sum(sizes) > budget {
			t.Fatalf("%v in %d: %v is above the budget", sizes, budget, got.Max)
		}
		if got.Shared != (sum(left) > budget) {
			t.Fatalf("%v in %d: shared %t after offloading to %v", sizes, budget, got.Shared, left)
		}
		if !got.Shared && !slices.Equal(got.Max, left) {
			t.Fatalf("%v in %d: got %v, want %v", sizes, budget, got.Max, left)
		}
		if got.Shared {
			checkShares(t, left, floors, budget, got.Max)
		}
		alive = slices.DeleteFunc(alive, func(fault string) bool {
			_, list := largestFirst(sizes, budget, 3, fault)
			return !slices.Equal(list, got.Offloaded)
		})
	})
	if len(alive) > 0 {
		t.Errorf("no small message tells these wrong implementations from the right one: %q", alive)
	}
}

// checkShares states what a fair division with floors is: the budget is used up, nobody gets less than a floor unless the
// floors do not fit, and whoever has more than a floor has at most one unit more than any other that was cut.
func checkShares(t *testing.T, sizes, floors []int, budget int, shares []int) {
	t.Helper()
	floor, all := make([]int, len(sizes)), 0
	for i, n := range sizes {
		floor[i] = min(n, floors[i])
		all += floor[i]
	}
	if sum(shares) != budget {
		t.Fatalf("%v in %d: %v leaves units unused", sizes, budget, shares)
	}
	fit := all <= budget
	for i, n := range shares {
		if n > sizes[i] || fit && n < floor[i] || !fit && n > floor[i] {
			t.Fatalf("%v in %d with floors %v: %v", sizes, budget, floor, shares)
		}
		if fit && n == floor[i] {
			continue
		}
		for j, m := range shares {
			whole := m == sizes[j] || !fit && m == floor[j]
			if !whole && (m < n-1 || m < n && j < i && (!fit || m > floor[j])) {
				t.Fatalf("%v in %d with floors %v: %v is not shared evenly", sizes, budget, floor, shares)
			}
		}
	}
}

// spec: OFF-8
func TestPlanBatchNeverExceedsTheBudget(t *testing.T) {
	parameters := gopter.DefaultTestParameters()
	parameters.MinSuccessfulTests = 2000
	parameters.Rng.Seed(1)
	properties := gopter.NewProperties(parameters)
	properties.Property("sum within budget, nobody grows, identity within the budget", prop.ForAll(
		func(sizes []int, percent, stub, floor int, sharing bool) bool {
			total := sum(sizes)
			for _, budget := range []int{0, 1, total * percent / 100, total - 1, total, total + 1} {
				s := LargestFirst
				if sharing {
					s = WaterFill
				}
				p := PlanBatch(sizes, budget, s, stubOf(stub, floor))
				if budget >= 0 && sum(p.Max) > budget || sum(p.Max) != p.After {
					return false
				}
				for i := range sizes {
					if p.Max[i] > sizes[i] || p.Max[i] < 0 || total <= budget && p.Max[i] != sizes[i] {
						return false
					}
				}
			}
			return true
		},
		gen.SliceOf(gen.IntRange(0, 100_000)), gen.IntRange(0, 100), gen.IntRange(-3, 3000), gen.IntRange(-3, 3000), gen.Bool(),
	))
	properties.TestingRun(t)
}
