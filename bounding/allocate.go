package bounding

import "slices"

// Sharing says how a message that is above its batch budget is brought down to it.
type Sharing uint8

const (
	// LargestFirst offloads whole results, the largest first, and shares out what is left only when that is not enough.
	LargestFirst Sharing = iota
	// WaterFill shares the budget out at once: equal shares, results below their share untouched.
	WaterFill
)

var sharingNames = names("sharing", "largest-first", "water-fill")

func (s Sharing) String() string { return sharingNames.of(int(s)) }

// MarshalText writes the name of the value.
func (s Sharing) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *Sharing) UnmarshalText(name []byte) error {
	i, err := sharingNames.parse(name)
	*s = Sharing(i)
	return err
}

// BatchPlan is what each result of a message may measure.
type BatchPlan struct {
	// Max is the size that each result may have; their sum is within the budget, for every input.
	Max []int
	// Offloaded lists the results that became stubs, in the order in which they were chosen.
	Offloaded []int
	// Shared reports whether offloading was not enough, or not wanted, and results must be cut to Max.
	Shared bool
	// Before and After are the sums of the sizes and of Max.
	Before, After int
}

// Stub is what a result would measure as a stub, and the smallest size at which its pointer is still whole.
type Stub struct{ Size, Floor int }

// PlanBatch shares a budget out over the results of one message. Within the budget, and with a budget below 0, which is
// Unlimited, nothing changes.
//
// LargestFirst calls stub for the largest result, ties earliest first, as long as the sum is above the budget, at most once
// for each; a stub that is not smaller is not taken. What is then still above the budget is water-filled, where no result
// gets less than its floor as long as all floors fit: pointers are the last thing to be cut. WaterFill never calls stub.
// Without stub nothing is offloaded.
//
// spec: OFF-8
func PlanBatch(sizes []int, budget int, sharing Sharing, stub func(i int) Stub) BatchPlan {
	plan := BatchPlan{Max: make([]int, len(sizes))}
	for i, n := range sizes {
		plan.Max[i] = min(max(n, 0), maxUnits)
		plan.Before += plan.Max[i]
	}
	plan.After = plan.Before
	if budget < 0 || plan.Before <= budget {
		return plan
	}
	var floors []int
	if sharing == LargestFirst && stub != nil {
		floors = plan.offload(budget, stub)
	}
	if plan.After > budget {
		plan.Max = waterFill(plan.Max, floors, budget)
		plan.Shared = true
		plan.After = sum(plan.Max)
	}
	return plan
}

// offload turns results into stubs until the sum fits, and returns the floors of all results it asked about.
func (p *BatchPlan) offload(budget int, stub func(i int) Stub) []int {
	order := make([]int, len(p.Max))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return p.Max[b] - p.Max[a] })
	floors := make([]int, len(p.Max))
	for _, i := range order {
		if p.After <= budget {
			break
		}
		s := stub(i)
		floors[i] = max(s.Floor, 0)
		if size := max(s.Size, 0); size < p.Max[i] {
			p.After -= p.Max[i] - size
			p.Max[i] = size
			p.Offloaded = append(p.Offloaded, i)
		}
	}
	return floors
}

// waterFill gives every result the same level, but no more than its size and no less than its floor, and the units that do
// not divide evenly to the earlier ones. Without floors, or when even they do not fit, all floors are 0 or the sizes are
// the floors.
func waterFill(sizes, floors []int, budget int) []int {
	at := func(level int) (total int) {
		for i, n := range sizes {
			total += min(n, max(level, floorOf(floors, i)))
		}
		return total
	}
	if at(0) > budget {
		sizes = slices.Clone(sizes)
		for i := range sizes {
			sizes[i] = min(sizes[i], floors[i])
		}
		return waterFill(sizes, nil, budget)
	}
	low, high := 0, slices.Max(sizes) // at(low) fits, at(high) does not
	for high-low > 1 {
		if mid := low + (high-low)/2; at(mid) <= budget {
			low = mid
		} else {
			high = mid
		}
	}
	rest := budget - at(low)
	shares := make([]int, len(sizes))
	for i, n := range sizes {
		shares[i] = min(n, max(low, floorOf(floors, i)))
		if rest > 0 && shares[i] == low && low < n {
			shares[i]++
			rest--
		}
	}
	return shares
}

func floorOf(floors []int, i int) int {
	if floors == nil {
		return 0
	}
	return floors[i]
}

func sum(ns []int) (total int) {
	for _, n := range ns {
		total += n
	}
	return total
}
