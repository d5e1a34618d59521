package bounding

import (
	"math"
	"strings"

	"github.com/boundcheck/boundcheck/bounding/text"
)

// Unlimited, where a limit stands, says that there is none. It is never the zero value: a limit that was forgotten is 0,
// and lets nothing through.
const Unlimited = -1

// Limits are all the numbers of one policy. Start from [Strict] or [Qwen] and change what is yours: the zero value keeps
// no text at all. Sizes of text are in Unit, sizes of artifacts in bytes.
//
// spec: UNI-1, OFF-2, OFF-3, OFF-8, OFF-10, OFF-11
type Limits struct {
	Unit text.Unit

	// Threshold bounds the body of a result of a tool that declares no budget. Default 25,000.
	Threshold int
	// Headroom is how far a body may be above Threshold before it is offloaded as a whole. Default 3,000: 28,000 units
	// are cut to Threshold, 28,001 become a stub.
	Headroom int
	// Lines bounds the lines of the body of a result of a tool that declares no budget, at least 1. Default 1,000. A body
	// that is no longer than the notice about it, 200 units and a locator, stays whole however many lines it has: so the
	// default has no exception with locators of up to 800 units.
	Lines int
	// Preview bounds what a stub shows of its text. Default 2,000.
	Preview int
	// StubKeep says which end of the text a stub shows. Default text.Both.
	StubKeep text.Keep

	// Batch bounds all text in the results of one message, notices and metadata included. Default 200,000.
	Batch int
	// Sharing says how a message is brought down to Batch.
	Sharing Sharing

	// ArtifactBytes bounds one artifact, SessionBytes all artifacts of a session; both may be reached exactly. Defaults
	// 50 MiB and 500 MiB.
	ArtifactBytes, SessionBytes int64

	// Watermark holds the numbers of clearing.
	Watermark Watermark

	// ImageTokens is what one media part is estimated at in diagnostics, at least 1. Default 1,600; one token is taken
	// as four units.
	ImageTokens int

	// Tools says what differs for some tools, by name. A name that ends in * stands for all names that begin so; the
	// longest one that fits is taken, and an exact name before any of these. Names are case-sensitive.
	Tools map[string]Tool
	// Aliases gives other names of tools, such as those of an earlier version, the name that stands in Tools.
	Aliases map[string]string
}

// Tool is what the policy knows about one tool. The zero value is a tool that declares nothing.
type Tool struct {
	// Budget bounds the body of a result, all of its text parts together. 0 declares none: Threshold and Lines apply. With a budget the line cap is off.
	// Unlimited leaves the results to the batch budget.
	Budget int
	// Keep says which end of a text stays. Default text.Both.
	Keep text.Keep
	// Exempt keeps results out of the gate: they are cut to their budget, but not turned into stubs for their size alone.
	Exempt bool
	// Fixed results are never cleared and do not count towards the high watermark.
	Fixed bool
	// File says what the tool does to the files that its calls name.
	File FileUse
}

// FileUse is what a tool does to a file.
type FileUse uint8

const (
	NoFile FileUse = iota
	ReadsFile
	EditsFile
	WritesFile
)

var fileUseNames = names("file-use", "none", "reads", "edits", "writes")

func (f FileUse) String() string { return fileUseNames.of(int(f)) }

// MarshalText writes the name of the value.
func (f FileUse) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (f *FileUse) UnmarshalText(name []byte) error {
	i, err := fileUseNames.parse(name)
	*f = FileUse(i)
	return err
}

// Tool returns what the limits say about a tool, aliases followed.
//
// spec: OFF-3
func (l Limits) Tool(name string) Tool {
	if canonical, ok := l.Aliases[name]; ok {
		name = canonical
	}
	if tool, ok := l.Tools[name]; ok {
		return tool
	}
	var found Tool
	longest := -1
	for pattern, tool := range l.Tools {
		prefix, ok := strings.CutSuffix(pattern, "*")
		if ok && len(prefix) > longest && strings.HasPrefix(name, prefix) {
			found, longest = tool, len(prefix)
		}
	}
	return found
}

// Budget is the bound of the body of a result of this tool, or Unlimited.
//
// spec: OFF-3
func (l Limits) Budget(tool Tool) int {
	if tool.Budget == 0 {
		return l.Threshold
	}
	return tool.Budget
}

// lines is the line cap for a tool, or Unlimited.
func (l *Limits) lines(tool Tool) int {
	if tool.Budget != 0 {
		return Unlimited
	}
	return l.Lines
}

// Entry is the bound of everything that one result of this tool brings into the history, metadata included. It is
// Unlimited only when the batch budget is, and the tool has no bound of its own.
//
// spec: OFF-1, OFF-7
func (l Limits) Entry(tool Tool) int {
	if budget := l.Budget(tool); budget >= 0 {
		return lower(double(budget), l.Batch)
	}
	return l.Batch
}

// metadata is the bound of the metadata beside a body of n units: what is left of twice the budget, which is at least the
// budget itself. A tool without a bound of its own has that of the other tools for its metadata.
func (l *Limits) metadata(tool Tool, n int) int {
	budget := l.Budget(tool)
	if budget < 0 {
		return l.Threshold
	}
	if n > 0 {
		n += len(metadataBreak)
	}
	return max(0, double(budget)-n)
}

// gate is the largest body that is not offloaded for its size, or Unlimited.
//
// spec: OFF-2
func (l *Limits) gate() int {
	if l.Threshold < 0 {
		return Unlimited
	}
	if l.Headroom > math.MaxInt-l.Threshold {
		return math.MaxInt
	}
	return l.Threshold + l.Headroom
}

// over reports whether n is above a limit that may be Unlimited.
func over(n, limit int) bool { return limit >= 0 && n > limit }

// lower is the stricter of two limits that may be Unlimited.
func lower(a, b int) int {
	if a < 0 || b >= 0 && b < a {
		return b
	}
	return a
}

func double(n int) int {
	if n > math.MaxInt/2 {
		return math.MaxInt
	}
	return 2 * n
}
