package unit

import (
	"bytes"
	"errors"
	"fmt"
	"go/build"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/facts"
	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/memory"
	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/pass"
	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/source"
)

// heap is what a unit may use before garbage is collected. Units run side by side, and all but a few never get
// there.
const heap = 150 << 20

// Speaks reports whether the arguments are a request of the go command.
func Speaks(args []string) bool {
	return slices.Contains(args, "-V=full") || slices.Contains(args, "-flags") ||
		len(args) > 0 && strings.HasSuffix(args[len(args)-1], ".cfg")
}

// Main answers one request, and returns the exit code: anything but 0 makes go vet show what was written to stderr
// and fail.
func Main(args []string, analyzers []*analysis.Analyzer, stdout, stderr io.Writer) int {
	found, err := answer(args, analyzers, stdout, stderr)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	if found {
		return 1
	}
	return 0
}

func answer(args []string, analyzers []*analysis.Analyzer, stdout, stderr io.Writer) (found bool, err error) {
	opt := newOptions(analyzers)
	switch {
	case slices.Contains(args, "-V=full"):
		id, err := identity(analyzers)
		if err != nil {
			return false, err
		}
		_, err = fmt.Fprintln(stdout, id)
		return false, err
	case slices.Contains(args, "-flags"):
		data, err := opt.describe()
		if err != nil {
			return false, err
		}
		_, err = stdout.Write(data)
		return false, err
	}
	if err := opt.flags.Parse(args); err != nil {
		return false, err
	}
	if opt.flags.NArg() != 1 {
		return false, fmt.Errorf("want the name of one .cfg file after the flags, got %q", opt.flags.Args())
	}
	cfg, err := readConfig(opt.flags.Arg(0))
	if err != nil {
		return false, err
	}
	return cfg.run(opt, stdout, stderr)
}

// run does the job of a unit. The files that the go command caches are written last, when nothing can fail any more.
func (c *config) run(opt *options, stdout, stderr io.Writer) (found bool, err error) {
	job := c.job(opt.Scope.Tests)
	if job == nothing {
		return false, c.store(nil, nil, stdout)
	}
	memory.Limit(heap)
	if err := setModels(opt.Settings, c.Dir); err != nil {
		return false, err
	}
	known, err := c.readFacts()
	if err != nil {
		return false, err
	}
	pkg, errs := c.read()
	if len(errs) > 0 {
		if c.SucceedOnTypecheckFailure {
			return false, c.store(nil, nil, stdout)
		}
		return false, join(errs)
	}
	results := pass.Run(pkg, opt.Analyzers(), known, opt.Scope)
	for _, res := range results {
		if res.Err != nil {
			err = errors.Join(err, fmt.Errorf("package %s: %w", c.ImportPath, res.Err))
		}
	}
	if err := errors.Join(err, known.Err()); err != nil {
		return false, err
	}
	sortResults(pkg.Fset, results)

	var out bytes.Buffer
	switch {
	case job == factsOnly:
	case opt.fix:
		if err := c.applyFixes(&out, stderr, pkg, results, opt.diff); err != nil {
			return false, err
		}
	case opt.diff:
		return false, errors.New("the flag -diff needs -fix")
	case opt.json:
		data, err := encode(c.ID, pkg.Fset, results)
		if err != nil {
			return false, fmt.Errorf("the findings in %s cannot be written: %w", c.ImportPath, err)
		}
		out.Write(data)
	default:
		found = printText(stderr, pkg.Fset, results)
	}
	var encoded []byte
	if c.inMain() {
		if encoded, err = known.Encode(); err != nil {
			return false, err
		}
	}
	return found, c.store(encoded, out.Bytes(), stdout)
}

// read parses and type-checks the package.
func (c *config) read() (*pass.Package, []*source.Error) {
	fset := token.NewFileSet()
	pkg, errs := source.Check(source.Input{
		Fset:      fset,
		Path:      c.ImportPath,
		GoFiles:   c.GoFiles,
		GoVersion: c.GoVersion,
		Sizes:     types.SizesFor("gc", build.Default.GOARCH),
		Importer:  c.importer(fset),
	})
	pkg.OtherFiles, pkg.IgnoredFiles, pkg.Module = c.NonGoFiles, c.IgnoredFiles, c.module()
	return pkg, errs
}

func join(errs []*source.Error) error {
	var all []error
	for _, e := range errs {
		all = append(all, e)
	}
	return errors.Join(all...)
}

// An importer resolves the paths of import declarations.
type importer struct {
	*config
	exports *source.Exports
}

func (c *config) importer(fset *token.FileSet) types.Importer {
	return importer{c, source.NewExports(fset, func(pkgPath string) (string, error) {
		if file := c.PackageFile[pkgPath]; file != "" {
			return file, nil
		}
		return "", fmt.Errorf("the go command gave no export data for it")
	})}
}

func (i importer) Import(path string) (*types.Package, error) {
	canonical, ok := i.ImportMap[path]
	if !ok {
		return nil, fmt.Errorf("the go command did not list it among the imports")
	}
	return i.exports.Import(canonical)
}

// readFacts returns what the direct imports know, of themselves and of what they import.
func (c *config) readFacts() (*facts.Set, error) {
	known := facts.New(c.ImportPath)
	for _, path := range slices.Sorted(maps.Keys(c.PackageVetx)) {
		if c.Standard[path] {
			continue
		}
		data, err := os.ReadFile(c.PackageVetx[path])
		if err != nil {
			return nil, fmt.Errorf("the facts about %s cannot be read: %w", path, err)
		}
		if err := known.Decode(data); err != nil {
			return nil, fmt.Errorf("the facts about %s in %s cannot be read: %w", path, c.PackageVetx[path], err)
		}
	}
	return known, nil
}

// store writes what the go command keeps. Without a place for the output it goes to stdout.
func (c *config) store(facts, output []byte, stdout io.Writer) error {
	if c.VetxOutput != "" {
		if err := os.WriteFile(c.VetxOutput, facts, 0o666); err != nil {
			return fmt.Errorf("the facts about %s cannot be written: %w", c.ImportPath, err)
		}
	}
	if len(output) == 0 {
		return nil
	}
	if c.Stdout == "" {
		_, err := stdout.Write(output)
		return err
	}
	if err := os.WriteFile(c.Stdout, output, 0o666); err != nil {
		return fmt.Errorf("the findings in %s cannot be written: %w", c.ImportPath, err)
	}
	return nil
}
