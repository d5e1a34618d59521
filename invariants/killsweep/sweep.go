package killsweep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Fault is what happens to one system call of the process.
type Fault struct {
	Call  string // its name, as strace knows it; one that the machine does not have is never met
	Error string // the name of the error it returns instead of being made, such as EIO; "" kills the process
}

func (f Fault) String() string {
	if f.Error == "" {
		return f.Call + " killed"
	}
	return f.Call + " " + f.Error
}

// Kills are the faults that end the process before each of these calls.
func Kills(calls ...string) []Fault {
	faults := make([]Fault, len(calls))
	for i, c := range calls {
		faults[i] = Fault{Call: c}
	}
	return faults
}

// Sweep meets every call of a process with every fault, one fault in each run.
type Sweep struct {
	// Command makes the process of one run, which works in dir. The directory is new, and removed after the check. It is
	// called from several goroutines.
	Command func(dir string) *exec.Cmd

	// Check returns what is wrong with what a run left, or nil. It is called from several goroutines.
	Check func(Run) error

	Faults []Fault

	// Below leaves out calls on files that are not below this directory in dir. "" is all of dir.
	Below string

	// Every meets only each n-th call of a name, the first one included, where there is no time for all. 0 stands for 1.
	Every int

	// Parallel is how many processes run at a time. 0 stands for 2.
	Parallel int

	// TempDir is where the directories of the runs are made. "" is that of the system.
	TempDir string
}

// Point is one call that was met.
type Point struct {
	Fault Fault
	N     int    // among the calls of this name after Ready, from 1
	Call  string // with its arguments, shortened, as strace shows it
}

// Run is what became of one process.
type Run struct {
	Dir    string
	Point  Point
	Err    error  // how the process ended, as exec.Cmd says it; nil if it exited with 0
	Output string // its standard error, or the end of it
}

// Failure is a check that failed.
type Failure struct {
	Point Point
	Err   error
}

func (f Failure) Error() string {
	return fmt.Sprintf("%s at call %d, %s: %v", f.Point.Fault, f.Point.N, f.Point.Call, f.Err)
}

// Report is what a sweep did.
type Report struct {
	Points    []Point   // in the order of the faults and calls
	Missed    int       // runs in which a fault met another call than was meant, each time it was tried; they were checked, too
	Survivors []Fault   // faults whose last run met no call any more, as it must be
	Failures  []Failure // in the order of the points
}

// Hits counts the calls of a name that were met, with any fault.
func (r Report) Hits(call string) (n int) {
	for _, p := range r.Points {
		if p.Fault.Call == call {
			n++
		}
	}
	return n
}

// String counts the points by fault.
func (r Report) String() string {
	var parts []string
	for i := 0; i < len(r.Points); {
		j := i
		for j < len(r.Points) && r.Points[j].Fault == r.Points[i].Fault {
			j++
		}
		parts = append(parts, fmt.Sprintf("%s %d", r.Points[i].Fault, j-i))
		i = j
	}
	return fmt.Sprintf("%d points (%s), %d failures, %d missed", len(r.Points), strings.Join(parts, ", "), len(r.Failures), r.Missed)
}

// Run sweeps. An error says that it could not be done: [ErrUnavailable], or a process that does not get through without a
// fault. What the checks found is in the report.
func (s Sweep) Run(ctx context.Context) (Report, error) {
	if err := Available(ctx); err != nil {
		return Report{}, err
	}
	t := tracer{sweep: s, calls: []string{"openat"}}
	for _, f := range s.Faults {
		if !slices.Contains(t.calls, f.Call) {
			t.calls = append(t.calls, f.Call)
		}
	}
	dry, err := t.dry(ctx)
	if err != nil {
		return Report{}, fmt.Errorf("killsweep: run the process without a fault: %w", err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	slots := make(chan struct{}, cmp.Or(s.Parallel, 2))
	reports := make([]Report, len(s.Faults))
	var wg sync.WaitGroup
	for i, f := range s.Faults {
		wg.Go(func() {
			if err := t.fault(ctx, f, dry, slots, &reports[i]); err != nil {
				cancel(fmt.Errorf("killsweep: %s: %w", f, err))
			}
		})
	}
	wg.Wait()
	var all Report
	for _, r := range reports {
		all.Points = append(all.Points, r.Points...)
		all.Survivors = append(all.Survivors, r.Survivors...)
		all.Failures = append(all.Failures, r.Failures...)
		all.Missed += r.Missed
	}
	return all, context.Cause(ctx)
}

// attempts of meeting the call that is meant. The calls before Ready are not always the same.
const attempts = 4

// fault meets one call after the other until a run gets through.
func (t tracer) fault(ctx context.Context, f Fault, dry log, slots chan struct{}, r *Report) error {
	expected := dry.after(f.Call)
	below := 0
	for n := 1; ; n++ {
		if n <= len(expected) {
			if !expected[n-1].below {
				continue
			}
			if below++; (below-1)%max(t.sweep.Every, 1) != 0 {
				continue
			}
		}
		met := false
		for range attempts {
			slots <- struct{}{}
			p, err := t.one(ctx, f, n, dry, r)
			<-slots
			if err != nil {
				return err
			}
			if p.fate == survived {
				// More calls than in the dry run are possible, fewer as well: another attempt tells.
				if n > len(expected) {
					r.Survivors = append(r.Survivors, f)
					return nil
				}
				continue
			}
			if met = p.fate == hit; met {
				break
			}
		}
		if !met {
			r.Missed++
		}
	}
}

// one is one run.
func (t tracer) one(ctx context.Context, f Fault, n int, dry log, r *Report) (outcome, error) {
	dir, err := t.newDir()
	if err != nil {
		return outcome{}, err
	}
	defer os.RemoveAll(filepath.Dir(dir))
	run, l, err := t.run(ctx, dir, f, dry.before[f.Call]+n)
	if err != nil {
		return outcome{}, err
	}
	o := l.outcome(f, n)
	run.Point = Point{Fault: f, N: n, Call: o.call}
	if o.fate == hit {
		r.Points = append(r.Points, run.Point)
	}
	if o.fate == survived && run.Err == nil || o.fate == missed && f.Error != "" {
		// Nothing happened, or something failed that is not the subject.
		return o, nil
	}
	if err := t.sweep.Check(run); err != nil {
		r.Failures = append(r.Failures, Failure{run.Point, err})
	}
	return o, nil
}

// newDir makes the directory of a run, in one that holds its log as well.
func (t tracer) newDir() (string, error) {
	above, err := os.MkdirTemp(t.sweep.TempDir, "killsweep-")
	if err != nil {
		return "", err
	}
	if above, err = filepath.EvalSymlinks(above); err != nil { // strace shows real paths
		return "", err
	}
	dir := filepath.Join(above, "dir")
	return dir, os.Mkdir(dir, 0o700)
}

// dry is the run in which nothing happens.
func (t tracer) dry(ctx context.Context) (log, error) {
	dir, err := t.newDir()
	if err != nil {
		return log{}, err
	}
	defer os.RemoveAll(filepath.Dir(dir))
	run, l, err := t.run(ctx, dir, Fault{}, 0)
	if err != nil {
		return log{}, err
	}
	if run.Err != nil {
		return log{}, fmt.Errorf("%w: %s", run.Err, run.Output)
	}
	if !l.ready {
		return log{}, errors.New("it has not called Ready in its main goroutine")
	}
	if err := t.sweep.Check(run); err != nil {
		return log{}, fmt.Errorf("the check fails: %w", err)
	}
	return l, nil
}
