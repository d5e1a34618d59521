package subject

import (
	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/reference"
)

// Saved is what became of a text that was to be kept.
type Saved struct {
	Outcome bounding.Outcome // Saved, or why not
	Locator string
	Bytes   int64
	SHA256  string
	Hint    string // what the model is told to open the locator with
}

// Page is a part of an artifact.
type Page struct {
	Data []byte
	Next int64 // where the next page begins; Total after the last
	// Total is the size of the artifact in bytes.
	Total int64
	// Expired says that there is no artifact any more.
	Expired bool
}

// Stored is an artifact in a list.
type Stored struct {
	Locator string
	Bytes   int64
}

// ReferenceRequest asks for a message that shows other sessions.
type ReferenceRequest struct {
	Session   string          // that is shown the references, and owns what is stored for them
	Limits    bounding.Limits // of what is stored
	Budget    int             // of each reference, in bytes; 0 derives it from the window
	Window    int             // of the model, in tokens; 0 is not known
	Citations []reference.Citation
	// Read reads a session, as [reference.Source] does.
	Read func(session string) (reference.Snapshot, error)
	// Peek reads a session without being counted as a read. It is for subjects that stand for a program, which has to be
	// sent all that it may want to read.
	Peek func(session string) (reference.Snapshot, error)
}

// References is a message that shows other sessions.
type References struct {
	Text  string // what the model gets
	Items []Reference
	// Recorded is what a subject needs to show the same again.
	Recorded []byte
}

// Reference is one of them.
type Reference struct {
	SessionID, Label string
	Preview          string // the JSON object that is bounded
	Notice           string // "" when nothing is omitted
	OriginalMessages int
	RetainedMessages int
	OmittedMessages  int
	OmittedBytes     int
	FormatVersion    uint
	// Saved is where all of it is. Its outcome is NotNeeded when nothing is omitted.
	Saved Saved
}
