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

// Position says where a slot is: in which message, and which of the slots in it.
type Position struct{ Message, Slot int }

// PlanMessages is [PlanClear] for a foreign history: it decides, and changes nothing. The slots are those that slots appends
// for each message, such as the method of a [View]. Pending are the messages about to be sent with the history: they
// count, and are not cleared. The function that is returned tells where a slot of the plan is.
//
// spec: WMK-1
func PlanMessages[M any](
	history, pending []M, slots func(dst []Slot, message M) []Slot, w Watermark, at Checkpoint,
) (ClearPlan, func(slot int) Position) {
	var all []Slot
	var owner []int // the message of each slot
	first := make([]int, len(history))
	for i, m := range history {
		first[i] = len(all)
		all = slots(all, m)
		for j := first[i]; j < len(all); j++ {
			all[j].Pending = false
			owner = append(owner, i)
		}
	}
	committed := len(all)
	for _, m := range pending {
		all = slots(all, m)
	}
	for i := committed; i < len(all); i++ {
		all[i].Pending = true
	}
	return PlanClear(all, w, at), func(slot int) Position {
		return Position{owner[slot], slot - first[owner[slot]]}
	}
}

// Clear clears a foreign history at a checkpoint, as PlanMessages decides. When nothing is cleared, history itself is
// returned; otherwise a copy in which only the messages with cleared slots are new. It is a pure function if the view is.
//
// The report is nil when no path fired.
//
// spec: WMK-1, WMK-3, WMK-6
func Clear[M any](history, pending []M, view View[M], w Watermark, at Checkpoint) ([]M, *Report) {
	plan, where := PlanMessages(history, pending, view.Slots, w, at)
	r := report(plan, at, func(slot int) File {
		p := where(slot)
		return view.File(history[p.Message], p.Slot)
	})
	if len(plan.Cleared) == 0 {
		return history, r
	}
	cleared := slices.Clone(history)
	for rest := plan.Cleared; len(rest) > 0; {
		m := where(rest[0]).Message
		var inside []int
		for len(rest) > 0 && where(rest[0]).Message == m {
			inside = append(inside, where(rest[0]).Slot)
			rest = rest[1:]
		}
		cleared[m] = view.Clear(history[m], inside)
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
