package unit

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/token"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/fix"
	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/pass"
)

// The JSON form of diagnostics is fixed by the go command, which decodes it.
type (
	diagnostic struct {
		Category string    `json:"category,omitempty"`
		Posn     string    `json:"posn"`
		End      string    `json:"end"`
		Message  string    `json:"message"`
		Fixes    []fixJSON `json:"suggested_fixes,omitempty"`
		Related  []related `json:"related,omitempty"`
	}
	fixJSON struct {
		Message string     `json:"message"`
		Edits   []editJSON `json:"edits"`
	}
	editJSON struct {
		Filename string `json:"filename"`
		Start    int    `json:"start"`
		End      int    `json:"end"`
		New      string `json:"new"`
	}
	related struct {
		Posn    string `json:"posn"`
		End     string `json:"end"`
		Message string `json:"message"`
	}
)

// encode returns the findings of a unit: the unit's ID -> analyzer -> diagnostics.
func encode(id string, fset *token.FileSet, results []pass.Result) ([]byte, error) {
	byAnalyzer := map[string][]diagnostic{}
	for _, res := range results {
		for _, d := range res.Diagnostics {
			byAnalyzer[res.Analyzer.Name] = append(byAnalyzer[res.Analyzer.Name], describe(fset, d))
		}
	}
	tree := map[string]map[string][]diagnostic{}
	if len(byAnalyzer) > 0 {
		tree[id] = byAnalyzer
	}
	data, err := json.MarshalIndent(tree, "", "\t")
	return append(data, '\n'), err
}

func describe(fset *token.FileSet, d analysis.Diagnostic) diagnostic {
	out := diagnostic{
		Category: d.Category,
		Posn:     fset.Position(d.Pos).String(),
		End:      fset.Position(cmp.Or(d.End, d.Pos)).String(),
		Message:  message(d),
	}
	for _, f := range d.SuggestedFixes {
		fj := fixJSON{Message: f.Message}
		for _, e := range f.TextEdits {
			file := fset.File(e.Pos)
			fj.Edits = append(fj.Edits, editJSON{file.Name(), file.Offset(e.Pos), file.Offset(cmp.Or(e.End, e.Pos)), string(e.NewText)})
		}
		out.Fixes = append(out.Fixes, fj)
	}
	for _, r := range d.Related {
		out.Related = append(out.Related, related{fset.Position(r.Pos).String(), fset.Position(cmp.Or(r.End, r.Pos)).String(), r.Message})
	}
	return out
}

// message puts the code into the text: go vet does not print the category.
func message(d analysis.Diagnostic) string {
	if d.Category == "" || strings.Contains(d.Message, d.Category) {
		return d.Message
	}
	return d.Message + " (" + d.Category + ")"
}

// printText writes the findings for a person, and reports whether there are any.
func printText(w io.Writer, fset *token.FileSet, results []pass.Result) bool {
	found := false
	for _, res := range results {
		for _, d := range res.Diagnostics {
			found = true
			fmt.Fprintf(w, "%s: %s\n", fset.Position(d.Pos), message(d))
			for _, r := range d.Related {
				fmt.Fprintf(w, "%s: \t%s\n", fset.Position(r.Pos), r.Message)
			}
		}
	}
	return found
}

// sortResults puts diagnostics in the order of their places, so that equal units have equal output.
func sortResults(fset *token.FileSet, results []pass.Result) {
	for _, res := range results {
		slices.SortStableFunc(res.Diagnostics, func(a, b analysis.Diagnostic) int {
			p, q := fset.Position(a.Pos), fset.Position(b.Pos)
			return cmp.Or(cmp.Compare(p.Filename, q.Filename), cmp.Compare(p.Offset, q.Offset), cmp.Compare(a.Message, b.Message))
		})
	}
}

// applyFixes makes the fixes of a unit: as a diff on w, or into the archive from which the go command takes the
// files once everything is built. A unit without an archive was not asked for; its files stay as they are.
//
// The notice about fixes that were left out is no error, with which the go command would throw away the others.
func (c *config) applyFixes(w, notices io.Writer, pkg *pass.Package, results []pass.Result, diff bool) error {
	if !diff && c.FixArchive == "" {
		return nil
	}
	var fixes []fix.Fix
	for _, res := range results {
		fixes = append(fixes, fix.First(pkg.Fset, pkg.Files, res.Diagnostics)...)
	}
	changes, left, err := fix.Apply(fixes, os.ReadFile)
	if err != nil {
		return err
	}
	if left > 0 {
		fmt.Fprintln(notices, fix.Left(left))
	}
	if diff {
		_, err := w.Write(fix.Diff(changes))
		return err
	}
	archive, err := pack(c.ID, changes)
	if err != nil {
		return err
	}
	if err := os.WriteFile(c.FixArchive, archive, 0o666); err != nil {
		return fmt.Errorf("the fixes cannot be handed to go vet: %w", err)
	}
	return nil
}

func pack(id string, changes []fix.Change) ([]byte, error) {
	var buf bytes.Buffer
	zw := zip.NewWriter(&buf)
	if err := zw.SetComment(id); err != nil {
		return nil, fmt.Errorf("the fixes of %s cannot be packed: %w", id, err)
	}
	for _, c := range changes {
		w, err := zw.Create(c.File)
		if err != nil {
			return nil, fmt.Errorf("the fixes of %s cannot be packed: %w", id, err)
		}
		if _, err := w.Write(c.New); err != nil {
			return nil, fmt.Errorf("the fixes of %s cannot be packed: %w", id, err)
		}
	}
	if err := zw.Close(); err != nil {
		return nil, fmt.Errorf("the fixes of %s cannot be packed: %w", id, err)
	}
	return buf.Bytes(), nil
}
