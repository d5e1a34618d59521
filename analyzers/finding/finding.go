package finding

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Severity says how much a finding matters if it is right.
type Severity string

const (
	High   Severity = "high"   // no bound on any path
	Medium Severity = "medium" // a bound exists but is loose, or the output travels as error text
	Low    Severity = "low"    // worth a look: housekeeping of directives, model text
)

// Confidence says how sure the analysis is that the finding is right.
type Confidence string

const (
	Sure   Confidence = "high"   // every step of the path was seen or is modelled
	Likely Confidence = "medium" // the source is recognised by its shape, not by a model
	Unsure Confidence = "low"    // a step went through a function nobody has modelled
)

// Rank orders confidences: a higher rank is surer. An unknown value ranks 0.
func (c Confidence) Rank() int {
	switch c {
	case Sure:
		return 3
	case Likely:
		return 2
	case Unsure:
		return 1
	}
	return 0
}

// A Source is the place where the output comes into being.
type Source struct {
	Kind string `json:"kind"` // process, file, http, mcp, database, kubernetes, ssh, browser, remote, tool, error
	File string `json:"file"` // relative to the driver's root where it lies below it
	Line int    `json:"line"` // 1-based; 0 when the source lies in a package whose syntax was not seen
}

// A Step is one hop of the path from source to sink, source first.
type Step struct {
	File string `json:"file"`
	Line int    `json:"line"`
	What string `json:"what"`
}

// A Finding is one place that has to be looked at.
//
// The JSON form is part of the stable schema that cmd/boundcheck documents.
type Finding struct {
	Code        string     `json:"code"`
	Analyzer    string     `json:"analyzer"`
	Severity    Severity   `json:"severity"`
	Confidence  Confidence `json:"confidence"`
	File        string     `json:"file"`
	Line        int        `json:"line"`
	Column      int        `json:"column"`
	EndLine     int        `json:"endLine"`
	Message     string     `json:"message"`
	Source      *Source    `json:"source,omitempty"`
	Path        []Step     `json:"path,omitempty"`
	Fingerprint string     `json:"fingerprint"`

	// Pos and End locate the finding in the FileSet of the package that was analysed. They do not outlive the run.
	Pos token.Pos `json:"-"`
	End token.Pos `json:"-"`
	// Func names the enclosing declaration, so that a fingerprint survives edits elsewhere in the file.
	Func string `json:"-"`
}

// Seal sets the fingerprint. Two findings that differ only in line numbers get the same fingerprint, and
// several of one kind in one declaration are told apart by nth, which counts from 0.
func (f *Finding) Seal(nth int) {
	kind := ""
	if f.Source != nil {
		kind = f.Source.Kind
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{f.Code, path.Clean(f.File), f.Func, kind, strconv.Itoa(nth)}, "\x00")))
	f.Fingerprint = hex.EncodeToString(sum[:8])
}

// SealAll sorts the findings and sets every fingerprint.
func SealAll(fs []Finding) {
	Sort(fs)
	type key struct{ code, file, fn, kind string }
	seen := map[key]int{}
	for i := range fs {
		k := key{fs[i].Code, fs[i].File, fs[i].Func, ""}
		if fs[i].Source != nil {
			k.kind = fs[i].Source.Kind
		}
		fs[i].Seal(seen[k])
		seen[k]++
	}
}

// Compare orders findings by place, then by code and message.
func Compare(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Column, b.Column),
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(a.Message, b.Message),
	)
}

// Sort orders findings in place.
func Sort(fs []Finding) { slices.SortStableFunc(fs, Compare) }

// A List is what an analyzer of this module returns as its result: the findings with their paths, which a
// go/analysis diagnostic has no room for. File names in it are as the FileSet has them; a driver makes them
// relative and then calls [SealAll].
type List struct {
	Findings []Finding
}
