package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Exit codes, as the package comment has them.
const (
	exitScored  = 0
	exitUsage   = 2
	exitNothing = 3
)

// options are what the command line says.
type options struct {
	sites      string
	checkouts  string
	bin        string
	only       []string
	unlabelled int
	seed       uint64
	timeout    time.Duration
	json       bool
	pass       []string // handed to boundcheck
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fail := func(code int, err error) int {
		fmt.Fprintln(stderr, "corpus:", err)
		return code
	}
	opt, err := parseFlags(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitScored
	}
	if err != nil {
		return fail(exitUsage, err)
	}
	sites, err := readSites(opt.sites)
	if err != nil {
		return fail(exitUsage, err)
	}
	repos, err := selectRepos(sites, opt.only)
	if err != nil {
		return fail(exitUsage, err)
	}

	check := checker{bin: opt.bin, args: opt.pass, timeout: opt.timeout}
	if check.bin == "" {
		dir, err := os.MkdirTemp("", "corpus")
		if err != nil {
			return fail(exitNothing, fmt.Errorf("no place to build boundcheck: %w", err))
		}
		defer os.RemoveAll(dir)
		if check.bin, err = buildChecker(ctx, dir); err != nil {
			return fail(exitNothing, err)
		}
	}

	progress := progressOn(stderr)
	res := result{Total: newTally()}
	for i, repo := range repos {
		progress("[%d/%d] %s", i+1, len(repos), repo.name)
		r := check.repo(ctx, opt.checkouts, repo, progress)
		if err := ctx.Err(); err != nil {
			return fail(exitNothing, fmt.Errorf("interrupted in %s: %w", repo.name, err))
		}
		res.add(r)
	}
	progress("")
	res.Sample = pick(res.Repos, opt.unlabelled, opt.seed)

	write := writeText
	if opt.json {
		write = writeJSON
	}
	if err := write(stdout, res); err != nil {
		return fail(exitNothing, fmt.Errorf("the result cannot be written: %w", err))
	}
	if !res.scored() {
		return fail(exitNothing, fmt.Errorf("nothing could be scored: no checkout below %s gave a findings document", opt.checkouts))
	}
	return exitScored
}

func parseFlags(args []string, stderr io.Writer) (options, error) {
	var opt options
	var only string
	fs := flag.NewFlagSet("corpus", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&opt.sites, "sites", "", "`file` with the labelled sites")
	fs.StringVar(&opt.checkouts, "checkouts", "", "`directory` that holds the repositories")
	fs.StringVar(&opt.bin, "bin", "", "a boundcheck that is already built (`path`)")
	fs.StringVar(&only, "only", "", "score only these `repositories`, separated by commas")
	fs.IntVar(&opt.unlabelled, "unlabelled", 0, "print `N` unlabelled reports with their source")
	fs.Uint64Var(&opt.seed, "seed", 1, "seed of the choice of unlabelled reports")
	fs.DurationVar(&opt.timeout, "timeout", 10*time.Minute, "longest `time` for one module")
	fs.BoolVar(&opt.json, "json", false, "print one JSON document")
	fs.Usage = func() {}
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fs.SetOutput(stderr)
			fs.PrintDefaults()
		}
		return opt, err
	}
	opt.pass = fs.Args()
	for name := range strings.SplitSeq(only, ",") {
		if name = strings.TrimSpace(name); name != "" {
			opt.only = append(opt.only, name)
		}
	}
	switch {
	case opt.sites == "":
		return opt, fmt.Errorf("no table of labels given; say -sites FILE")
	case opt.checkouts == "":
		return opt, fmt.Errorf("no checkouts given; say -checkouts DIR")
	case opt.unlabelled < 0:
		return opt, fmt.Errorf("-unlabelled %d: the number of reports cannot be negative", opt.unlabelled)
	case opt.timeout <= 0:
		return opt, fmt.Errorf("-timeout %v: a module needs some time", opt.timeout)
	}
	if info, err := os.Stat(opt.checkouts); err != nil || !info.IsDir() {
		return opt, fmt.Errorf("-checkouts %s is not a directory", opt.checkouts)
	}
	// Runs start in the modules, so relative names would be looked up there.
	var err error
	if opt.checkouts, err = filepath.Abs(opt.checkouts); err != nil {
		return opt, fmt.Errorf("-checkouts %s: %w", opt.checkouts, err)
	}
	if opt.bin != "" {
		if opt.bin, err = filepath.Abs(opt.bin); err != nil {
			return opt, fmt.Errorf("-bin %s: %w", opt.bin, err)
		}
		if _, err := os.Stat(opt.bin); err != nil {
			return opt, fmt.Errorf("-bin: %w; leave the flag out to build boundcheck", err)
		}
	}
	return opt, nil
}

// A repository is its labelled sites.
type repository struct {
	name  string
	sites []site
}

// selectRepos groups sorted sites by repository, keeping those that only names (all when it names none).
func selectRepos(sites []site, only []string) ([]repository, error) {
	var repos []repository
	used := map[string]bool{}
	for _, s := range sites {
		if len(repos) == 0 || repos[len(repos)-1].name != s.Repo {
			repos = append(repos, repository{name: s.Repo})
		}
		last := &repos[len(repos)-1]
		last.sites = append(last.sites, s)
	}
	if len(only) == 0 {
		return repos, nil
	}
	repos = slices.DeleteFunc(repos, func(r repository) bool {
		keep := false
		for _, name := range only {
			if name == r.name || name == path.Base(r.name) {
				used[name], keep = true, true
			}
		}
		return !keep
	})
	for _, name := range only {
		if !used[name] {
			return nil, fmt.Errorf("-only %s: the table has no site in such a repository", name)
		}
	}
	return repos, nil
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
