package wire

import (
	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

// Proto is the version of the protocol.
const Proto = "BCP/1"

// maxLine is the longest line in bytes, without its newline.
const maxLine = 64 << 20

// Request is one line to the program.
type Request struct {
	ID int    `json:"id"`
	Op string `json:"op"`

	Proto     string `json:"proto,omitempty"`
	Cancelled bool   `json:"cancelled,omitempty"` // the context of the operation has ended before it begins

	Limits     *Limits       `json:"limits,omitempty"`
	Output     *Output       `json:"output,omitempty"`
	Result     *Result       `json:"result,omitempty"`
	Results    []Result      `json:"results,omitempty"`
	History    *History      `json:"history,omitempty"`
	Checkpoint *Checkpoint   `json:"checkpoint,omitempty"`
	Save       *Save         `json:"save,omitempty"`
	Locator    Text          `json:"locator,omitzero"`
	Offset     int64         `json:"offset,omitempty"`
	Bytes      int64         `json:"bytes,omitempty"`
	Session    *Text         `json:"session,omitempty"`
	Reference  *Reference    `json:"reference,omitempty"`
	Recorded   *Text         `json:"recorded,omitzero"`
	Loss       *subject.Loss `json:"loss,omitempty"`
	Program    string        `json:"program,omitempty"`
	Millis     int64         `json:"milliseconds,omitempty"`
}

// Reply is one line from the program.
type Reply struct {
	ID    *int   `json:"id"`
	Error *Error `json:"error,omitempty"`

	Hello      *Hello               `json:"hello,omitempty"`
	Result     *Result              `json:"result,omitempty"`
	Results    *[]Result            `json:"results,omitempty"`
	History    *History             `json:"history,omitempty"`
	Report     *subject.ClearReport `json:"report,omitempty"`
	Saved      *Saved               `json:"saved,omitempty"`
	Page       *Page                `json:"page,omitempty"`
	Stored     []Stored             `json:"stored,omitempty"`
	References *References          `json:"references,omitempty"`
	Diagnosis  *subject.Diagnosis   `json:"diagnosis,omitempty"`
	Log        *Text                `json:"log,omitzero"`
	Files      []File               `json:"files,omitempty"`
}

// Hello is who a program is and what it can do.
type Hello struct {
	Proto    string       `json:"proto"`
	Name     string       `json:"name"`
	Version  string       `json:"version,omitempty"`
	Language string       `json:"language,omitempty"`
	Unit     string       `json:"unit,omitempty"` // that its limits count in; "" is utf16
	Caps     subject.Caps `json:"caps"`
}

// CapRecipes is the capability of being sent texts as recipes.
const CapRecipes = "recipes"

// Error says that something was not done.
type Error struct {
	Kind     string `json:"kind"`
	Definite bool   `json:"definite"`
	Text     string `json:"text"`
}

// The kinds of errors.
const (
	KindUnsupported = "unsupported"
	KindIO          = "io"
	KindCancelled   = "cancelled"
	KindInvalid     = "invalid"
	KindInternal    = "internal"
	KindPanic       = "panic" // the operation broke down; the program goes on with the next session
)

// Call is a tool call.
type Call struct {
	ID    Text   `json:"id"`
	Tool  Text   `json:"tool"`
	Files []Text `json:"files,omitempty"`
}

// Output is what a tool call brought.
type Output struct {
	Call      Call            `json:"call"`
	Status    bounding.Status `json:"status"`
	Text      Text            `json:"text"`
	Parts     []Part          `json:"parts,omitempty"`
	Metadata  []Text          `json:"metadata,omitzero"`
	Bounded   bool            `json:"bounded,omitempty"`
	Protected bool            `json:"protected,omitempty"`
}

// Part is text, or a medium, or further parts.
type Part struct {
	Text  *Text  `json:"text,omitzero"`
	Media *Media `json:"media,omitempty"`
	Parts []Part `json:"parts,omitempty"`
}

// Media is a part that is not text.
type Media struct {
	Type    Text `json:"type"`
	Value   Text `json:"value,omitzero"`
	Cleared bool `json:"cleared,omitempty"`
}

// Result is a tool result in a history.
type Result struct {
	Call      *Call            `json:"call,omitempty"` // left out by a program: that of the request
	Text      Text             `json:"text"`
	Metadata  Text             `json:"metadata,omitzero"`
	Media     []Media          `json:"media,omitempty"`
	Failed    bool             `json:"failed,omitempty"`
	Protected bool             `json:"protected,omitempty"`
	State     bounding.State   `json:"state,omitempty"`
	Outcome   bounding.Outcome `json:"outcome,omitempty"`
	Locator   Text             `json:"locator,omitzero"`
	SHA256    string           `json:"sha256,omitempty"`
	Bytes     int64            `json:"bytes,omitempty"`
	Data      Text             `json:"data,omitzero"` // the program's own, handed back with the result
}

// History is a conversation.
type History struct {
	Messages  []Message `json:"messages"`
	Committed int       `json:"committed"`
}

// Message is one message of it.
type Message struct {
	Role    bounding.Role `json:"role"`
	Text    Text          `json:"text,omitzero"`
	Media   []Media       `json:"media,omitempty"`
	Calls   []Call        `json:"calls,omitempty"`
	Results []Result      `json:"results,omitempty"`
}

// Checkpoint is an occasion to clear.
type Checkpoint struct {
	Trigger bounding.Trigger `json:"trigger"`
	Gap     int64            `json:"gap"` // milliseconds since the last request; -1 when there was none
}

// Save is a text to be stored.
type Save struct {
	Owner  Text `json:"owner"`
	CallID Text `json:"callId"`
	Tool   Text `json:"tool"`
	Name   Text `json:"name"`
	Text   Text `json:"text"`
}

// Saved is what became of it.
type Saved struct {
	Outcome bounding.Outcome `json:"outcome"`
	Locator Text             `json:"locator,omitzero"`
	Bytes   int64            `json:"bytes,omitempty"`
	SHA256  string           `json:"sha256,omitempty"`
	Hint    Text             `json:"hint,omitzero"`
}

// Page is a part of an artifact.
type Page struct {
	Data    Text  `json:"data"`
	Next    int64 `json:"next"`
	Total   int64 `json:"total"`
	Expired bool  `json:"expired,omitempty"`
}

// Stored is an artifact in a list.
type Stored struct {
	Locator Text  `json:"locator"`
	Bytes   int64 `json:"bytes"`
}

// Reference asks for a message that shows other sessions. Everything that can be read of them is in it.
type Reference struct {
	Session   Text       `json:"session"`
	Budget    int        `json:"budget,omitempty"`
	Window    int        `json:"window,omitempty"`
	Citations []Citation `json:"citations"`
	Sessions  []Session  `json:"sessions"`
}

// Citation is one mention of a session.
type Citation struct {
	Session Text `json:"session"`
	Label   Text `json:"label"`
}

// Session is what can be read of a session that is cited.
type Session struct {
	ID            Text    `json:"id"`
	CWD           Text    `json:"cwd,omitzero"`
	ThroughSeq    *int64  `json:"throughSeq"`
	FormatVersion uint    `json:"formatVersion"`
	Events        []Event `json:"events"`
}

// Event is one event of a session. Its kind is user, assistant, checkpoint or other.
type Event struct {
	Kind  string `json:"kind"`
	Parts []Text `json:"parts"`
}

// References is a message that shows other sessions.
type References struct {
	Text     Text    `json:"text"`
	Items    []Shown `json:"items"`
	Recorded Text    `json:"recorded,omitzero"`
	Reads    []Reads `json:"reads,omitempty"` // how often the program read each session
}

// Reads is how often a session was read.
type Reads struct {
	Session Text `json:"session"`
	Times   int  `json:"times"`
}

// Shown is one reference.
type Shown struct {
	Session       Text   `json:"session"`
	Label         Text   `json:"label"`
	Preview       Text   `json:"preview"`
	Notice        Text   `json:"notice,omitzero"`
	Original      int    `json:"originalMessages"`
	Retained      int    `json:"retainedMessages"`
	Omitted       int    `json:"omittedMessages"`
	OmittedBytes  int    `json:"omittedBytes"`
	FormatVersion uint   `json:"formatVersion"`
	Saved         *Saved `json:"saved,omitempty"`
}

// File is a file or a directory of the program's store.
type File struct {
	Path Text   `json:"path"`
	Mode uint32 `json:"mode"`
	Dir  bool   `json:"dir,omitempty"`
}
