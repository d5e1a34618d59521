package wire

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// Program is a bounding layer that is a program. It is started as often as subjects are in use at once, and again after it
// hung or died.
type Program struct {
	ctx     context.Context
	command []string
	timeout time.Duration

	mu    sync.Mutex
	idle  []*process
	hello Hello
}

// NewProgram returns the program that a command runs, started once to learn who it is. A request that is not answered
// within the timeout is a hang; 0 is 5 seconds. Close ends it.
func NewProgram(ctx context.Context, timeout time.Duration, command ...string) (*Program, error) {
	if len(command) == 0 {
		return nil, errors.New("wire: no command: give the program that speaks " + Proto)
	}
	if timeout <= 0 {
		timeout = trace.DefaultTimeout
	}
	p := &Program{ctx: ctx, command: command, timeout: timeout}
	first, err := start(ctx, command, timeout)
	if err != nil {
		return nil, err
	}
	p.hello = first.hello
	p.idle = []*process{first}
	return p, nil
}

// Hello is who the program is.
func (p *Program) Hello() Hello { return p.hello }

// New returns a subject that nothing has used: a process of the program that was reset.
func (p *Program) New() (subject.Bounder, error) {
	p.mu.Lock()
	var proc *process
	if n := len(p.idle); n > 0 {
		proc, p.idle = p.idle[n-1], p.idle[:n-1]
	}
	p.mu.Unlock()
	if proc == nil {
		var err error
		if proc, err = start(p.ctx, p.command, p.timeout); err != nil {
			return nil, err
		}
	}
	c := &Client{program: p, process: proc, encoder: encoder{recipes: proc.hello.Caps.Has(CapRecipes)}}
	if _, err := c.ask(p.ctx, nil, &Request{Op: "reset"}); err != nil {
		return nil, fmt.Errorf("wire: reset: %w", err)
	}
	return c, nil
}

// Close ends all processes.
func (p *Program) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, proc := range p.idle {
		proc.bye(p.ctx)
	}
	p.idle = nil
	return nil
}

// Client is a subject that stands for a program. Its methods are those of every capability; those that the program has
// are in Caps.
type Client struct {
	program *Program
	process *process
	encoder encoder
	limits  *bounding.Limits // that the program was told last

	mu sync.Mutex // saves may come from several goroutines
}

// Caps implements [subject.Limiter].
func (c *Client) Caps() subject.Caps {
	caps := slices.DeleteFunc(slices.Clone(c.process.hello.Caps), func(name string) bool { return name == CapRecipes })
	slices.Sort(caps)
	return caps
}

// Close gives the process back. One that broke is not used again.
func (c *Client) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.process == nil {
		return nil
	}
	c.program.mu.Lock()
	c.program.idle = append(c.program.idle, c.process)
	c.program.mu.Unlock()
	c.process = nil
	return nil
}

// ask sends a request under limits, which are sent only when they have changed.
func (c *Client) ask(ctx context.Context, l *bounding.Limits, q *Request) (*Reply, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.process == nil {
		return nil, errors.New("wire: the subject was closed")
	}
	if l != nil && (c.limits == nil || !sameLimits(*c.limits, *l)) {
		q.Limits = limitsToWire(*l)
		limits := *l
		c.limits = &limits
	}
	q.Cancelled = ctx.Err() != nil
	reply, err := c.process.ask(c.program.ctx, q)
	if err != nil {
		c.process.kill()
		c.process = nil
		return nil, err
	}
	if reply.Error != nil {
		return nil, reply.Error.err()
	}
	return reply, nil
}

// err is the error as a subject in Go returns it.
func (e *Error) err() error {
	err := error(e)
	switch e.Kind {
	case KindPanic:
		return &trace.BrokenError{Broken: trace.Broken{Kind: trace.Panicked, Detail: e.Text}}
	case KindUnsupported:
		err = fmt.Errorf("%w: %w", subject.ErrUnsupported, err)
	case KindCancelled:
		err = fmt.Errorf("%w: %w", context.Canceled, err)
	}
	if !e.Definite {
		err = fmt.Errorf("%w: %w", subject.ErrIndefinite, err)
	}
	return err
}

