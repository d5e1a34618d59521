package subject

import (
	"slices"

	"github.com/boundcheck/boundcheck/bounding"
)

// Result is a tool result as a subject gives it back: what the model would get, and what the subject knows about it.
type Result struct {
	Call bounding.Call
	// Text is all that the model gets of the result, metadata included.
	Text string
	// Metadata is the part of Text that holds the metadata of the output, "" if the subject does not tell.
	Metadata string
	// Media are the media that are left in the result.
	Media []bounding.Media
	// Failed reports an error of the tool.
	Failed bool
	// Protected is never cleared.
	Protected bool
	// State is how much of the output is left. Raw says that the subject keeps no state: then it is judged by the text.
	State bounding.State
	// Outcome is where the rest of the text is, Locator how to open it, SHA256 and Bytes what the subject says of the artifact.
	Outcome bounding.Outcome
	Locator string
	SHA256  string
	Bytes   int64
	// Data is the subject's own. It is handed back as it is with every later pass over the result.
	Data []byte
}

// Whole reports whether the result shows all of its output, as far as the subject tells.
func (r Result) Whole() bool { return r.State == bounding.Kept }

// Message is one message of a history.
type Message struct {
	Role    bounding.Role
	Text    string           // of the user and the model
	Media   []bounding.Media // of the user
	Calls   []bounding.Call  // of the model
	Results []Result         // of tools
}

// History is a conversation. The messages before Committed were sent to the model, the others are about to be.
type History struct {
	Messages  []Message
	Committed int
}

// Clone returns a copy that shares nothing that a subject could change.
func (h History) Clone() History {
	h.Messages = slices.Clone(h.Messages)
	for i := range h.Messages {
		m := &h.Messages[i]
		m.Media = slices.Clone(m.Media)
		m.Calls = slices.Clone(m.Calls)
		m.Results = slices.Clone(m.Results)
		for j := range m.Results {
			m.Results[j].Media = slices.Clone(m.Results[j].Media)
			m.Results[j].Data = slices.Clone(m.Results[j].Data)
		}
	}
	return h
}

// Position is where a result is in a history.
type Position struct{ Message, Result int }

// All yields the results of a history with their positions, oldest first.
func (h History) All() func(yield func(Position, Result) bool) {
	return func(yield func(Position, Result) bool) {
		for i, m := range h.Messages {
			for j, r := range m.Results {
				if !yield(Position{i, j}, r) {
					return
				}
			}
		}
	}
}

// ClearReport is what a subject says about a checkpoint. All sizes are in the unit of the limits.
type ClearReport struct {
	Reason     string   `json:"reason"` // as [bounding.Reason] prints: size, idle, pressure, forced
	Before     int      `json:"before"` // counted total, committed and pending
	After      int      `json:"after"`  // committed part that remains
	Pending    int      `json:"pending"`
	High       int      `json:"high"`
	Low        int      `json:"low"`
	Cleared    int      `json:"cleared"` // results
	Kept       int      `json:"kept"`    // results in the keep window
	Media      int      `json:"media"`   // media parts dropped
	Soft       bool     `json:"soft"`    // the total remains above Low
	Evicted    []string `json:"evicted"` // files whose contents may have left the history
	Unresolved int      `json:"unresolved"`
	DisarmAll  bool     `json:"disarmAll"`
}

// Diagnosis is what a subject says a history holds on to.
type Diagnosis struct {
	Results   int      `json:"results"`
	Total     int      `json:"total"`     // text and media
	Counted   int      `json:"counted"`   // what clearing compares with High
	Media     int      `json:"media"`     // parts
	Failed    int      `json:"failed"`    // text of errors
	Oversized []string `json:"oversized"` // ids of calls whose results no bound can have let through
	Text      string   `json:"text"`      // the report as people read it
}
