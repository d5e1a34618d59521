package retention

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/bounding"
)

// Entry is what diagnostics have to know about one tool result. Sizes are in the unit of the limits.
type Entry struct {
	ID, Tool string // of the call
	State    bounding.State
	Failed   bool // the result reports an error
	Body     int  // the text, without the metadata
	Metadata int
	Media    int // parts that are no text
}

// Of yields the tool results of a history, none of nil. It copies no text.
func Of(h *bounding.History) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		if h == nil {
			return
		}
		for r := range h.Results() {
			call := r.Call()
			if !yield(Entry{
				ID: call.ID, Tool: call.Tool, State: r.State(), Failed: r.IsError(),
				Body: r.BodySize(), Metadata: r.MetadataSize(), Media: r.Media(),
			}) {
				return
			}
		}
	}
}

// Sources are where results are held. Display and Compaction may be nil, when they are not known; a nil History is empty.
type Sources struct {
	History    iter.Seq[Entry] // what is sent to the model
	Display    iter.Seq[Entry] // what the user is shown, if that is another list
	Compaction iter.Seq[Entry] // what a compaction of the history would be given
}

// Report is what the results of a history hold on to. Text and media add up to Total.
type Report struct {
	Unit    string `json:"unit"`
	Results int    `json:"results"`
	Total   int    `json:"total"`

	// Counted is the text that clearing counts, and High the watermark that it is compared with, or -1.
	Counted int `json:"counted"`
	High    int `json:"high"`
	// The text that clearing does not count: errors, results of tools that are never cleared, placeholders, metadata.
	Failed   int `json:"failed"`
	Fixed    int `json:"fixed"`
	Cleared  int `json:"cleared"`
	Metadata int `json:"metadata"`

	MediaParts int `json:"mediaParts"`
	Media      int `json:"media"` // their estimate

	Largest Result `json:"largest"`
	// Oversized lists the results beyond twice their budget and 500, in order. It is empty unless a bound was gone round.
	Oversized []Result `json:"oversized"`
	Tools     []Tool   `json:"tools"` // most text first

	// How many oversized results are in the other lists; nil where the list is not known.
	OversizedInDisplay    *int `json:"oversizedInDisplay,omitempty"`
	OversizedInCompaction *int `json:"oversizedInCompaction,omitempty"`
}

// Result is one result in a report. ID and Tool are as they came; JSON has them as [Result.MarshalJSON] says.
type Result struct {
	ID     string         `json:"id"`
	Tool   string         `json:"tool"`
	State  bounding.State `json:"state"`
	Body   int            `json:"body"`
	Budget int            `json:"budget"` // -1 for none
}

// Tool sums up the results of one tool. JSON has its name as [Tool.MarshalJSON] says.
type Tool struct {
	Tool      string `json:"tool"`
	Results   int    `json:"results"`
	Total     int    `json:"total"`
	Oversized int    `json:"oversized"`
}

// unitsPerToken turns an estimate in tokens into units.
const unitsPerToken = 4

// Diagnose looks at each result once.
//
// spec: DIA-1, DIA-2, DIA-3
func Diagnose(l bounding.Limits, s Sources) Report {
	r := Report{Unit: l.Unit.String(), High: l.Watermark.High, Oversized: []Result{}, Tools: []Tool{}}
	image := times(max(l.ImageTokens, 1), unitsPerToken)
	tools := map[string]int{} // index in r.Tools
	if s.History == nil {
		s.History = Of(nil)
	}
	for e := range s.History {
		tool := l.Tool(e.Tool)
		body, metadata, media := max(e.Body, 0), max(e.Metadata, 0), times(max(e.Media, 0), image)
		r.Results++
		switch {
		case e.State == bounding.Cleared:
			r.Cleared += body
		case e.Failed:
			r.Failed += body
		case tool.Fixed:
			r.Fixed += body
		default:
			r.Counted += body
		}
		r.Metadata += metadata
		r.MediaParts += max(e.Media, 0)
		r.Media += media
		total := body + metadata + media
		r.Total += total

		i, ok := tools[e.Tool]
		if !ok {
			i = len(r.Tools)
			tools[e.Tool] = i
			r.Tools = append(r.Tools, Tool{Tool: e.Tool})
		}
		t := &r.Tools[i]
		t.Results++
		t.Total += total

		described := Result{ID: e.ID, Tool: e.Tool, State: e.State, Body: body, Budget: l.Budget(tool)}
		if r.Results == 1 || body > r.Largest.Body {
			r.Largest = described
		}
		if oversized(body, described.Budget) {
			t.Oversized++
			r.Oversized = append(r.Oversized, described)
		}
	}
	slices.SortFunc(r.Tools, func(a, b Tool) int {
		return cmp.Or(b.Total-a.Total, strings.Compare(a.Tool, b.Tool))
	})
	r.OversizedInDisplay = count(l, s.Display)
	r.OversizedInCompaction = count(l, s.Compaction)
	return r
}

// slack is how far beyond twice its budget a body may be before it is called oversized.
const slack = 500

// oversized is the alarm. A budget below 0 is none.
//
// spec: DIA-2
func oversized(body, budget int) bool { return budget >= 0 && body-slack > times(budget, 2) }

func count(l bounding.Limits, entries iter.Seq[Entry]) *int {
	if entries == nil {
		return nil
	}
	n := 0
	for e := range entries {
		if oversized(max(e.Body, 0), l.Budget(l.Tool(e.Tool))) {
			n++
		}
	}
	return &n
}

// times multiplies numbers that are at least 0, up to the largest int.
func times(a, b int) int {
	if b != 0 && a > math.MaxInt/b {
		return math.MaxInt
	}
	return a * b
}

// ImageTokensVariable is the environment variable that overrides [bounding.Limits].ImageTokens.
const ImageTokensVariable = "BOUNDCHECK_IMAGE_TOKENS"

// WithEnvironment returns the limits with the estimate for media that the environment sets. A value that is no whole number
// of at least 1 changes nothing, and neither does a nil getenv. Pass os.Getenv.
//
// spec: DIA-1
func WithEnvironment(l bounding.Limits, getenv func(string) string) bounding.Limits {
	if getenv == nil {
		return l
	}
	if n, err := strconv.Atoi(strings.TrimSpace(getenv(ImageTokensVariable))); err == nil && n >= 1 {
		l.ImageTokens = n
	}
	return l
}
