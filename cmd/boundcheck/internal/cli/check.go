package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/fix"
	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/report"
	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/settings"
	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/standalone"
)

// A check is one run over packages.
type check struct {
	app      *App
	settings *settings.Settings
	dir      string
	tags     string
	json     bool
	fix      bool
	diff     bool
}

func (c *check) register(flags *pflag.FlagSet) {
	flags.SortFlags = true
	flags.StringVarP(&c.dir, "chdir", "C", "", "go to this directory first")
	flags.StringVar(&c.tags, "tags", "", "build tags, separated by commas")
	flags.BoolVar(&c.json, "json", false, "print one JSON document")
	flags.BoolVar(&c.fix, "fix", false, "make the first suggested fix of each finding instead of printing it")
	flags.BoolVar(&c.diff, "diff", false, "with -fix, print the changes instead of making them")
	addGoFlags(flags, c.settings)
}

func (c *check) run(ctx context.Context, patterns []string) error {
	if c.fix && c.json {
		return usageError{errors.New("the flags -fix and -json do not go together")}
	}
	if c.diff && !c.fix {
		return usageError{errors.New("the flag -diff needs -fix")}
	}
	dir, err := filepath.Abs(c.dir)
	if err != nil {
		return fmt.Errorf("the working directory is not known: %w", err)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return usageError{fmt.Errorf("%s is not a directory", c.dir)}
	}
	if err := c.settings.SetModels(dir); err != nil {
		return usageError{err}
	}
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	out, err := standalone.Run(ctx, standalone.Options{
		Dir:       dir,
		Patterns:  patterns,
		Scope:     c.settings.Scope,
		Tags:      c.tags,
		Analyzers: c.settings.Analyzers(),
		Progress:  progress(c.app.Stderr),
	})
	if _, ok := errors.AsType[*standalone.NoMatchError](err); ok {
		return usageError{err}
	}
	if err != nil {
		if c.json {
			// Whoever reads the document learns of it there, too.
			doc := report.New(nil, []report.Problem{{Message: err.Error()}})
			return errors.Join(err, doc.JSON(c.app.Stdout))
		}
		return err
	}
	return c.finish(out, dir)
}

// finish prints the outcome or applies the fixes, and sets the exit code.
func (c *check) finish(out *standalone.Outcome, dir string) error {
	doc := report.New(out.Findings, out.Problems)
	found := len(doc.Findings) > 0
	switch {
	case c.fix:
		changed, err := c.applyFixes(out.Fixes, dir)
		if err != nil {
			return err
		}
		found = changed && c.diff
	case c.json:
		if err := doc.JSON(c.app.Stdout); err != nil {
			return fmt.Errorf("the document could not be written: %w", err)
		}
	default:
		if err := doc.Text(c.app.Stdout, report.StyleFor(c.app.Stdout)); err != nil {
			return fmt.Errorf("the findings could not be written: %w", err)
		}
	}
	if !c.json {
		if err := doc.Problems(c.app.Stderr); err != nil {
			return err
		}
	}
	switch {
	case len(doc.Errors) > 0:
		c.app.code = Broken
	case found:
		c.app.code = Findings
	}
	return nil
}

func (c *check) applyFixes(fixes []fix.Fix, dir string) (changed bool, err error) {
	changes, left, err := fix.Apply(fixes, os.ReadFile)
	if err != nil {
		return false, err
	}
	if left > 0 {
		fmt.Fprintln(c.app.Stderr, "boundcheck:", fix.Left(left))
	}
	if c.diff {
		for i := range changes {
			if rel, err := filepath.Rel(dir, changes[i].File); err == nil {
				changes[i].File = filepath.ToSlash(rel)
			}
		}
		_, err := c.app.Stdout.Write(fix.Diff(changes))
		return len(changes) > 0, err
	}
	for _, change := range changes {
		info, err := os.Stat(change.File)
		if err == nil {
			err = os.WriteFile(change.File, change.New, info.Mode().Perm())
		}
		if err != nil {
			return false, fmt.Errorf("the fixes for %s could not be written: %w", change.File, err)
		}
	}
	return len(changes) > 0, nil
}

// progress returns a function that keeps one line of a terminal up to date, or nil when nobody is looking.
func progress(f *os.File) func(done, total int, pkgPath string) {
	if !report.IsTerminal(f) {
		return nil
	}
	return func(done, total int, pkgPath string) {
		const clear = "\r\x1b[K"
		if done == total {
			fmt.Fprint(f, clear)
			return
		}
		fmt.Fprintf(f, "%s%d/%d %s", clear, done, total, pkgPath)
	}
}
