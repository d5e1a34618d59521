package source

import (
	"fmt"
	"go/token"
	"go/types"
	"os"
	"sync"

	"golang.org/x/tools/go/gcexportdata"
)

// Exports loads packages from the compiler's export data, each when it is first imported. It is safe for
// concurrent use.
//
// It is the only place that knows what the compiler leaves behind; the drivers see a [types.Importer].
type Exports struct {
	fset *token.FileSet
	file func(pkgPath string) (string, error)

	mu       sync.Mutex
	packages map[string]*types.Package
}

// NewExports returns an importer; file says in which file the export data of a package is.
func NewExports(fset *token.FileSet, file func(pkgPath string) (string, error)) *Exports {
	return &Exports{fset: fset, file: file, packages: map[string]*types.Package{}}
}

// Import implements [types.Importer]. The path is the canonical one, after vendoring was resolved.
func (e *Exports) Import(pkgPath string) (*types.Package, error) {
	if pkgPath == "unsafe" {
		return types.Unsafe, nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if p := e.packages[pkgPath]; p != nil && p.Complete() {
		return p, nil
	}
	name, err := e.file(pkgPath)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("export data of %s: %w", pkgPath, err)
	}
	defer f.Close()
	//lint:ignore SA1019 the compiler's archives are what the go command hands out up to Go 1.27, and this reads both forms
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("export data of %s in %s: %w", pkgPath, name, err)
	}
	return gcexportdata.Read(r, e.fset, e.packages, pkgPath)
}
