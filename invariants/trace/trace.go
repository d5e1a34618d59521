package trace

import (
	"time"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

// Trace is what came of a scenario.
type Trace struct {
	Scenario scenario.Scenario
	Caps     subject.Caps
	Events   []Event
	// Made are the texts that were given to the subject, in order: the outputs of the calls and the texts of the saves.
	Made []Made
	// History is the history at the end.
	History subject.History
	// Log is what the subject logged, if it tells.
	Log string
	// Files are the files of its store, if it tells.
	Files []subject.File
}

// Made is one text that was given to the subject.
type Made struct {
	Step   int
	Output bounding.Output // of a call; of a save, its Text is the content
	Saved  bool            // it was a save by itself
	Owner  string          // session
	// Locator is the last one that the subject gave for it, "" if none.
	Locator string
}

// Event is what came of one step.
type Event struct {
	Step   int // in Scenario.Steps
	Op     scenario.Op
	Limits bounding.Limits // in force
	// Of are the indices in Trace.Made that the event is about. In and Out are in the same order.
	Of      []int
	In, Out []subject.Result // results before and after
	// Before and After are the history. Only a batch, a commit, a user's message and a checkpoint can make them differ.
	Before, After subject.History
	At            bounding.Checkpoint
	Report        *subject.ClearReport
	Mutated       bool // the subject changed what it was given
	Saved         subject.Saved
	Pages         []Paged
	Request       subject.ReferenceRequest
	References    subject.References
	Reads         map[string]int // how often each cited session was read
	// Transcripts are the artifacts of references by their locators, read back at once.
	Transcripts map[string]string
	Diagnosis   subject.Diagnosis
	Stored      []subject.Stored // artifacts of the session after the event, where the step can make one and the subject tells
	Err         error            // as the subject returned it
	Broken      *Broken          // the subject did not return
	Skipped     bool             // the subject lacks the capability
}

// Paged is one page that was read.
type Paged struct {
	Offset, Limit int64
	subject.Page
}

// Broken says how a subject failed to return.
type Broken struct {
	Kind   BrokenKind
	Detail string // of a panic its value and where it was, of a crash what is known
}

// BrokenKind is how a subject failed to return.
type BrokenKind string

const (
	Panicked BrokenKind = "panic"
	Hung     BrokenKind = "hang"
	Crashed  BrokenKind = "crash"    // the process of the subject ended
	Protocol BrokenKind = "protocol" // what came back was no answer: the harness is at fault, not the subject
)

// DefaultTimeout is how long a subject may take for one step.
const DefaultTimeout = 5 * time.Second
