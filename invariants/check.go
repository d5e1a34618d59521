package invariants

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// Check holds a subject against the catalogue. newSubject returns one that nothing has used before; it is called once for
// every scenario, and by several goroutines. The error says that the run itself was not possible; what is wrong with the
// subject is in the report.
func Check(ctx context.Context, newSubject func() (subject.Bounder, error), options ...Option) (*Report, error) {
	c := configure(options)
	plan, err := prepare(c)
	if err != nil {
		return nil, err
	}
	first, err := newSubject()
	if err != nil {
		return nil, fmt.Errorf("invariants: new subject: %w", err)
	}
	caps := subject.CapsOf(first)
	if err := release(first); err != nil {
		return nil, fmt.Errorf("invariants: close subject: %w", err)
	}
	var sources []source
	for s := range allSources(c) {
		if slices.ContainsFunc(plan.selected, s.feeds) {
			sources = append(sources, s)
		}
	}
	outcomes := make([]map[string]*tally, len(sources))
	progress := progressOf(c, len(sources))
	d := &driver{ctx: ctx, config: c, caps: caps, newSubject: newSubject, lost: new(atomic.Int32)}
	c.parallel(len(sources), func(i int) {
		i = len(sources) - 1 - i // the engines take longest, so they begin first
		outcomes[i] = d.drive(sources[i], plan.selected)
		progress()
	})
	c.parallel(len(plan.selected), func(i int) {
		if t := failedIn(plan.selected[i], outcomes); t != nil {
			t.scenario, t.failure = d.shrink(plan.selected[i], t.scenario, t.failure)
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("invariants: %w", context.Cause(ctx))
	}
	report := &Report{Profile: c.profile, Effort: c.effort.String(), Seed: c.seed, Caps: caps}
	for _, inv := range plan.selected {
		f := conclude(inv, caps, outcomes)
		if reason, ok := plan.exempt[inv.ID]; ok {
			f = Finding{ID: inv.ID, Level: inv.Level, Status: Skip, Message: "exempt in profile " + c.profile + ": " + reason}
		}
		report.Findings = append(report.Findings, f)
	}
	report.hold(c.baseline, plan.baseline)
	return report, nil
}

// parallel does n jobs with as many workers as the configuration allows.
func (c config) parallel(n int, do func(i int)) {
	workers := c.workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	jobs := make(chan int)
	var wait sync.WaitGroup
	for range workers {
		wait.Go(func() {
			for i := range jobs {
				do(i)
			}
		})
	}
	for i := range n {
		jobs <- i
	}
	close(jobs)
	wait.Wait()
}

// plan is what a run is going to do.
type plan struct {
	selected []Invariant
	exempt   map[string]string
	baseline []known
}

func prepare(c config) (p plan, err error) {
	if p.selected, err = selection(c.only); err != nil {
		return p, err
	}
	if p.exempt, err = exemptions(c.profile); err != nil {
		return p, err
	}
	if c.baseline != "" {
		p.baseline, err = readBaseline(c.baseline)
	}
	return p, err
}

// progressOf returns what is called after each source.
func progressOf(c config, all int) func() {
	var mu sync.Mutex
	done := 0
	return func() {
		mu.Lock()
		defer mu.Unlock()
		if done++; c.progress != nil {
			c.progress(done, all)
		}
	}
}

func (e Effort) String() string { return [...]string{"quick", "full", "nightly"}[min(e, Nightly)] }

// selection returns the invariants that match, in the order of the catalogue.
func selection(patterns []string) ([]Invariant, error) {
	var selected []Invariant
	for i := range All() {
		match := len(patterns) == 0
		for _, p := range patterns {
			ok, err := path.Match(p, i.ID)
			if err != nil {
				return nil, fmt.Errorf("invariants: pattern %q: %w", p, err)
			}
			match = match || ok
		}
		if match {
			selected = append(selected, i)
		}
	}
	if len(selected) == 0 {
		return nil, fmt.Errorf("invariants: no invariant matches %q; All lists them", patterns)
	}
	return selected, nil
}

// source is a supply of scenarios, for some families or for one invariant.
type source struct {
	name      string
	families  []string
	invariant string // if set, the only one that the scenarios are for
	scenarios func(c config) iter.Seq[scenario.Scenario]
	// search, if set, looks for scenarios with the help of a subject, such as one that decides on plain numbers.
	search func(c config, s subject.Bounder) iter.Seq[scenario.Scenario]
}

func (s source) feeds(i Invariant) bool {
	if s.invariant != "" {
		return s.invariant == i.ID
	}
	return slices.Contains(s.families, i.Family())
}

// allSources yields the cases of each invariant, then the engines that are asked for.
func allSources(c config) iter.Seq[source] {
	return func(yield func(source) bool) {
		for i := range All() {
			if i.cases == nil {
				continue
			}
			s := source{name: "cases of " + i.ID, invariant: i.ID,
				scenarios: func(c config) iter.Seq[scenario.Scenario] { return i.cases(c.effort) }}
			if !yield(s) {
				return
			}
		}
		for _, s := range engines {
			if c.cases && s.search == nil {
				continue
			}
			if !yield(s) {
				return
			}
		}
	}
}

// engines are the supplies that serve whole families.
var engines = slices.Concat(clearEngines)

// tally is what one source found out about one invariant.
type tally struct {
	cases     int
	witnesses map[string]bool
	gaveUp    bool // before all was tried
	failure   string
	scenario  scenario.Scenario
	err       error // of the harness
}

// driver runs the scenarios of one source.
type driver struct {
	ctx        context.Context
	config     config
	caps       subject.Caps
	newSubject func() (subject.Bounder, error)
	lost       *atomic.Int32 // scenarios in which the subject hung or died, of all drivers
}

// maxLost is after how many scenarios in which a subject hung or died the run gives it up: each costs the whole timeout.
const maxLost = 10

func (d *driver) drive(s source, selected []Invariant) map[string]*tally {
	var judged []Invariant
	tallies := map[string]*tally{}
	for _, i := range selected {
		if s.feeds(i) && d.caps.Has(i.Needs...) {
			judged = append(judged, i)
			tallies[i.ID] = &tally{witnesses: map[string]bool{}}
		}
	}
	if len(judged) == 0 {
		return tallies
	}
	scenarios, err := d.supply(s)
	if err != nil {
		for _, i := range judged {
			tallies[i.ID].err = err
		}
		return tallies
	}
	for sc := range scenarios {
		if d.ctx.Err() != nil {
			return tallies
		}
		if d.lost.Load() >= maxLost {
			for _, i := range judged {
				tallies[i.ID].gaveUp = true
			}
			return tallies
		}
		t, err := d.run(sc)
		if err != nil {
			for _, i := range judged {
				tallies[i.ID].err = err
			}
			return tallies
		}
		live := judged[:0:0]
		for _, i := range judged {
			tally := tallies[i.ID]
			v, err := d.judge(i, sc, t)
			if err != nil {
				tally.err = err
				continue
			}
			tally.cases++
			for w := range v.witnesses {
				tally.witnesses[w] = true
			}
			if v.failure == "" {
				live = append(live, i)
				continue
			}
			tally.scenario, tally.failure = sc, v.failure
		}
		if judged = live; len(judged) == 0 {
			break
		}
	}
	return tallies
}

// supply returns the scenarios of a source.
func (d *driver) supply(s source) (iter.Seq[scenario.Scenario], error) {
	if s.search == nil {
		return s.scenarios(d.config), nil
	}
	helper, err := d.newSubject()
	if err != nil {
		return nil, fmt.Errorf("new subject: %w", err)
	}
	found := slices.Collect(s.search(d.config, helper))
	if err := release(helper); err != nil {
		return nil, err
	}
	return slices.Values(found), nil
}

// run runs a scenario against a new subject.
func (d *driver) run(sc scenario.Scenario) (*trace.Trace, error) {
	s, err := d.newSubject()
	if err != nil {
		return nil, fmt.Errorf("new subject: %w", err)
	}
	t := trace.Run(d.ctx, s, sc, d.config.timeout)
	b := brokenIn(t)
	switch {
	case b == nil:
		err = release(s)
	case b.Kind == trace.Protocol:
		return nil, errors.New(b.Detail)
	case b.Kind == trace.Panicked:
		discard(s)
	default: // one that hangs is not closed: that would hang, too
		d.lost.Add(1)
	}
	return t, err
}

func release(s subject.Bounder) error {
	if c, ok := s.(subject.Closer); ok {
		return c.Close()
	}
	return nil
}

// discard releases a subject that has panicked, whatever comes of it.
func discard(s subject.Bounder) {
	defer func() { _ = recover() }()
	_ = release(s)
}

func brokenIn(t *trace.Trace) *trace.Broken {
	if n := len(t.Events); n > 0 {
		return t.Events[n-1].Broken
	}
	return nil
}

// judge asks one invariant about one scenario.
func (d *driver) judge(i Invariant, sc scenario.Scenario, t *trace.Trace) (*Verdict, error) {
	v := &Verdict{}
	if i.relation == nil {
		i.check(t, v)
		return v, nil
	}
	other, ok := i.relation.transform(sc)
	if !ok {
		return v, nil
	}
	u, err := d.run(other)
	if err != nil {
		return nil, err
	}
	i.relation.compare(t, u, v)
	return v, nil
}

// shrink makes a scenario smaller while the invariant still fails.
func (d *driver) shrink(i Invariant, sc scenario.Scenario, failure string) (scenario.Scenario, string) {
	small := scenario.Shrink(sc, func(candidate scenario.Scenario) bool {
		if d.ctx.Err() != nil || d.lost.Load() >= maxLost {
			return false
		}
		t, err := d.run(candidate)
		if err != nil {
			return false
		}
		v, err := d.judge(i, candidate, t)
		if err != nil || v.failure == "" {
			return false
		}
		failure = v.failure
		return true
	})
	return small, failure
}

// failedIn returns the tally with the smallest failure of an invariant, and of equals the first in the order of the sources.
func failedIn(i Invariant, outcomes []map[string]*tally) (failed *tally) {
	for _, o := range outcomes {
		t := o[i.ID]
		if t != nil && t.failure != "" && (failed == nil || t.scenario.Calls() < failed.scenario.Calls()) {
			failed = t
		}
	}
	return failed
}

// conclude sums up what the sources found out about an invariant.
func conclude(i Invariant, caps subject.Caps, outcomes []map[string]*tally) Finding {
	f := Finding{ID: i.ID, Level: i.Level}
	if !caps.Has(i.Needs...) {
		f.Status, f.Message = Skip, fmt.Sprintf("the subject cannot %s", missing(i.Needs, caps))
		return f
	}
	seen := map[string]bool{}
	failed := failedIn(i, outcomes)
	var err error
	gaveUp := false
	for _, o := range outcomes {
		t := o[i.ID]
		if t == nil {
			continue
		}
		f.Cases += t.cases
		for w := range t.witnesses {
			seen[w] = true
		}
		gaveUp = gaveUp || t.gaveUp
		if err == nil {
			err = t.err
		}
	}
	switch {
	case failed != nil:
		f.Status, f.Message = Fail, failed.failure
		f.Scenario = counterexample(i.ID, failed.scenario)
		f.Results = failed.scenario.Calls()
	case err != nil:
		f.Status, f.Message = Error, err.Error()
	case gaveUp:
		f.Status, f.Message = Vacuous, "not everything was tried, because the subject hung or died too often"
	default:
		for _, w := range i.Witnesses {
			if !seen[w] {
				f.Missing = append(f.Missing, w)
			}
		}
		if f.Status = Pass; f.Cases == 0 || len(f.Missing) > 0 {
			f.Status, f.Message = Vacuous, "nothing failed, but not everything that must be seen was seen"
		}
	}
	return f
}

func missing(needs []string, caps subject.Caps) string {
	var lacking subject.Caps
	for _, n := range needs {
		if !caps.Has(n) {
			lacking = append(lacking, n)
		}
	}
	return lacking.String()
}
