// Package standalone checks packages in one process, without the help of go vet.
//
// Only the packages of the main module are read from source, and one after another, dependencies first: the
// syntax of a package is gone when its findings are known, and what remains of it are its types and facts, until
// the last package that imports it is done. Everything else comes from the compiler's export data.
package standalone

import (
	"context"
	"fmt"
	"go/token"
	"runtime"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/boundcheck/boundcheck/analyzers/finding"
	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/facts"
	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/fix"
	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/memory"
	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/pass"
	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/report"
	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/source"
)

// heap is what a run may use before garbage is collected.
const heap = 400 << 20

// Options say what is checked.
type Options struct {
	Dir       string // absolute; where patterns are understood and file names are relative to
	Patterns  []string
	Scope     pass.Scope
	Tags      string // build tags, separated by commas
	Analyzers []*analysis.Analyzer
	// Progress is called after each package, always by the same goroutine.
	Progress func(done, total int, pkgPath string)
}

func (o *Options) config(ctx context.Context, mode packages.LoadMode) *packages.Config {
	cfg := &packages.Config{Context: ctx, Mode: mode, Dir: o.Dir, Tests: o.Scope.Tests}
	if o.Tags != "" {
		cfg.BuildFlags = []string{"-tags=" + o.Tags}
	}
	return cfg
}

// An Outcome is what a run has found, and what it could not look at.
type Outcome struct {
	Findings []finding.Finding // sealed and sorted
	Problems []report.Problem
	Fixes    []fix.Fix // of files in the main module, with absolute names
}

// A NoMatchError says that the patterns name no package at all.
type NoMatchError struct{ Patterns []string }

func (e *NoMatchError) Error() string {
	return fmt.Sprintf("no packages matched %s; give import paths or directories, such as ./...", strings.Join(e.Patterns, " "))
}

// Run checks the packages that the options name. What went wrong with single packages is part of the outcome; the
// error is for when nothing could be looked at.
func Run(ctx context.Context, opt Options) (*Outcome, error) {
	memory.Limit(heap)
	g, err := load(ctx, opt)
	if err != nil {
		return nil, err
	}
	c := &checker{opt: opt, graph: g, fset: token.NewFileSet(), dirs: g.moduleDirs()}
	if err := c.openExports(ctx); err != nil {
		return nil, err
	}
	if err := c.all(ctx); err != nil {
		return nil, err
	}
	return c.outcome(), nil
}

// A checker is one run.
type checker struct {
	opt     Options
	graph   *graph
	fset    *token.FileSet
	exports *source.Exports
	dirs    []string // of the main modules
	places  []place
	broken  []report.Problem
	fixes   []fix.Fix
}

// A place is a finding with the module it was found in.
type place struct {
	finding.Finding
	module *packages.Module
}

// A checked is what one worker hands back about one package.
type checked struct {
	node     *node
	findings []finding.Finding
	problems []report.Problem
	fixes    []fix.Fix
}

// all works through the graph with one worker for each processor.
func (c *checker) all(ctx context.Context) error {
	workers := min(runtime.GOMAXPROCS(0), len(c.graph.nodes))
	todo := make(chan *node, len(c.graph.nodes))
	done := make(chan checked, len(c.graph.nodes))
	for _, n := range c.graph.nodes {
		if n.waiting == 0 {
			todo <- n
		}
	}
	for range workers {
		go func() {
			for n := range todo {
				done <- c.one(n)
			}
		}()
	}
	defer close(todo)
	for i := range c.graph.nodes {
		select {
		case <-ctx.Done():
			return fmt.Errorf("stopped with %d of %d packages done: %w", i, len(c.graph.nodes), context.Cause(ctx))
		case r := <-done:
			if c.opt.Progress != nil {
				c.opt.Progress(i+1, len(c.graph.nodes), r.node.meta.PkgPath)
			}
			c.collect(r)
			for _, user := range r.node.users {
				if user.waiting--; user.waiting == 0 {
					todo <- user
				}
			}
		}
	}
	return nil
}

// collect takes over the results of a package and lets go of what nobody needs any more.
func (c *checker) collect(r checked) {
	for _, f := range r.findings {
		c.places = append(c.places, place{f, r.node.meta.Module})
	}
	c.broken = append(c.broken, r.problems...)
	c.fixes = append(c.fixes, r.fixes...)
	for _, dep := range r.node.deps {
		if dep.pending--; dep.pending == 0 {
			dep.types, dep.facts = nil, nil
		}
	}
}

// one reads and, where that is wanted, analyses a package. It touches the node and its finished dependencies only.
func (c *checker) one(n *node) (r checked) {
	r.node = n
	defer func() {
		// The type checker has bugs too; one package must not take the others down.
		if p := recover(); p != nil {
			r = checked{node: n, problems: []report.Problem{{
				Package: n.meta.PkgPath,
				Message: fmt.Sprintf("the package could not be read: %v (%s); please report this", p, pass.PanicOrigin()),
			}}}
		}
	}()
	n.facts = facts.New(n.meta.PkgPath)
	for _, dep := range n.deps {
		n.facts.Inherit(dep.facts)
	}
	pkg, errs := source.Check(source.Input{
		Fset:             c.fset,
		Path:             n.meta.PkgPath,
		GoFiles:          n.meta.CompiledGoFiles,
		GoVersion:        goVersion(n.meta.Module),
		Sizes:            c.graph.sizes,
		Importer:         importerOf{c, n},
		DeclarationsOnly: !n.analyze,
	})
	n.types = pkg.Types
	if p, ok := c.problem(n, errs); ok {
		r.problems = append(r.problems, p)
		return r
	}
	if !n.analyze {
		return r
	}
	pkg.OtherFiles, pkg.IgnoredFiles = n.meta.OtherFiles, n.meta.IgnoredFiles
	pkg.Module = module(n.meta.Module)
	seen := facts.New(n.meta.PkgPath)
	seen.Inherit(n.facts)
	for _, res := range pass.Run(pkg, c.opt.Analyzers, seen, c.opt.Scope) {
		if res.Err != nil {
			r.problems = append(r.problems, report.Problem{Package: n.meta.PkgPath, Message: oneLine(res.Err.Error())})
		}
		if n.report {
			r.findings = append(r.findings, res.Findings...)
		}
		if n.report && inMain(n.meta) {
			r.fixes = append(r.fixes, fix.First(c.fset, pkg.Files, res.Diagnostics)...)
		}
	}
	if inMain(n.meta) {
		n.facts = seen
	}
	return r
}

func goVersion(m *packages.Module) string {
	if m == nil || m.GoVersion == "" {
		return ""
	}
	return "go" + m.GoVersion
}

func module(m *packages.Module) *analysis.Module {
	if m == nil {
		return nil
	}
	return &analysis.Module{Path: m.Path, Version: m.Version, GoVersion: m.GoVersion}
}
