package spill

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/bounding/text"
)

// DefaultInline is how many bytes of an output a [Collector] holds before it spills.
const DefaultInline = 64_000

// Collector takes the output of a running producer, such as a command, and never breaks it: writes always succeed, and wait
// at most for the store. A short output stays in memory. Once it is longer than Inline bytes, all of it goes to one artifact, while only
// its two ends are kept in memory.
//
//	c := spill.NewCollector(ctx, store, request, spill.CollectorOptions{Keep: text.Both.Options(text.UTF16, 25_000, 1_000)})
//	cmd.Stdout, cmd.Stderr = c, c
//	err := cmd.Run()
//	out := c.Finish()
//
// If the store fails or panics, or the output outgrows a limit, there is no artifact, Err says why, and the ends and the
// counts are still right. Finish must be called in any case: until then, a longer output takes room in the store.
//
// Writes may come from several goroutines.
//
// spec: UNI-6, OFF-9, OFF-10
type Collector struct {
	ctx    context.Context
	store  Store
	req    Request
	inline int

	mu     sync.Mutex
	ends   *text.Retainer
	whole  strings.Builder // of the output, until it spills
	total  int64
	writer Writer
	ref    Ref
	err    error
	state  collectorState
}

type collectorState uint8

const (
	holding  collectorState = iota // all of it is in memory
	spilling                       // all of it goes to the store
	losing                         // only the ends are left, and err says why
	finished
)

// CollectorOptions say what is kept in memory.
type CollectorOptions struct {
	Inline int          // bytes that may stay in memory as a whole; 0 is DefaultInline, and below 0 nothing may
	Keep   text.Options // what is kept of the ends of a longer output
}

// Collected is what became of an output.
type Collected struct {
	Text  string         // all of it as it came, valid UTF-8 or not, when it is no longer than Inline bytes
	Ends  text.Selection // the same, or the two ends of a longer one, with exact counts of what lies between
	Bytes int64          // of the whole output, as they came
	Ref   Ref            // of the artifact, when Saved
	Saved bool           // whether there is an artifact, and it is whole
	Err   error          // why a longer output was not saved
}

// NewCollector returns a collector that spills to a store, as the request says. Its Content is ignored.
func NewCollector(ctx context.Context, s Store, req Request, o CollectorOptions) *Collector {
	if o.Inline == 0 {
		o.Inline = DefaultInline
	}
	return &Collector{ctx: ctx, store: s, req: req, inline: o.Inline, ends: text.NewRetainer(o.Keep)}
}

// Write takes all of p. Only after Finish does it fail.
func (c *Collector) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == finished {
		return 0, errors.New("spill: the output was finished before")
	}
	c.ends.Write(p)
	c.total += int64(len(p))
	if c.state == holding {
		if c.total <= int64(c.inline) {
			c.whole.Write(p)
			return len(p), nil
		}
		c.spill()
	}
	if c.state == spilling {
		if _, err := c.writer.Write(p); err != nil {
			c.lose(err)
		}
	}
	return len(p), nil
}

// spill moves what is held to the store.
func (c *Collector) spill() {
	c.req.Content = c.whole.String()
	c.whole.Reset()
	if c.store == nil {
		c.lose(errNoStores)
		return
	}
	w, err := begin(c.ctx, c.store, c.req, Unlimited)
	c.req.Content = ""
	if err != nil {
		c.lose(err)
		return
	}
	c.writer, c.state = w, spilling
}

func (c *Collector) lose(err error) {
	if c.writer != nil {
		err = errors.Join(err, c.writer.Abort())
	}
	c.err, c.state = err, losing
}

// Finish completes the artifact, if there is one, and returns what was collected. Later calls return the same.
func (c *Collector) Finish() Collected {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == spilling {
		ref, err := c.writer.Commit()
		if err != nil {
			c.lose(err)
		}
		c.ref = ref
	}
	c.state = finished
	saved := c.writer != nil && c.err == nil
	return Collected{Text: c.whole.String(), Ends: c.ends.Selection(), Bytes: c.total, Ref: c.ref, Saved: saved, Err: c.err}
}
