// Package source parses and type-checks one package, for both drivers.
package source

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"

	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/pass"
)

// An Input names what is to be checked and how its imports are found.
type Input struct {
	Fset      *token.FileSet
	Path      string   // import path without a test-variant suffix
	GoFiles   []string // absolute
	GoVersion string   // "go1.26", or empty for the newest
	Sizes     types.Sizes
	Importer  types.Importer
	// DeclarationsOnly leaves function bodies out: enough for a package that is only imported.
	DeclarationsOnly bool
}

// An Error is one reason why a package cannot be analysed.
type Error struct {
	Pos     token.Position // without a file name when the reason has no place
	Message string
}

func (e *Error) Error() string {
	if e.Pos.Filename == "" {
		return e.Message
	}
	return fmt.Sprintf("%s: %s", e.Pos, e.Message)
}

// Check parses and type-checks the input. With errors the package is returned too, as far as it was understood:
// its types serve the packages that import it, but it must not be analysed.
func Check(in Input) (*pass.Package, []*Error) {
	pkg := &pass.Package{Path: in.Path, Fset: in.Fset, Sizes: in.Sizes}
	var errs []*Error
	for _, name := range in.GoFiles {
		f, err := parser.ParseFile(in.Fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			errs = append(errs, syntaxErrors(err)...)
		}
		if f != nil {
			pkg.Files = append(pkg.Files, f)
		}
	}
	if !in.DeclarationsOnly {
		pkg.Info = &types.Info{
			Types:        map[ast.Expr]types.TypeAndValue{},
			Defs:         map[*ast.Ident]types.Object{},
			Uses:         map[*ast.Ident]types.Object{},
			Implicits:    map[ast.Node]types.Object{},
			Instances:    map[*ast.Ident]types.Instance{},
			Scopes:       map[ast.Node]*types.Scope{},
			Selections:   map[*ast.SelectorExpr]*types.Selection{},
			FileVersions: map[*ast.File]string{},
		}
	}
	syntaxOK := len(errs) == 0
	conf := types.Config{
		Importer:         in.Importer,
		Sizes:            in.Sizes,
		GoVersion:        in.GoVersion,
		IgnoreFuncBodies: in.DeclarationsOnly,
		Error: func(err error) {
			// What the checker says about a file that was only half understood is noise.
			if syntaxOK {
				errs = append(errs, typeError(err))
			}
		},
	}
	// The error is the first of those that conf.Error has seen.
	pkg.Types, _ = conf.Check(in.Path, in.Fset, pkg.Files, pkg.Info)
	return pkg, errs
}

func syntaxErrors(err error) []*Error {
	if list, ok := errors.AsType[scanner.ErrorList](err); ok {
		var errs []*Error
		for _, e := range list {
			errs = append(errs, &Error{Pos: e.Pos, Message: e.Msg})
		}
		return errs
	}
	return []*Error{{Message: err.Error()}}
}

func typeError(err error) *Error {
	te, ok := errors.AsType[types.Error](err)
	if !ok {
		return &Error{Message: err.Error()}
	}
	return &Error{Pos: te.Fset.Position(te.Pos), Message: te.Msg}
}

// Compare orders errors by place.
func Compare(a, b *Error) int {
	return cmp.Or(
		cmp.Compare(a.Pos.Filename, b.Pos.Filename),
		cmp.Compare(a.Pos.Line, b.Pos.Line),
		cmp.Compare(a.Pos.Column, b.Pos.Column),
		cmp.Compare(a.Message, b.Message),
	)
}
