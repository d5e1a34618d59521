package standalone

import (
	"context"
	"fmt"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/source"
)

// openExports asks for the export data of what the packages in the graph import and the graph does not hold. Only
// that is compiled if it has to be: the main module itself is not.
func (c *checker) openExports(ctx context.Context) error {
	wanted := map[string]*packages.Package{}
	for _, n := range c.graph.nodes {
		for _, p := range n.meta.Imports {
			if c.graph.lookup(p) == nil && p.PkgPath != "unsafe" {
				wanted[p.PkgPath] = p
			}
		}
	}
	files := map[string]string{}
	reasons := map[string]string{}
	if len(wanted) > 0 {
		opt := c.opt
		opt.Scope.Tests = false
		pkgs, err := packages.Load(opt.config(ctx, packages.NeedName|packages.NeedExportFile), slices.Sorted(maps.Keys(wanted))...)
		if err != nil {
			return fmt.Errorf("the export data of dependencies could not be had: %w", tidy(err))
		}
		for _, p := range pkgs {
			files[p.PkgPath] = p.ExportFile
			if len(p.Errors) > 0 {
				reasons[p.PkgPath] = oneLine(p.Errors[0].Msg)
			}
		}
	}
	c.exports = source.NewExports(c.fset, func(pkgPath string) (string, error) {
		if file := files[pkgPath]; file != "" {
			return file, nil
		}
		if p := wanted[pkgPath]; p != nil && len(p.Errors) > 0 {
			return "", fmt.Errorf("%s", oneLine(p.Errors[0].Msg))
		}
		if reason := reasons[pkgPath]; reason != "" {
			return "", fmt.Errorf("%s", reason)
		}
		return "", fmt.Errorf("the go command has no export data for it")
	})
	// Reading export data adds to packages that are there already. It is done with before the workers begin, because
	// an analysis looks into every package that it can reach. What cannot be read is said where it is imported.
	for _, path := range slices.Sorted(maps.Keys(wanted)) {
		_, _ = c.exports.Import(path)
	}
	return nil
}

// An importerOf finds what one package imports.
type importerOf struct {
	*checker
	node *node
}

func (i importerOf) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if path == "C" {
		return nil, i.cgoError()
	}
	p := i.node.meta.Imports[path]
	if p == nil {
		return nil, fmt.Errorf("the go command did not list it among the imports")
	}
	n := i.graph.lookup(p)
	if n == nil {
		return i.exports.Import(p.PkgPath)
	}
	if n.types == nil {
		return nil, fmt.Errorf("it could not be read, or the packages import each other")
	}
	return n.types, nil
}

// cgoError says why cgo did not replace the import of "C" in a file.
func (i importerOf) cgoError() error {
	if p := i.node.meta.Imports["runtime/cgo"]; p != nil && len(p.Errors) > 0 {
		return fmt.Errorf("%s; with CGO_ENABLED=0 the files that need it are left out", oneLine(compilerMessage(p.Errors[0].Msg)))
	}
	return fmt.Errorf("cgo could not process the file")
}
