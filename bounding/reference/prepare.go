package reference

import (
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// Source reads sessions.
type Source interface {
	// Read returns what is current in a session. It is called once for each reference. The snapshot must not change while
	// Prepare is at work with it; a copy of its slices is enough.
	Read(ctx context.Context, sessionID string) (Snapshot, error)
}

// Citation is one mention of a session in a message.
type Citation struct {
	SessionID string
	Label     string // what the user sees; "" stands for the id
}

func (c Citation) label() string {
	if c.Label == "" {
		return c.SessionID
	}
	return c.Label
}

// Preparer makes contexts from citations. It may be used by several goroutines, if its source and its store may.
type Preparer struct {
	limits Limits
	source Source
	store  spill.Store
	window func(context.Context) (int, error)
}

// Option changes what [New] returns.
type Option func(*Preparer)

// WithStore saves a transcript of whatever a preview does not show in full. Limits on the bytes of a session are the
// store's: it refuses, and the notice says so.
func WithStore(store spill.Store) Option { return func(p *Preparer) { p.store = store } }

// WithWindow asks for the context window of the model, in tokens, before each preparation that needs it to derive a budget.
// A window of 0 is not known. An error fails the preparation before anything is read.
func WithWindow(window func(context.Context) (tokens int, err error)) Option {
	return func(p *Preparer) { p.window = window }
}

// New returns a preparer. The error wraps [InvalidConfig].
func New(limits Limits, source Source, options ...Option) (*Preparer, error) {
	if err := limits.Validate(); err != nil {
		return nil, err
	}
	if source == nil {
		return nil, fmt.Errorf("reference: there is no source to read sessions from: %w", InvalidConfig)
	}
	p := &Preparer{limits: limits, source: source}
	for _, o := range options {
		o(p)
	}
	return p, nil
}

// Prepare reads the cited sessions, each once, and returns the message that shows them to the model of the session target.
// A session cited twice is shown once, under its first label.
//
// Whatever a preview leaves out is saved first, as session-reference-1.txt for the first of the distinct references and so
// on, owned by target. A save that fails never fails the preparation: the notice says that there is no full text.
//
// An error means that nothing is to be published: it wraps a [Code], or is what the function of [WithWindow] returned. When
// ctx ends, reads and saves that have begun are waited for, and what was saved is left to expire.
//
// spec: REF-1, REF-2, REF-4, REF-7
func (p *Preparer) Prepare(ctx context.Context, target string, cited []Citation) (Context, error) {
	cited, err := p.distinct(target, cited)
	if err != nil || len(cited) == 0 {
		return Context{}, err
	}
	budget, err := p.budget(ctx)
	if err != nil {
		return Context{}, err
	}
	captures, err := p.read(ctx, cited)
	if err != nil {
		return Context{}, err
	}
	previews := make([]Preview, len(captures))
	for i, c := range captures {
		if previews[i], err = c.Preview(budget); err != nil {
			return Context{}, err
		}
	}
	return p.publish(ctx, target, captures, previews)
}

// distinct checks the citations and drops those of a session that is cited already.
func (p *Preparer) distinct(target string, cited []Citation) ([]Citation, error) {
	var list []Citation
	seen := map[string]bool{}
	for i, c := range cited {
		switch id := c.SessionID; {
		case id == "" || !utf8.ValidString(id):
			return nil, fmt.Errorf("reference: citation %d: %q is no id of a session: it is empty or not valid UTF-8: %w",
				i+1, id, InvalidReference)
		case id == target:
			return nil, fmt.Errorf("reference: citation %d: session %q cannot cite itself: %w", i+1, id, SelfReference)
		case !seen[id]:
			seen[id] = true
			list = append(list, c)
		}
	}
	if len(list) > p.limits.References {
		return nil, fmt.Errorf("reference: the message cites %d sessions, and may cite %d: %w",
			len(list), p.limits.References, TooMany)
	}
	return list, nil
}

// budget returns the bytes of each preview.
func (p *Preparer) budget(ctx context.Context) (int, error) {
	if err := ended(ctx); err != nil {
		return 0, err
	}
	if p.limits.Bytes > 0 || p.window == nil {
		return p.limits.Budget(0), nil
	}
	tokens, err := p.window(ctx)
	if ended := ended(ctx); ended != nil {
		return 0, ended
	}
	if err != nil {
		return 0, fmt.Errorf("reference: look up the context window of the model: %w", err)
	}
	return p.limits.Budget(tokens), nil
}

// read captures each session. spec: REF-1
func (p *Preparer) read(ctx context.Context, cited []Citation) ([]Capture, error) {
	captures := make([]Capture, len(cited))
	for i, c := range cited {
		snapshot, err := p.source.Read(ctx, c.SessionID)
		if ended := ended(ctx); ended != nil {
			return nil, ended
		}
		if err != nil {
			return nil, fmt.Errorf("reference: read session %q: %w: %w", c.SessionID, ReadFailed, err)
		}
		captures[i] = Project(c, snapshot)
	}
	return captures, nil
}

// publish saves what the previews leave out, and makes the message. spec: REF-4, REF-5, REF-7
func (p *Preparer) publish(ctx context.Context, target string, captures []Capture, previews []Preview) (Context, error) {
	var out Context
	for i, c := range captures {
		r := Record{
			SessionID:             c.SessionID,
			Label:                 c.Label,
			CapturedFormatVersion: c.FormatVersion,
			CapturedThroughSeq:    c.ThroughSeq,
			Retention:             previews[i].Retention,
			InputIndex:            i,
		}
		if r.Truncated {
			saved, err := p.save(ctx, target, c, i)
			if ended := ended(ctx); ended != nil {
				return Context{}, ended
			}
			if err != nil {
				out.SaveErrors = append(out.SaveErrors, fmt.Errorf("reference: save the transcript of session %q: %w", c.SessionID, err))
			}
			r.Transcript = &saved
		}
		out.References = append(out.References, r)
	}
	out.Text = render(previews, out.References)
	return out, nil
}

// save stores the transcript of the capture at a position, or says why it is not stored.
func (p *Preparer) save(ctx context.Context, target string, c Capture, position int) (Transcript, error) {
	if p.store == nil {
		return Transcript{Unavailable: NotConfigured}, nil
	}
	content := c.Transcript()
	ref, err := p.store.Save(ctx, spill.Request{
		Owner:         target,
		Source:        spill.SessionReference{SessionID: c.SessionID, Label: c.Label},
		SuggestedName: fmt.Sprintf("session-reference-%d.txt", position+1),
		Content:       content,
	})
	if err != nil {
		return Transcript{Unavailable: SaveFailed}, err
	}
	saved, err := usable(ref, len(content))
	if err != nil {
		return Transcript{Unavailable: SaveFailed}, err
	}
	return saved, nil
}

// ended returns an error if ctx has ended.
func ended(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("reference: nothing is published: %w: %w", Cancelled, context.Cause(ctx))
}
