package standalone

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/facts"
)

// A node is one package that is read from source.
type node struct {
	meta    *packages.Package
	analyze bool // its bodies are read and the analyzers run; else only its types are wanted
	report  bool // its findings are wanted
	deps    []*node
	users   []*node
	waiting int // dependencies that are not done
	pending int // users that are not done

	// What users need of it; dropped when the last of them is done.
	types *types.Package
	facts *facts.Set
}

// A graph holds the packages to be read from source, dependencies before their users.
type graph struct {
	nodes  []*node
	byID   map[string]*node
	source map[string]bool // ID -> whether those that import it see it as read from source
	sizes  types.Sizes
}

const metadata = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedDeps | packages.NeedModule | packages.NeedForTest | packages.NeedTypesSizes

// load asks the go command what the patterns mean and lays out what has to be read.
func load(ctx context.Context, opt Options) (*graph, error) {
	roots, err := packages.Load(opt.config(ctx, metadata), opt.Patterns...)
	if err != nil {
		return nil, fmt.Errorf("the packages could not be listed: %w", tidy(err))
	}
	if len(roots) == 0 {
		return nil, &NoMatchError{Patterns: opt.Patterns}
	}
	g := &graph{byID: map[string]*node{}, source: map[string]bool{}}
	wanted := reported(roots)
	for _, root := range wanted {
		if root.TypesSizes != nil {
			g.sizes = root.TypesSizes
		}
		g.add(root)
	}
	for _, root := range wanted {
		n := g.node(root)
		n.analyze, n.report = true, true
	}
	return g, nil
}

// reported drops what the go command adds for testing and would make a file be looked at twice: the main packages
// of test binaries, and a package whose test variant, with the same files and more, is there too.
func reported(roots []*packages.Package) []*packages.Package {
	tested := map[string]bool{}
	for _, p := range roots {
		if p.ForTest != "" && p.PkgPath == p.ForTest {
			tested[p.PkgPath] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(roots), func(p *packages.Package) bool {
		main := p.Name == "main" && strings.HasSuffix(p.PkgPath, ".test") && strings.HasSuffix(p.ID, ".test")
		return main || p.ForTest == "" && tested[p.PkgPath]
	})
}

func inMain(p *packages.Package) bool { return p.Module != nil && p.Module.Main }

// add enters the package and what it needs from source, and reports whether it has to be read from source itself:
// if it is part of the main module, or imports something that is. Everything else is imported from export data,
// which must not mention a package that is also read from source: there would be two of every type.
//
// A package outside that was named is read from source as well, but only for itself.
func (g *graph) add(p *packages.Package) bool {
	if source, ok := g.source[p.ID]; ok {
		return source
	}
	g.source[p.ID] = false // the go command allows no cycles, but lists them
	source := inMain(p)
	for _, path := range sortedImports(p) {
		if g.add(p.Imports[path]) {
			source = true
		}
	}
	g.source[p.ID] = source
	if source {
		g.node(p).analyze = inMain(p)
	}
	return source
}

// node returns the node of a package and makes it if there is none. The dependencies must have theirs.
func (g *graph) node(p *packages.Package) *node {
	if n := g.byID[p.ID]; n != nil {
		return n
	}
	n := &node{meta: p}
	g.byID[p.ID] = n
	for _, path := range sortedImports(p) {
		if dep := g.lookup(p.Imports[path]); dep != nil {
			n.deps = append(n.deps, dep)
			dep.users = append(dep.users, n)
			dep.pending++
		}
	}
	n.waiting = len(n.deps)
	g.nodes = append(g.nodes, n)
	return n
}

// lookup returns the node of an imported package, or nil if it comes from export data.
func (g *graph) lookup(p *packages.Package) *node {
	if !g.source[p.ID] {
		return nil
	}
	return g.byID[p.ID]
}

func sortedImports(p *packages.Package) []string {
	paths := make([]string, 0, len(p.Imports))
	for path := range p.Imports {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

// moduleDirs lists the directories of the main modules, of which there are several in a workspace.
func (g *graph) moduleDirs() []string {
	var dirs []string
	for _, n := range g.nodes {
		if inMain(n.meta) && !slices.Contains(dirs, n.meta.Module.Dir) {
			dirs = append(dirs, n.meta.Module.Dir)
		}
	}
	slices.Sort(dirs)
	return dirs
}
