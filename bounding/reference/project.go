package reference

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/bounding/text"
)

// Kind says what an event of a session is. What is not said to be one of the first three is never shown.
type Kind uint8

const (
	Other      Kind = iota // system prompts, tool calls and results, injected context, nested references, unfinished answers
	User                   // what the user wrote
	Assistant              // what the model answered
	Checkpoint             // a summary that stands for the messages that compaction replaced
)

// PartKind says what a part of an event is. What is not said to be text is never shown.
type PartKind uint8

const (
	OtherPart PartKind = iota // reasoning, media, tool calls
	TextPart
)

// Part is one part of an event.
type Part struct {
	Kind PartKind
	Text string
}

// TextParts returns parts of text, for events that hold nothing else.
func TextParts(texts ...string) []Part {
	parts := make([]Part, len(texts))
	for i, t := range texts {
		parts[i] = Part{TextPart, t}
	}
	return parts
}

// Event is one event of a session.
type Event struct {
	Kind  Kind
	Parts []Part
}

// Snapshot is what one read of a session found: the events that are current, which are not those that compaction has
// replaced, oldest first.
type Snapshot struct {
	Events []Event

	// CWD is the working directory of the session, and "" if it has none.
	CWD string

	// ThroughSeq is the sequence number of the last event of any kind at the time of the read, and nil if there was none.
	ThroughSeq *int64

	// FormatVersion is the version of the format that the session is recorded in.
	FormatVersion uint
}

// Role is who a message is from.
type Role string

// The roles. A checkpoint has the role of the user.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
)

// Message is one message of a capture.
type Message struct {
	Role       Role
	Text       string // never empty; the bytes as they came, valid UTF-8 or not
	Checkpoint bool
}

// Capture is what a reference keeps of a session: the text that the user and the model wrote, and the checkpoints of
// compaction. The preview and the transcript both come from it, so that they cannot disagree, and nothing that happens to
// the session afterwards changes either.
//
// spec: REF-1
type Capture struct {
	SessionID     string
	Label         string
	CWD           string // "" is written as null
	ThroughSeq    *int64 // nil is written as null
	FormatVersion uint
	Messages      []Message // oldest first
}

// Project returns what a reference keeps of a snapshot. The parts of a message are joined with a newline; a message without
// text is left out, and counts nowhere.
//
// spec: REF-1
func Project(cited Citation, s Snapshot) Capture {
	c := Capture{
		SessionID:     text.Clean(cited.SessionID),
		Label:         text.Clean(cited.label()),
		CWD:           text.Clean(s.CWD),
		ThroughSeq:    clone(s.ThroughSeq),
		FormatVersion: s.FormatVersion,
	}
	for _, e := range s.Events {
		m := Message{Role: RoleUser, Checkpoint: e.Kind == Checkpoint}
		switch e.Kind {
		case User, Checkpoint:
		case Assistant:
			m.Role = RoleAssistant
		default:
			continue
		}
		if m.Text = join(e.Parts); m.Text != "" {
			c.Messages = append(c.Messages, m)
		}
	}
	return c
}

func clone(seq *int64) *int64 {
	if seq == nil {
		return nil
	}
	return new(*seq)
}

func join(parts []Part) string {
	var texts []string
	for _, p := range parts {
		if p.Kind == TextPart {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// compacted reports whether the capture begins with a summary somewhere.
func (c Capture) compacted() bool {
	return slices.ContainsFunc(c.Messages, func(m Message) bool { return m.Checkpoint })
}
