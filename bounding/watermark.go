package bounding

import "time"

// Never switches the idle path off, as [Watermark].IdleAfter.
const Never time.Duration = -1

// NoGap is the gap of a session that has made no request yet: the idle path does not fire.
const NoGap time.Duration = -1

// Watermark holds the numbers of clearing. The low watermark is always half of High, rounded down.
//
// The planners take every value: High below 0 is no size trigger, Keep below 1 counts as 1, IdleAfter below 0 is no idle
// path. [Limits.Validate] is stricter, so that a typing error does not switch something off.
type Watermark struct {
	// High is H: clearing starts when the total is above it. 0 is an ordinary limit, Unlimited switches the size path
	// off. Default 500,000.
	High int
	// Keep is K: that many of the newest committed results are never cleared. At least 1, default 5.
	Keep int
	// IdleAfter is the gap since the last request, inclusive, from which a query clears everything outside the keep
	// windows. Never switches it off. Default 60 minutes.
	IdleAfter time.Duration

	// ForgetLocator drops the pointer to the artifact when a stub is cleared. Strict keeps it.
	ForgetLocator bool
	// ClearSmall clears also what its placeholder makes longer.
	ClearSmall bool
	// IdleIsFinal ends a checkpoint at which the idle path fired and found nothing. Strict goes on with the size path.
	IdleIsFinal bool
	// FailedMediaKept lets an error that carries media take a keep slot.
	FailedMediaKept bool
}

// Low is L, the target of a clearing: half of High, rounded down. Without a size trigger it is Unlimited.
//
// spec: WMK-1
func (w Watermark) Low() int {
	if w.High < 0 {
		return Unlimited
	}
	return w.High / 2
}

func (w Watermark) keep() int { return max(w.Keep, 1) }

// Trigger says on which occasion a checkpoint is made.
//
// spec: WMK-11
type Trigger uint8

const (
	// BeforeToolTurn is before a request that brings new tool results: size path only, the new results are pending.
	BeforeToolTurn Trigger = iota
	// BeforeQuery is before a request with a new question of the user: idle path, else size path.
	BeforeQuery
	// OnDemand is when the user or the program asks for it: the forced path, whatever the limits switch off.
	OnDemand
	// MemoryPressure is when the process runs out of memory: the idle path with a gap of 0, unless the idle path is
	// switched off. A cache of what the model has seen of files must be dropped then, whether there is a report or not.
	MemoryPressure
)

var triggerNames = names("trigger", "before-tool-turn", "before-query", "on-demand", "memory-pressure")

func (t Trigger) String() string { return triggerNames.of(int(t)) }

// MarshalText writes the name of the value.
func (t Trigger) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (t *Trigger) UnmarshalText(name []byte) error {
	i, err := triggerNames.parse(name)
	*t = Trigger(i)
	return err
}

// Checkpoint is one occasion to clear.
type Checkpoint struct {
	Trigger Trigger
	// Gap is the time since the last request was answered, read by BeforeQuery only. NoGap when there was none.
	Gap time.Duration
}

// idle reports whether the checkpoint takes the idle path.
//
// spec: WMK-4, WMK-5, WMK-11
func (w Watermark) idle(at Checkpoint) bool {
	if w.IdleAfter < 0 {
		return false
	}
	switch at.Trigger {
	case BeforeQuery:
		return at.Gap >= w.IdleAfter // so never with NoGap
	case MemoryPressure:
		return true
	}
	return false
}

// Reason says which path cleared.
type Reason uint8

const (
	NotFired     Reason = iota // no path fired, or none that fired found anything
	SizePath                   // the total was above High
	IdlePath                   // the gap was long enough
	PressurePath               // the process ran out of memory
	ForcedPath                 // it was asked for
)

var reasonNames = names("reason", "none", "size", "idle", "pressure", "forced")

func (r Reason) String() string { return reasonNames.of(int(r)) }

// MarshalText writes the name of the value.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (r *Reason) UnmarshalText(name []byte) error {
	i, err := reasonNames.parse(name)
	*r = Reason(i)
	return err
}
