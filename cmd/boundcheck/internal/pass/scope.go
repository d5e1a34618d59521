package pass

import (
	"go/token"

	"github.com/boundcheck/boundcheck/analyzers/finding"
)

// A Scope says in which files findings are wanted besides the ordinary ones.
type Scope struct {
	Tests     bool // files named _test.go
	Generated bool // files that say they are generated
}

// in returns a function that reports whether a position of the package lies within the scope.
func (s Scope) in(pkg *Package) func(token.Pos) bool {
	unwanted := map[*token.File]bool{}
	for _, f := range pkg.Files {
		file := pkg.Fset.File(f.FileStart)
		unwanted[file] = !s.Tests && finding.IsTest(pkg.Fset.Position(f.Package).Filename) || !s.Generated && finding.IsGenerated(f, file.Name())
	}
	return func(pos token.Pos) bool { return !unwanted[pkg.Fset.File(pos)] }
}
