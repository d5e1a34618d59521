package bounding

import (
	"slices"
	"strings"
)

// Call is one tool call as the model made it.
type Call struct {
	ID   string // as the model gave it; two calls of one session may share it
	Tool string
	// Files are the files that the call names, for tools that read or write files. They are used to tell which files'
	// contents leave the history with a cleared result.
	Files []string
}

// own returns the call with a list of its own.
func (c Call) own() Call {
	c.Files = slices.Clone(c.Files)
	return c
}

func ownCalls(calls []Call) []Call {
	owned := slices.Clone(calls)
	for i := range owned {
		owned[i] = owned[i].own()
	}
	return owned
}

// Media is an image or another part that is not text. It passes all bounds on text; the idle path clears it by age.
type Media struct {
	Type  string // the MIME type
	Value any    // the caller's own value, handed back as it is
	// Cleared says that the medium is gone, by age: what is sent in its place is the text of Placeholder.
	Cleared bool
}

// maxMediaType bounds the MIME type in the placeholder of a medium, which comes from outside like any text.
const maxMediaType = 128

// Placeholder is the line of text that stands for a medium that was cleared.
//
// spec: WMK-4
func (m Media) Placeholder() string {
	mime := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '[' || r == ']' {
			return -1
		}
		return r
	}, m.Type)
	if len(mime) > maxMediaType || mime == "" {
		mime = "application/octet-stream"
	}
	return "[Old inline media cleared: " + mime + "]"
}

// Part is one part of a tool's output: text, or media, or a list of further parts, nested as deep as it may be. Where a part
// has itself among its parts, it is left out there.
type Part struct {
	Text  string
	Media *Media
	Parts []Part
}

// Output is what a tool call brought, before any bound. All text in it, wherever it stands, is bounded.
//
// spec: OFF-1, OFF-2, OFF-7
type Output struct {
	Call   Call
	Status Status
	Text   string // first, when there are parts as well
	Parts  []Part
	// Bounded says that the tool has brought the text down to its own budget already. It is then not offloaded for its
	// size alone; every other bound applies.
	Bounded bool
	// Protected results are never cleared.
	Protected bool
	// Metadata is text that others put beside the output: hooks, skills, reminders. It follows the output, a blank line
	// before each, and is bounded on its own.
	Metadata []string
}

const (
	partBreak     = "\n"   // between text parts, where they become one text
	metadataBreak = "\n\n" // before each piece of metadata
)

// flatten returns the parts of an output in reading order, text and media only. It returns nil when there is nothing but
// Text.
func (o *Output) flatten() []Part {
	if len(o.Parts) == 0 {
		return nil
	}
	var flat []Part
	if o.Text != "" {
		flat = append(flat, Part{Text: o.Text})
	}
	type list struct {
		of   *Part  // whose parts these are
		rest []Part // what is left of them
	}
	open := []list{{nil, o.Parts}} // the lists around the current part
	around := map[*Part]bool{}     // the parts that they belong to
	for len(open) > 0 {
		current := &open[len(open)-1]
		if len(current.rest) == 0 {
			delete(around, current.of)
			open = open[:len(open)-1]
			continue
		}
		p := &current.rest[0]
		current.rest = current.rest[1:]
		if around[p] {
			continue
		}
		if p.Text != "" {
			flat = append(flat, Part{Text: p.Text})
		}
		if p.Media != nil {
			flat = append(flat, p.medium())
		}
		if len(p.Parts) > 0 {
			around[p] = true
			open = append(open, list{p, p.Parts})
		}
	}
	return flat
}

// medium is the part with the medium alone, in a place of its own.
func (p Part) medium() Part {
	if p.Media == nil {
		return Part{}
	}
	m := *p.Media
	return Part{Media: &m}
}

// split takes flat parts apart into one text and the media.
func split(flat []Part) (string, []Media) {
	var texts []string
	var media []Media
	for _, p := range flat {
		if p.Media != nil {
			media = append(media, *p.Media)
		} else {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, partBreak), media
}
