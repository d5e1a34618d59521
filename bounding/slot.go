package bounding

// Kind says what a slot of a history is.
type Kind uint8

const (
	// ResultSlot is the result of a tool whose results may be cleared: its text counts, and clearing replaces the text
	// by a placeholder and drops the media in it.
	ResultSlot Kind = iota
	// NestedMediaSlot is the media in a result of a tool whose results are never cleared. The text stays and does not
	// count; the media goes on the idle and the forced path.
	NestedMediaSlot
	// MediaSlot is media that stands on its own in a message.
	MediaSlot
	// OtherSlot is anything else. It keeps the numbering of a caller intact and is never counted, kept or cleared.
	OtherSlot
)

// Slot is what a planner has to know about one result or one media part of a history: numbers, no text.
type Slot struct {
	Kind  Kind
	Units int // the text of the result, without its metadata, in the unit of the limits; below 0 counts as 0
	Media int // media parts in the result, or 1 for a MediaSlot
	// Placeholder is what the text would measure after it was cleared: see [Placeholder].
	Placeholder int
	Failed      bool // the result reports an error: it is never cleared
	Cleared     bool // the text is a placeholder already, by state
	Protected   bool // the owner wants it kept whatever happens: counted, never cleared, takes no keep slot
	Pending     bool // not sent to the model yet: counted, never cleared, takes no keep slot
}

// maxUnits keeps sums of sizes far from overflow, whatever a foreign view reports: a tebi-unit is no text.
const maxUnits = 1 << 40

// counted is what the slot adds to the total that the size trigger watches.
//
// spec: WMK-1, WMK-2 (errors, placeholders, empty and non-text results count nothing)
func (s Slot) counted() int {
	if s.Kind != ResultSlot || s.Failed || s.Cleared {
		return 0
	}
	return min(max(s.Units, 0), maxUnits)
}

// small reports whether clearing the slot would not shrink its entry: the placeholder is no shorter than the text, and
// there is no media to drop.
//
// spec: WMK-3
func (s Slot) small() bool { return s.Units <= s.Placeholder && s.Media <= 0 }

// sizeCandidate reports whether the slot takes a place in the keep window of the size path.
//
// spec: WMK-2
func (s Slot) sizeCandidate() bool { return s.counted() > 0 && !s.Pending && !s.Protected }

// windowCandidate reports whether the slot takes a place in one of the keep windows of the idle and the forced path.
//
// spec: WMK-2, WMK-4
func (s Slot) windowCandidate(w Watermark) bool {
	if s.Pending || s.Protected || s.Cleared {
		return false
	}
	switch s.Kind {
	case ResultSlot:
		if s.Failed {
			return w.FailedMediaKept && s.Media > 0
		}
		return s.Units > 0 || s.Media > 0
	case NestedMediaSlot, MediaSlot:
		return s.Media > 0 && !s.Failed
	}
	return false
}

// clearable reports whether the slot may be cleared at all once it is outside every window.
func (s Slot) clearable(w Watermark) bool {
	if s.Failed {
		return false
	}
	return s.Kind != ResultSlot || w.ClearSmall || !s.small()
}
