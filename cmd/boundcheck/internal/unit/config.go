package unit

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/boundcheck/boundcheck/analyzers/finding"
)

// A config describes one unit, in the words of the go command. The fields are those that are used here.
type config struct {
	ID            string
	Dir           string
	ImportPath    string
	GoVersion     string
	GoFiles       []string // absolute; what cgo makes of its input, not the input
	NonGoFiles    []string
	IgnoredFiles  []string
	ModulePath    string            // Go 1.26
	ModuleVersion string            // Go 1.26; empty for a main module
	Module        *analysis.Module  // since Go 1.27
	ImportMap     map[string]string // path in an import declaration -> canonical path
	PackageFile   map[string]string // canonical path -> file with export data
	Standard      map[string]bool   // imports that are part of the standard library
	PackageVetx   map[string]string // canonical path -> file of facts
	VetxOnly      bool
	VetxOutput    string
	Stdout        string // where the output goes; since Go 1.26
	FixArchive    string

	SucceedOnTypecheckFailure bool
}

func readConfig(name string) (*config, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("the description of the unit cannot be read: %w", err)
	}
	cfg := &config{}
	if err := json.Unmarshal(data, cfg); err != nil {
		return nil, fmt.Errorf("%s is not a description of a unit as go vet writes it: %w", name, err)
	}
	return cfg, nil
}

func (c *config) inMain() bool {
	if c.Module != nil {
		return c.Module.Main
	}
	return c.ModulePath != "" && c.ModuleVersion == ""
}

// module is the module of a unit. There is none for what lies outside the main module: it is only analysed when its
// packages were named, and must not be taken for a dependency.
func (c *config) module() *analysis.Module {
	switch {
	case !c.inMain():
		return nil
	case c.Module == nil:
		return &analysis.Module{Path: c.ModulePath, Main: true, GoVersion: strings.TrimPrefix(c.GoVersion, "go")}
	}
	return &analysis.Module{Path: c.Module.Path, Main: true, Version: c.Module.Version, GoVersion: c.Module.GoVersion}
}

// A job is how much has to be done for a unit.
type job int

const (
	nothing job = iota // an empty file of facts
	factsOnly
	everything
)

// job decides what the unit needs. It drops the test files when they are not wanted: then the test variant of a
// package is the package itself, and an external test package is nothing.
func (c *config) job(tests bool) job {
	if !tests {
		c.GoFiles = slices.DeleteFunc(c.GoFiles, finding.IsTest)
	}
	switch {
	case len(c.GoFiles) == 0:
		return nothing
	case !c.VetxOnly:
		return everything
	case !c.inMain():
		return nothing
	case c.Module != nil || c.hasTests():
		return factsOnly
	}
	return everything
}

// hasTests reports whether the go command would compile test files into the package for its tests.
func (c *config) hasTests() bool {
	entries, err := os.ReadDir(c.Dir)
	if err != nil || len(c.GoFiles) == 0 {
		return false
	}
	name := packageName(c.GoFiles[0])
	for _, e := range entries {
		file := filepath.Join(c.Dir, e.Name())
		if finding.IsTest(file) && !slices.Contains(c.IgnoredFiles, file) && packageName(file) == name {
			return true
		}
	}
	return false
}

func packageName(file string) string {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly)
	if err != nil || f.Name == nil {
		return ""
	}
	return f.Name.Name
}
