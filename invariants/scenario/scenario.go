package scenario

import (
	"time"

	"github.com/boundcheck/boundcheck/bounding"
)

// Scenario is what happens to one session of an agent: limits, and steps in order.
type Scenario struct {
	Limits bounding.Limits
	Steps  []Step
}

// Op says what a step does.
type Op uint8

const (
	Call       Op = iota // a tool call of the open message brings its output
	Batch                // all calls of the open message are complete: the message joins the history, pending
	Commit               // everything in the history was sent
	User                 // the user says something
	Checkpoint           // old results may be cleared
	Tighten              // a later pass over the result of a call, before its message is complete
	SetLimits            // other limits from here on
	Save                 // a text is given to the store by itself
	Read                 // one page of the artifact of a call or a save
	Page                 // all pages, one after the other
	Reference            // other sessions are shown
	Replay               // the last references are shown again
	Diagnose             // what the history holds on to
	Fault                // the storage fails from here on, as a program says
	Cancel               // the context of the next step has ended before it begins
	Crash                // the process ends, and begins anew
	Advance              // time passes
	Sweep                // what is older than an age expires
	Plant                // somebody puts a link where the store will look: ID is session or artifact
)

// Step is one step. Which fields count depends on Op; the others are zero.
type Step struct {
	Op Op

	ID        string           // Call: the id that the model gave. Save: the owner is Session
	Tool      string           // Call, Save
	Status    bounding.Status  // Call
	Payload   Payload          // Call, Save, User
	More      []Payload        // Call: text parts after the first
	Media     int              // Call, User: media parts
	Nested    bool             // Call: the parts stand inside another part
	Metadata  []Payload        // Call
	Bounded   bool             // Call: the producer has bounded it
	Protected bool             // Call
	Files     []string         // Call
	Order     []int            // Batch: the order in which the calls were completed; nil is the order of the calls
	Trigger   bounding.Trigger // Checkpoint
	Gap       time.Duration    // Checkpoint, Advance, Sweep (the age)
	Of        int              // Tighten, Read, Page: which call or save, counted from 0 over the scenario
	Offset    int64            // Read
	Limit     int64            // Read, Page: bytes of a page; 0 is the store's default
	Limits    *bounding.Limits // SetLimits
	Session   string           // Save, Reference, Read and Page as another session; "" is the session of the scenario
	Program   string           // Fault
	Survive   int              // Crash: percent of unsynced data
	Seed      uint64           // Crash
	Budget    int              // Reference: bytes
	Sources   []Source         // Reference
}

// Source is a session that is cited.
type Source struct {
	Session string
	Label   string
	Events  []Event
}

// Event is one event of a session that is cited.
type Event struct {
	Kind string // user, assistant, checkpoint or other
	Text Payload
}
