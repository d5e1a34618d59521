package invariants

import (
	"fmt"
	"time"

	"github.com/boundcheck/boundcheck/invariants/trace"
)

// Effort says how long a run may take.
type Effort uint8

const (
	Quick   Effort = iota // seconds: for every change
	Full                  // minutes: before a release
	Nightly               // as long as it takes
)

// Option changes a run.
type Option func(*config)

type config struct {
	profile  string
	baseline string
	effort   Effort
	seed     uint64
	only     []string
	timeout  time.Duration
	workers  int
	progress func(done, all int)
	cases    bool
}

// Profile chooses which invariants must hold: "strict", the default, is all of them; "qwen" exempts what qwen-code decides
// otherwise.
func Profile(name string) Option { return func(c *config) { c.profile = name } }

// Baseline names a file with the invariants that are known not to hold yet. An entry that passes, is skipped, or fails for
// another reason than it says makes the run fail.
func Baseline(path string) Option { return func(c *config) { c.baseline = path } }

// WithEffort sets how long the run may take; the default is [Quick].
func WithEffort(e Effort) Option { return func(c *config) { c.effort = e } }

// Seed sets where random scenarios begin. Two runs with one seed do the same.
func Seed(seed uint64) Option { return func(c *config) { c.seed = seed } }

// Only checks the invariants whose ids match one of the patterns, as [path.Match] understands them.
func Only(patterns ...string) Option { return func(c *config) { c.only = append(c.only, patterns...) } }

// Timeout sets how long the subject may take for one step; the default is 5 seconds.
func Timeout(d time.Duration) Option { return func(c *config) { c.timeout = d } }

// Workers sets how many subjects are in use at once; the default is the number of processors.
func Workers(n int) Option { return func(c *config) { c.workers = n } }

// CasesOnly tries the scenarios that were made for each invariant, and leaves out the long searches and what chance finds:
// for a first look, in a few seconds.
func CasesOnly() Option { return func(c *config) { c.cases = true } }

// Progress sets what is called, from one goroutine at a time, each time that a source of scenarios is exhausted.
func Progress(call func(done, all int)) Option { return func(c *config) { c.progress = call } }

// Valid returns the error that [Check] would return for these options before it asks for a subject.
func Valid(options ...Option) error {
	_, err := prepare(configure(options))
	return err
}

// ParseEffort finds an effort by its name.
func ParseEffort(name string) (Effort, error) {
	for e := Quick; e <= Nightly; e++ {
		if e.String() == name {
			return e, nil
		}
	}
	return 0, fmt.Errorf("invariants: no effort %q: use quick, full or nightly", name)
}

func configure(options []Option) config {
	c := config{profile: "strict", seed: 1, timeout: trace.DefaultTimeout}
	for _, o := range options {
		o(&c)
	}
	return c
}
