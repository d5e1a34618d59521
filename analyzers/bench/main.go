//go:build unix

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Exit codes, as the package comment has them.
const (
	exitMeasured = 0
	exitUsage    = 2
	exitFailed   = 3
)

// options are what the command line says.
type options struct {
	setup
	rows    []string
	runs    int
	timeout time.Duration // for one run
	json    bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr, measure)
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer, m measurer) int {
	fail := func(code int, err error) int {
		fmt.Fprintln(stderr, "bench:", err)
		return code
	}
	opt, err := parseFlags(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitMeasured
	}
	if err != nil {
		return fail(exitUsage, err)
	}
	if opt.scratch, err = os.MkdirTemp("", "bench"); err != nil {
		return fail(exitFailed, fmt.Errorf("no place for copies of the tool: %w", err))
	}
	defer os.RemoveAll(opt.scratch)

	pairs, err := opt.pairings(ctx, opt.rows)
	if err != nil {
		return fail(exitFailed, err)
	}
	rep := report{
		Module: filepath.Base(opt.module), Patterns: opt.patterns,
		Go: goVersion(ctx, opt.module), CPUs: runtime.NumCPU(), Runs: opt.runs,
	}
	progress := progressOn(stderr)
	var failed []error
	for _, p := range pairs {
		if ctx.Err() != nil {
			return fail(exitFailed, errors.New("interrupted"))
		}
		r, err := take(ctx, p, opt.runs, opt.timeout, m, progress)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		rep.Rows = append(rep.Rows, r)
	}
	progress("")
	write := rep.writeText
	if opt.json {
		write = rep.writeJSON
	}
	if err := write(stdout); err != nil {
		return fail(exitFailed, fmt.Errorf("the table cannot be written: %w", err))
	}
	if err := errors.Join(failed...); err != nil {
		return fail(exitFailed, err)
	}
	return exitMeasured
}

func parseFlags(args []string, stderr io.Writer) (options, error) {
	var opt options
	var pkgs, rows string
	fs := flag.NewFlagSet("bench", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&opt.bin, "bin", "", "the boundcheck to measure (`path`)")
	fs.StringVar(&opt.module, "module", "", "`directory` of the module to measure on")
	fs.StringVar(&pkgs, "pkgs", "./...", "package `patterns`, separated by spaces")
	fs.IntVar(&opt.runs, "runs", 5, "measured pairs of runs a row")
	fs.DurationVar(&opt.timeout, "timeout", 10*time.Minute, "longest `time` for one run")
	fs.StringVar(&rows, "rows", "", "only these rows, separated by commas (`names`)")
	fs.StringVar(&opt.edit, "edit", "", "`file` that the edit rows change, relative to the module")
	fs.StringVar(&opt.staticcheck, "staticcheck", "", "`path` of a staticcheck to compare with")
	fs.StringVar(&opt.nilaway, "nilaway", "", "`path` of a nilaway to compare with")
	fs.BoolVar(&opt.json, "json", false, "print one JSON document")
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fs.SetOutput(stderr)
			fs.PrintDefaults()
		}
		return opt, err
	}
	switch {
	case fs.NArg() > 0:
		return opt, fmt.Errorf("unexpected argument %q; packages are given with -pkgs", fs.Arg(0))
	case opt.bin == "":
		return opt, errors.New("no tool to measure given; say -bin PATH")
	case opt.module == "":
		return opt, errors.New("no module to measure on given; say -module DIR")
	case opt.runs < 1:
		return opt, fmt.Errorf("-runs %d: at least one pair of runs is needed", opt.runs)
	case opt.timeout <= 0:
		return opt, fmt.Errorf("-timeout %v: a run needs some time", opt.timeout)
	}
	if opt.patterns = strings.Fields(pkgs); len(opt.patterns) == 0 {
		return opt, errors.New("-pkgs names no package; ./... means all")
	}
	if _, err := os.Stat(filepath.Join(opt.module, "go.mod")); err != nil {
		return opt, fmt.Errorf("-module %s has no go.mod: %w", opt.module, err)
	}
	// Commands run in the module, so relative names would be looked up there.
	for _, p := range []*string{&opt.bin, &opt.module, &opt.staticcheck, &opt.nilaway} {
		if *p == "" {
			continue
		}
		abs, err := filepath.Abs(*p)
		if err != nil {
			return opt, fmt.Errorf("%s: %w", *p, err)
		}
		if _, err := os.Stat(abs); err != nil {
			return opt, fmt.Errorf("there is nothing to run: %w", err)
		}
		*p = abs
	}
	return opt, opt.chooseRows(rows)
}

// chooseRows takes the named rows; without names, all for which there is a tool.
func (opt *options) chooseRows(names string) error {
	have := slices.DeleteFunc(slices.Clone(rowNames), func(name string) bool {
		return name == "staticcheck" && opt.staticcheck == "" || name == "nilaway" && opt.nilaway == ""
	})
	if names == "" {
		opt.rows = have
		return nil
	}
	for name := range strings.SplitSeq(names, ",") {
		switch {
		case slices.Contains(have, name):
			opt.rows = append(opt.rows, name)
		case slices.Contains(rowNames, name):
			return fmt.Errorf("-rows %s needs the path of the tool; say -%s PATH", name, name)
		default:
			return fmt.Errorf("-rows %s: there is no such row; known are %s", name, strings.Join(rowNames, ", "))
		}
	}
	return nil
}

// goVersion is that of the go command as the module gets it.
func goVersion(ctx context.Context, dir string) string {
	cmd := exec.CommandContext(ctx, "go", "env", "GOVERSION")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return "unknown go"
	}
	return strings.TrimSpace(string(out))
}

// progressOn returns a printer of one line that is overwritten again and again, or of nothing when w is no terminal.
func progressOn(w io.Writer) func(format string, args ...any) {
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return func(format string, args ...any) { fmt.Fprintf(w, "\r\x1b[K"+format, args...) }
		}
	}
	return func(string, ...any) {}
}
