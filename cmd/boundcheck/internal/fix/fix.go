// Package fix applies suggested fixes to files.
package fix

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"maps"
	"slices"

	"github.com/rogpeppe/go-internal/diff"
	"golang.org/x/tools/go/analysis"
)

// An Edit replaces the bytes from Start up to End of a file.
type Edit struct {
	File       string
	Start, End int
	New        string
}

// A Fix is a set of edits, at least one, that are made together or not at all.
type Fix []Edit

// Compare orders fixes by the place of their first edit.
func Compare(a, b Fix) int {
	return cmp.Or(cmp.Compare(a[0].File, b[0].File), cmp.Compare(a[0].Start, b[0].Start), cmp.Compare(a[0].End, b[0].End))
}

// First returns the first fix of each diagnostic: the others are alternatives to it. Fixes that touch a generated
// file are left out, because the change would be gone with the next generation.
func First(fset *token.FileSet, files []*ast.File, diagnostics []analysis.Diagnostic) []Fix {
	editable := map[*token.File]bool{}
	for _, f := range files {
		editable[fset.File(f.FileStart)] = !ast.IsGenerated(f)
	}
	var fixes []Fix
	for _, d := range diagnostics {
		if len(d.SuggestedFixes) == 0 {
			continue
		}
		var fix Fix
		for _, e := range d.SuggestedFixes[0].TextEdits {
			file := fset.File(e.Pos)
			if !editable[file] {
				fix = nil
				break
			}
			end := cmp.Or(e.End, e.Pos)
			fix = append(fix, Edit{file.Name(), file.Offset(e.Pos), file.Offset(end), string(e.NewText)})
		}
		if fix != nil {
			fixes = append(fixes, fix)
		}
	}
	return fixes
}

// A Change is a file before and after its fixes.
type Change struct {
	File     string
	Old, New []byte
}

// Apply computes what the fixes make of the files, which read returns, and how many fixes had to be left out because
// they touch the same places as others; a second run may apply those. Changed files are formatted.
func Apply(fixes []Fix, read func(name string) ([]byte, error)) (changes []Change, left int, err error) {
	accepted := map[string][]Edit{}
	for _, fix := range fixes {
		if !compatible(accepted, fix) {
			left++
			continue
		}
		for _, e := range fix {
			if !slices.Contains(accepted[e.File], e) {
				accepted[e.File] = append(accepted[e.File], e)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(accepted)) {
		old, err := read(name)
		if err != nil {
			return nil, left, fmt.Errorf("the fixes for %s cannot be made: %w", name, err)
		}
		fixed, err := rewrite(old, accepted[name])
		if err != nil {
			return nil, left, fmt.Errorf("the fixes for %s cannot be made: %w", name, err)
		}
		if formatted, err := format.Source(fixed); err == nil {
			fixed = formatted
		}
		changes = append(changes, Change{File: name, Old: old, New: fixed})
	}
	return changes, left, nil
}

// compatible reports whether no edit of the fix meets another one. The very same edit twice, such as an import that
// two fixes need, is made once.
func compatible(accepted map[string][]Edit, fix Fix) bool {
	for _, e := range fix {
		for _, old := range accepted[e.File] {
			if e != old && e.Start <= old.End && old.Start <= e.End {
				return false
			}
		}
	}
	return true
}

func rewrite(old []byte, edits []Edit) ([]byte, error) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
	var out []byte
	at := 0
	for _, e := range edits {
		if e.End > len(old) {
			return nil, fmt.Errorf("it has %d bytes, but byte %d is to be changed; was it edited meanwhile?", len(old), e.End)
		}
		out = append(out, old[at:e.Start]...)
		out = append(out, e.New...)
		at = e.End
	}
	return append(out, old[at:]...), nil
}

// Left says what to do about fixes that Apply has left out.
func Left(n int) string {
	return fmt.Sprintf("%d of the fixes touch the same places as others and were left out; run the command again for those", n)
}

// Diff returns the changes as a unified diff.
func Diff(changes []Change) []byte {
	var out []byte
	for _, c := range changes {
		out = append(out, diff.Diff(c.File+" (old)", c.Old, c.File+" (new)", c.New)...)
	}
	return out
}
