package retention

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// String is the report for people, some lines of text.
//
// spec: DIA-3, DIA-4
func (r Report) String() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("Tool results in history: %d", r.Results)
	line("Total retained: %d %s (media %d parts, %d)", r.Total, r.Unit, r.MediaParts, r.Media)
	if r.High >= 0 {
		line("Counted towards clearing: %d of %d", r.Counted, r.High)
	} else {
		line("Counted towards clearing: %d (clearing by size is off)", r.Counted)
	}
	line("Not counted: errors %d, never cleared %d, placeholders %d, metadata %d", r.Failed, r.Fixed, r.Cleared, r.Metadata)
	if r.Results > 0 {
		l := r.Largest
		line("Largest result: %d, %s, call %s, %v", l.Body, printable(l.Tool), printable(l.ID), l.State)
	}
	for _, t := range r.Tools {
		line("  %s: %d results, %d", printable(t.Tool), t.Results, t.Total)
	}
	line("Oversized results: %d", len(r.Oversized))
	for _, o := range r.Oversized {
		line("  %s, call %s: %d with a budget of %d, %v", printable(o.Tool), printable(o.ID), o.Body, o.Budget, o.State)
	}
	if len(r.Oversized) > 0 {
		line("  A bounded result is never oversized: look for a way into the history that goes round the pipeline.")
	}
	for _, list := range []struct {
		name string
		n    *int
	}{{"display history", r.OversizedInDisplay}, {"compaction input", r.OversizedInCompaction}} {
		if list.n != nil {
			line("Oversized in the %s: %d", list.name, *list.n)
		}
	}
	return b.String()
}

// maxName bounds what a name or an id may take of a line, in code points.
const maxName = 64

// printable quotes what comes from outside, without control characters, and shortens it.
func printable(name string) string {
	short, more := shorten(name)
	return strconv.QuoteToASCII(short) + more
}

// plain is what comes from outside as a string of JSON: shortened, and with U+FFFD for what is no printable character.
func plain(name string) string {
	short, more := shorten(name)
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, short) + more
}

// shorten returns the first maxName runes, and an ellipsis if there are more.
func shorten(name string) (short, more string) {
	n := 0
	for i := range name {
		if n == maxName {
			return name[:i], "…"
		}
		n++
	}
	return name, ""
}

// MarshalJSON shortens id and name to 64 code points, and has U+FFFD for each one that is not printable.
//
// spec: DIA-4
func (r Result) MarshalJSON() ([]byte, error) {
	type fields Result
	r.ID, r.Tool = plain(r.ID), plain(r.Tool)
	return json.Marshal(fields(r))
}

// MarshalJSON does the same for the name of a tool.
//
// spec: DIA-4
func (t Tool) MarshalJSON() ([]byte, error) {
	type fields Tool
	t.Tool = plain(t.Tool)
	return json.Marshal(fields(t))
}
