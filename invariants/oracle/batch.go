package oracle

// Share is what one result of a message may measure, and whether it was offloaded.
type Share struct {
	Max       int
	Offloaded bool
}

// Batch shares a budget out over results of these sizes. A result that is offloaded measures stub(i); a stub that is no
// smaller than the result is not taken. floor(i) is what the pointer of a result needs, whether it is offloaded now or was
// before. A budget below 0 is none.
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
// Pointers are served first; where there is not room for all of them, nothing else is served.
func level(shares []Share, budget int, floor func(i int) int) {
	want := make([]int, len(shares))
	pointers := 0
	for i := range shares {
		want[i] = shares[i].Max
		shares[i].Max = min(floor(i), want[i])
		pointers += shares[i].Max
	}
	if pointers > budget {
		for i := range shares {
			want[i], shares[i].Max = shares[i].Max, 0
		}
	}
	for sumOf(shares) < budget {
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
