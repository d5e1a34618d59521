package bounding

import "slices"

// View shows a planner the messages of a foreign history, which stays in the caller's own types.
type View[M any] interface {
	// Slots appends what is in one message to dst, in order. Pending need not be set.
	Slots(dst []Slot, message M) []Slot
	// File says what the i-th slot of a message has to do with files.
	File(message M, i int) File
	// Clear returns a copy of a message in which these slots are cleared: the text of a result is its [Placeholder] and
	// the media in it is gone, a medium is replaced by a line of text. Nothing else may change, and message must stay as
	// it is.
	Clear(message M, slots []int) M
}

// Clear clears a foreign history at a checkpoint. Pending are the messages about to be sent with the history: they count
// and are not touched. When nothing is cleared, history itself is returned; otherwise a copy in which only the messages
// with cleared slots are new. It is a pure function if the view is.
//
// The report is nil when no path fired.
//
// spec: WMK-1, WMK-3, WMK-6
func Clear[M any](history, pending []M, view View[M], w Watermark, at Checkpoint) ([]M, *Report) {
	var slots []Slot
	var owner []int // of each slot
	first := make([]int, len(history))
	for i, m := range history {
		first[i] = len(slots)
		slots = view.Slots(slots, m)
		for j := first[i]; j < len(slots); j++ {
			slots[j].Pending = false
			owner = append(owner, i)
		}
	}
	committed := len(slots)
	for _, m := range pending {
		slots = view.Slots(slots, m)
	}
	for i := committed; i < len(slots); i++ {
		slots[i].Pending = true
	}

	plan := PlanClear(slots, w, at)
	r := report(plan, at, func(i int) File { return view.File(history[owner[i]], i-first[owner[i]]) })
	if len(plan.Cleared) == 0 {
		return history, r
	}
	cleared := slices.Clone(history)
	for rest := plan.Cleared; len(rest) > 0; {
		m, n := owner[rest[0]], 0
		var inside []int
		for ; n < len(rest) && owner[rest[n]] == m; n++ {
			inside = append(inside, rest[n]-first[m])
		}
		cleared[m] = view.Clear(history[m], inside)
		rest = rest[n:]
	}
	return cleared, r
}

// ClearedText is what stands for the text of a cleared result.
//
// spec: WMK-3
const ClearedText = "[Old tool result content cleared]"

// Placeholder is ClearedText, with the locator of the artifact behind it when the result had one, so that the text can
// still be read back.
//
// spec: WMK-3, OFF-9
func Placeholder(locator string) string {
	if locator == "" {
		return ClearedText
	}
	return clearedInto + locator
}

const clearedInto = ClearedText + " It is in "
