// Package report writes what was found: as one JSON document for machines, or as text for people.
package report

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"

	"github.com/boundcheck/boundcheck/analyzers/finding"
)

// A Problem is one reason why something could not be analysed.
type Problem struct {
	Package string `json:"package"` // import path; empty when the problem is not about one package
	File    string `json:"file"`    // empty when there is no place
	Line    int    `json:"line"`    // 0 when there is no place
	Message string `json:"message"`
}

// A Document is everything one run has to say. Its JSON form is documented in the manual of the command.
type Document struct {
	Version  int               `json:"version"`
	Findings []finding.Finding `json:"findings"`
	Errors   []Problem         `json:"errors"`
}

// New returns a document with its parts in the order in which they are printed.
func New(findings []finding.Finding, problems []Problem) *Document {
	d := &Document{Version: 1, Findings: []finding.Finding{}, Errors: []Problem{}}
	d.Findings = append(d.Findings, findings...)
	finding.Sort(d.Findings)
	d.Errors = append(d.Errors, problems...)
	slices.SortFunc(d.Errors, compareProblems)
	d.Errors = slices.Compact(d.Errors)
	return d
}

func compareProblems(a, b Problem) int {
	return cmp.Or(
		cmp.Compare(a.Package, b.Package),
		cmp.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Message, b.Message),
	)
}

// JSON writes the document with a line for every value, so that two runs can be compared with diff.
func (d *Document) JSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "\t")
	return enc.Encode(d)
}
