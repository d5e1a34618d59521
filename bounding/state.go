package bounding

// State says how much of a tool's output is in an entry. It is data that the passes of a [Pipeline] set, and is never
// guessed from text: output that looks as if it had been shortened is Raw like any other.
//
// spec: OFF-5, OFF-6
type State uint8

const (
	Raw     State = iota // as the tool gave it; the zero Result
	Kept                 // whole
	Trimmed              // both ends, or the one that the tool asked for, within the budget
	Stubbed              // offloaded: a notice and a short preview
	Cleared              // a placeholder; the result is too old
)

var stateNames = names("state", "raw", "kept", "trimmed", "stubbed", "cleared")

func (s State) String() string { return stateNames.of(int(s)) }

// MarshalText writes the name of the value.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *State) UnmarshalText(name []byte) error {
	i, err := stateNames.parse(name)
	*s = State(i)
	return err
}

// Outcome says what became of the text that an entry does not show.
//
// spec: OFF-9, OFF-10
type Outcome uint8

const (
	NotNeeded     Outcome = iota // the entry shows everything
	Saved                        // it is in an artifact, and the entry points there
	NoStore                      // the pipeline has no store
	TooLarge                     // it is larger than an artifact may be
	SessionFull                  // the session has used up what it may store
	SaveFailed                   // no store could save it
	SaveCancelled                // the context ended before it was saved
	Aged                         // it was shown whole until a checkpoint cleared it
)

var outcomeNames = names("outcome", "not-needed", "saved", "no-store", "too-large", "session-full", "save-failed",
	"save-cancelled", "aged")

func (o Outcome) String() string { return outcomeNames.of(int(o)) }

// MarshalText writes the name of the value.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (o *Outcome) UnmarshalText(name []byte) error {
	i, err := outcomeNames.parse(name)
	*o = Outcome(i)
	return err
}

// reasons is what an entry says instead of a pointer.
var reasons = map[Outcome]string{
	NoStore:       "no store is configured",
	TooLarge:      "it is larger than one artifact may be",
	SessionFull:   "the session has used up its storage",
	SaveFailed:    "the store could not save it",
	SaveCancelled: "the call was cancelled before it was saved",
	Aged:          "it was cleared for its age",
}

// Status says how a tool call ended. Whatever it is, the text goes through the same bounds.
//
// spec: OFF-1
type Status uint8

const (
	Success   Status = iota
	Failed           // the tool reports an error
	Thrown           // the tool broke down: a panic, an exception, an invalid call
	TimedOut         // the call took too long
	Cancelled        // the call was given up
)

var statusNames = names("status", "success", "failed", "thrown", "timed-out", "cancelled")

func (s Status) String() string { return statusNames.of(int(s)) }

// MarshalText writes the name of the value.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *Status) UnmarshalText(name []byte) error {
	i, err := statusNames.parse(name)
	*s = Status(i)
	return err
}