func (e *Error) Error() string { return e.Kind + ": " + e.Text }

// need returns a field of an answer, which the operation asks for.
func need[T any](op, name string, value *T) (T, error) {
	if value == nil {
		var zero T
		return zero, protocol("the answer to %q has no field %q", op, name)
	}
	return *value, nil
}

// Bound implements [subject.Bounder].
func (c *Client) Bound(ctx context.Context, l bounding.Limits, out bounding.Output) (subject.Result, error) {
	reply, err := c.ask(ctx, &l, &Request{Op: "bound", Output: c.encoder.output(out)})
	if err != nil {
		return subject.Result{}, err
	}
	r, err := need("bound", "result", reply.Result)
	return r.result(out.Call), err
}

// Tighten implements [subject.Tightener].
func (c *Client) Tighten(ctx context.Context, l bounding.Limits, in subject.Result) (subject.Result, error) {
	w := c.encoder.result(in)
	reply, err := c.ask(ctx, &l, &Request{Op: "tighten", Result: &w})
	if err != nil {
		return subject.Result{}, err
	}
	r, err := need("tighten", "result", reply.Result)
	return r.result(in.Call), err
}

// Batch implements [subject.Batcher].
func (c *Client) Batch(ctx context.Context, l bounding.Limits, results []subject.Result) ([]subject.Result, error) {
	reply, err := c.ask(ctx, &l, &Request{Op: "batch", Results: convert(results, c.encoder.result)})
	if err != nil {
		return nil, err
	}
	out, err := need("batch", "results", reply.Results)
	if err != nil {
		return nil, err
	}
	if len(out) != len(results) {
		return nil, protocol(`the answer to "batch" has %d results, the request had %d; results that did not change are returned, too`, len(out), len(results))
	}
	bounded := make([]subject.Result, len(out))
	for i, r := range out {
		bounded[i] = r.result(results[i].Call)
	}
	return bounded, nil
}

// Clear implements [subject.Clearer].
func (c *Client) Clear(ctx context.Context, l bounding.Limits, h subject.History, at bounding.Checkpoint) (subject.History, *subject.ClearReport, error) {
	reply, err := c.ask(ctx, &l, &Request{Op: "clear", History: c.encoder.history(h),
		Checkpoint: &Checkpoint{at.Trigger, millis(at.Gap)}})
	if err != nil {
		return h, nil, err
	}
	if reply.History != nil {
		h = reply.History.after(h)
	}
	return h, reply.Report, nil
}

// Save implements [subject.Spiller].
func (c *Client) Save(ctx context.Context, l bounding.Limits, req spill.Request) (subject.Saved, error) {
	reply, err := c.ask(ctx, &l, &Request{Op: "save", Save: c.encoder.save(req)})
	if err != nil {
		return subject.Saved{}, err
	}
	saved, err := need("save", "saved", reply.Saved)
	return saved.saved(), err
}

// Open implements [subject.Spiller].
func (c *Client) Open(ctx context.Context, locator string, offset, limit int64) (subject.Page, error) {
	return c.open(ctx, &Request{Op: "open", Locator: plain(locator), Offset: offset, Bytes: limit})
}

// OpenAs implements [subject.Reader].
func (c *Client) OpenAs(ctx context.Context, session, locator string, offset, limit int64) (subject.Page, error) {
	s := plain(session)
	return c.open(ctx, &Request{Op: "open", Session: &s, Locator: plain(locator), Offset: offset, Bytes: limit})
}

func (c *Client) open(ctx context.Context, q *Request) (subject.Page, error) {
	reply, err := c.ask(ctx, nil, q)
	if err != nil {
		return subject.Page{}, err
	}
	p, err := need("open", "page", reply.Page)
	return subject.Page{Data: []byte(p.Data.S), Next: p.Next, Total: p.Total, Expired: p.Expired}, err
}

