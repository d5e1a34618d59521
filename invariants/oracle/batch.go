package oracle

// Share is what one result of a message may measure, and whether it was offloaded.
type Share struct {
	Max       int
	Offloaded bool
}

// Batch shares a budget out over results of these sizes. A result that is offloaded measures stub(i), and its pointer needs
// floor(i) of that; a stub that is no smaller than the result is not taken. A budget below 0 is none.
//
// spec: OFF-8
func Batch(sizes []int, budget int, stub, floor func(i int) int) []Share {
	shares := make([]Share, len(sizes))
	for i, n := range sizes {
		shares[i].Max = n
	}
	if budget < 0 {
		return shares
	}
	tried := make([]bool, len(sizes))
	for sumOf(shares) > budget {
		largest := -1
		for i := range shares {
			if !tried[i] && (largest < 0 || sizes[i] > sizes[largest]) {
				largest = i
			}
		}
		if largest < 0 {
			break
		}
		tried[largest] = true
		if n := stub(largest); n < sizes[largest] {
			shares[largest] = Share{n, true}
		}
	}
	if sumOf(shares) <= budget {
		return shares
	}
	level(shares, budget, floor)
	return shares
}

// level gives units out one at a time, always to the one that has least of those that want more, the earlier of equals.
// Pointers are served first, where there is room for all of them.
func level(shares []Share, budget int, floor func(i int) int) {
	want := make([]int, len(shares))
	pointers := 0
	for i := range shares {
		want[i], shares[i].Max = shares[i].Max, 0
		if shares[i].Offloaded {
			pointers += min(floor(i), want[i])
		}
	}
	guaranteed := make([]int, len(shares))
	if pointers <= budget {
		for i := range shares {
			if shares[i].Offloaded {
				guaranteed[i] = min(floor(i), want[i])
				shares[i].Max = guaranteed[i]
			}
		}
		budget -= pointers
	}
	for ; budget > 0; budget-- {
		least := -1
		for i := range shares {
			if shares[i].Max < want[i] && (least < 0 || shares[i].Max < shares[least].Max) {
				least = i
			}
		}
		if least < 0 {
			return
		}
		shares[least].Max++
	}
}

func sumOf(shares []Share) int {
	n := 0
	for _, s := range shares {
		n += s.Max
	}
	return n
}
