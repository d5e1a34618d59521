package directive

import (
	"cmp"
	"go/ast"
	"go/token"
	"iter"
	"slices"

	"github.com/boundcheck/boundcheck/analyzers/internal/model"
)

// An Index holds the directives of one package. It is not safe for concurrent use: [Index.Suppress] keeps count.
type Index struct {
	rules    []model.Rule
	bounds   []Bound
	ignores  map[*token.File][]*ignore
	problems []Problem
	fset     *token.FileSet
}

// A Bound is a function with a body that its author calls a bound. The analysis checks the claim.
type Bound struct {
	Decl     *ast.FuncDecl
	Limit    int64     // in bytes; 0 when the directive gives none
	Pos, End token.Pos // the directive
}

// A Problem is a directive that does not do what its author meant.
type Problem struct {
	Pos, End token.Pos
	Message  string
}

// Parse reads the directives of a package. The files must have been parsed with comments. pkgPath is the import path
// as the compiler has it.
func Parse(fset *token.FileSet, pkgPath string, files []*ast.File) *Index {
	x := &Index{fset: fset, ignores: map[*token.File][]*ignore{}}
	for _, f := range files {
		p := filePass{Index: x, file: f, pkg: model.Normalize(pkgPath)}
		p.run()
	}
	return x
}

// Rules returns what the source, sink, bound and history directives say, in source order.
func (x *Index) Rules() []model.Rule { return slices.Clone(x.rules) }

// Annotated yields the functions annotated as bounds, in source order. Methods of interfaces are not among them: they
// have no body that could prove or refute the claim.
func (x *Index) Annotated() iter.Seq[Bound] { return slices.Values(x.bounds) }

// Suppress reports whether an ignore covers a finding with this code at pos, and counts the ignore as used. It must
// see every finding that the analysis makes, also those that a confidence level or a test-file filter then drops;
// otherwise [Index.Problems] takes the ignore for a stale one.
func (x *Index) Suppress(code string, pos token.Pos) bool {
	covered := false
	for _, g := range x.ignores[x.fset.File(pos)] {
		if g.covers(pos) && g.use(code) {
			covered = true
		}
	}
	return covered
}

// Problems returns what is wrong with the directives themselves, in source order. Call it after the last
// [Index.Suppress]. A problem is a finding (BC0001) like any other, so an ignore can cover it.
func (x *Index) Problems() []Problem {
	all := slices.Clone(x.problems)
	for _, g := range x.all() {
		for _, c := range g.unmatched() {
			if c != problemCode {
				all = append(all, g.stale(c))
			}
		}
	}
	all = slices.DeleteFunc(all, func(p Problem) bool { return x.Suppress(problemCode, p.Pos) })
	// An ignore of the problem code is judged last: the problems above are what it may match.
	for _, g := range x.all() {
		if slices.Contains(g.unmatched(), problemCode) {
			all = append(all, g.stale(problemCode))
		}
	}
	slices.SortStableFunc(all, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.Message, b.Message))
	})
	return all
}

// all returns the ignores of every file in source order.
func (x *Index) all() []*ignore {
	var gs []*ignore
	for _, file := range x.ignores {
		gs = append(gs, file...)
	}
	slices.SortFunc(gs, func(a, b *ignore) int { return cmp.Compare(a.pos, b.pos) })
	return gs
}

func (x *Index) problem(d directive, message string) {
	x.problems = append(x.problems, Problem{Pos: d.pos, End: d.end, Message: message})
}