// Grant implements [subject.Reader].
func (c *Client) Grant(ctx context.Context, session, locator string) error {
	s := plain(session)
	_, err := c.ask(ctx, nil, &Request{Op: "grant", Session: &s, Locator: plain(locator)})
	return err
}

// List implements [subject.Spiller].
func (c *Client) List(ctx context.Context, session string) ([]subject.Stored, error) {
	s := plain(session)
	reply, err := c.ask(ctx, nil, &Request{Op: "list", Session: &s})
	if err != nil {
		return nil, err
	}
	return convert(reply.Stored, func(s Stored) subject.Stored { return subject.Stored{Locator: s.Locator.S, Bytes: s.Bytes} }), nil
}

// Reference implements [subject.Referencer]. The reads that the program reports are made again here, so that they count.
func (c *Client) Reference(ctx context.Context, req subject.ReferenceRequest) (subject.References, error) {
	reply, err := c.ask(ctx, &req.Limits, &Request{Op: "reference", Reference: c.encoder.reference(req)})
	if err != nil {
		return subject.References{}, err
	}
	refs, err := need("reference", "references", reply.References)
	for _, r := range refs.Reads {
		for range min(r.Times, maxReads) {
			if _, err := req.Read(r.Session.S); err != nil {
				return subject.References{}, protocol("the program read the session %q, which is not cited", r.Session.S)
			}
		}
	}
	return refs.references(), err
}

// maxReads bounds what a program may claim.
const maxReads = 100

// Replay implements [subject.Replayer].
func (c *Client) Replay(ctx context.Context, recorded []byte) (subject.References, error) {
	t := c.encoder.text(string(recorded))
	reply, err := c.ask(ctx, nil, &Request{Op: "replay", Recorded: &t})
	if err != nil {
		return subject.References{}, err
	}
	refs, err := need("replay", "references", reply.References)
	return refs.references(), err
}

// Diagnose implements [subject.Doctor].
func (c *Client) Diagnose(ctx context.Context, l bounding.Limits, h subject.History) (subject.Diagnosis, error) {
	reply, err := c.ask(ctx, &l, &Request{Op: "doctor", History: c.encoder.history(h)})
	if err != nil {
		return subject.Diagnosis{}, err
	}
	return need("doctor", "diagnosis", reply.Diagnosis)
}

// Reopen implements [subject.Reopener].
func (c *Client) Reopen(ctx context.Context, loss subject.Loss) error {
	_, err := c.ask(ctx, nil, &Request{Op: "reopen", Loss: &loss})
	return err
}

// Fault implements [subject.Faulter].
func (c *Client) Fault(ctx context.Context, program string) error {
	_, err := c.ask(ctx, nil, &Request{Op: "fault", Program: program})
	return err
}

// Advance implements [subject.Clock].
func (c *Client) Advance(ctx context.Context, d time.Duration) error {
	_, err := c.ask(ctx, nil, &Request{Op: "advance", Millis: d.Milliseconds()})
	return err
}

// Sweep implements [subject.Sweeper].
func (c *Client) Sweep(ctx context.Context, age time.Duration) error {
	_, err := c.ask(ctx, nil, &Request{Op: "sweep", Millis: age.Milliseconds()})
	return err
}

// Log implements [subject.Logger]. A log that cannot be had is empty.
func (c *Client) Log() string {
	reply, err := c.ask(c.program.ctx, nil, &Request{Op: "log"})
	if err != nil || reply.Log == nil {
		return ""
	}
	return reply.Log.S
}

// Files implements [subject.Files].
func (c *Client) Files() ([]subject.File, error) {
	reply, err := c.ask(c.program.ctx, nil, &Request{Op: "files"})
	if err != nil {
		return nil, err
	}
	return convert(reply.Files, func(f File) subject.File { return subject.File{Path: f.Path.S, Mode: f.Mode, Dir: f.Dir} }), nil
}
