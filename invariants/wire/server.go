package wire

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

// Serve answers requests from r on w until a bye or the end of r. It is the other end of a [Client]: with it a subject in
// Go is a program like any other. newSubject makes the subject of each session; hello says who it is, and its proto, and
// its capabilities if it has none, are filled in.
func Serve(ctx context.Context, r io.Reader, w io.Writer, hello Hello, newSubject func() (subject.Bounder, error)) error {
	s := &server{newSubject: newSubject, hello: hello, limits: bounding.Strict()}
	defer s.end()
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for lines.Scan() {
		var q Request
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return fmt.Errorf("wire: request %.80q: %w", lines.Bytes(), err)
		}
		reply := s.guarded(ctx, &q)
		reply.ID = &q.ID
		if err := out.Encode(reply); err != nil {
			return fmt.Errorf("wire: answer to request %d: %w", q.ID, err)
		}
		if q.Op == "bye" {
			return nil
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("wire: read requests: %w", err)
	}
	return nil
}

type server struct {
	newSubject func() (subject.Bounder, error)
	hello      Hello
	subject    subject.Bounder
	limits     bounding.Limits
}

// guarded answers also where the subject panics.
func (s *server) guarded(ctx context.Context, q *Request) (reply *Reply) {
	defer func() {
		if p := recover(); p != nil {
			reply = &Reply{Error: &Error{Kind: KindPanic, Text: fmt.Sprint(p)}}
		}
	}()
	return s.answer(ctx, q)
}

func (s *server) answer(ctx context.Context, q *Request) *Reply {
	if q.Limits != nil {
		s.limits = q.Limits.limits()
	}
	if q.Cancelled {
		cancelled, cancel := context.WithCancel(ctx)
		cancel()
		ctx = cancelled
	}
	reply := &Reply{}
	var err error
	switch q.Op {
	case "hello":
		err = s.greet(q, reply)
	case "reset":
		err = s.reset()
	case "bye":
		err = s.end()
	default:
		if s.subject == nil {
			err = s.reset()
		}
		if err == nil {
			err = s.operate(ctx, q, reply)
		}
	}
	if err != nil {
		return &Reply{Error: wireError(err)}
	}
	return reply
}

// wireError says an error as the protocol does. One that does not say otherwise is definite.
func wireError(err error) *Error {
	e := &Error{Kind: KindInternal, Definite: !errors.Is(err, subject.ErrIndefinite), Text: err.Error()}
	switch {
	case errors.Is(err, subject.ErrUnsupported):
		e.Kind = KindUnsupported
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		e.Kind = KindCancelled
	case errors.As(err, new(*invalidError)), errors.As(err, new(*bounding.LimitsError)):
		e.Kind = KindInvalid
	}
	return e
}

// invalidError is a request that cannot be answered.
type invalidError struct{ problem string }

func (e *invalidError) Error() string { return e.problem }

func (s *server) greet(q *Request, reply *Reply) error {
	if q.Proto != Proto {
		return &invalidError{fmt.Sprintf("the protocol is %q, and this program speaks %s", q.Proto, Proto)}
	}
	if err := s.reset(); err != nil {
		return err
	}
	hello := s.hello
	hello.Proto = Proto
	if hello.Caps == nil {
		hello.Caps = slices.Concat(subject.CapsOf(s.subject), subject.Caps{CapRecipes})
		hello.Caps = slices.DeleteFunc(hello.Caps, func(c string) bool { return c == subject.CapPlan })
	}
	reply.Hello = &hello
	return nil
}

func (s *server) reset() error {
	if err := s.end(); err != nil {
		return err
	}
	var err error
	s.subject, err = s.newSubject()
	return err
}

func (s *server) end() error {
	ended := s.subject
	s.subject = nil
	if c, ok := ended.(subject.Closer); ok {
		return c.Close()
	}
	return nil
}

// as finds what the subject must be able to do for an operation.
func as[C any](s *server, op string) (C, error) {
	c, ok := s.subject.(C)
	if !ok {
		return c, fmt.Errorf("operation %q: %w", op, subject.ErrUnsupported)
	}
	return c, nil
}

// field returns what a request must have for an operation.
func field[T any](q *Request, name string, value *T) (T, error) {
	if value == nil {
		var zero T
		return zero, &invalidError{fmt.Sprintf("operation %q needs the field %q", q.Op, name)}
	}
	return *value, nil
}

func (s *server) operate(ctx context.Context, q *Request, reply *Reply) error {
	operation, ok := operations[q.Op]
	if !ok {
		return fmt.Errorf("operation %q: %w", q.Op, subject.ErrUnsupported)
	}
	return operation(ctx, s, q, reply)
}

var operations = map[string]func(ctx context.Context, s *server, q *Request, reply *Reply) error{
	"bound": func(ctx context.Context, s *server, q *Request, reply *Reply) error {
		out, err := field(q, "output", q.Output)
		if err != nil {
			return err
		}
		r, err := s.subject.Bound(ctx, s.limits, out.output())
		reply.Result = answered(r)
		return err
	},
	"tighten": func(ctx context.Context, s *server, q *Request, reply *Reply) error {
		t, err := as[subject.Tightener](s, q.Op)
		if err != nil {
			return err
		}
		in, err := field(q, "result", q.Result)
		if err != nil {
			return err
		}
		r, err := t.Tighten(ctx, s.limits, in.result(bounding.Call{}))
		reply.Result = answered(r)
		return err
	},
	"batch": func(ctx context.Context, s *server, q *Request, reply *Reply) error {
		b, err := as[subject.Batcher](s, q.Op)
		if err != nil {
			return err
		}
		in := convert(q.Results, func(r Result) subject.Result { return r.result(bounding.Call{}) })
		out, err := b.Batch(ctx, s.limits, in)
		results := convert(out, encoder{}.result)
		reply.Results = &results
		return err
	},
	"clear": func(ctx context.Context, s *server, q *Request, reply *Reply) error {
		c, err := as[subject.Clearer](s, q.Op)
		if err != nil {
			return err
		}
		given, err := field(q, "history", q.History)
		if err != nil {
			return err
		}
		at, err := field(q, "checkpoint", q.Checkpoint)
		if err != nil {
			return err
		}
		before := given.history()
		after, report, err := c.Clear(ctx, s.limits, before.Clone(), bounding.Checkpoint{Trigger: at.Trigger, Gap: duration(at.Gap)})
		if !subject.SameHistory(before, after) {
			reply.History = encoder{}.history(after)
		}
		reply.Report = report
		return err
	},
	"save": func(ctx context.Context, s *server, q *Request, reply *Reply) error {
		store, err := as[subject.Spiller](s, q.Op)
		if err != nil {
			return err
		}
		save, err := field(q, "save", q.Save)
		if err != nil {
			return err
		}
		saved, err := store.Save(ctx, s.limits, save.request())
		reply.Saved = savedToWire(saved)
		return err
	},
	"open": func(ctx context.Context, s *server, q *Request, reply *Reply) error {
		open := func(ctx context.Context, locator string, offset, limit int64) (subject.Page, error) {
			store, err := as[subject.Spiller](s, q.Op)
			if err != nil {
				return subject.Page{}, err
			}
			return store.Open(ctx, locator, offset, limit)
		}
		if q.Session != nil {
			open = func(ctx context.Context, locator string, offset, limit int64) (subject.Page, error) {
				reader, err := as[subject.Reader](s, q.Op)
				if err != nil {
					return subject.Page{}, err
				}
				return reader.OpenAs(ctx, q.Session.S, locator, offset, limit)
			}
		}
		p, err := open(ctx, q.Locator.S, q.Offset, q.Bytes)
		reply.Page = &Page{plain(string(p.Data)), p.Next, p.Total, p.Expired}
		return err
	},
	"grant": func(ctx context.Context, s *server, q *Request, _ *Reply) error {
		reader, err := as[subject.Reader](s, q.Op)
		if err != nil {
			return err
		}
		session, err := field(q, "session", q.Session)
		if err != nil {
			return err
		}
		return reader.Grant(ctx, session.S, q.Locator.S)
	},
	"list": func(ctx context.Context, s *server, q *Request, reply *Reply) error {
		store, err := as[subject.Spiller](s, q.Op)
		if err != nil {
			return err
		}
		session, err := field(q, "session", q.Session)
		if err != nil {
			return err
		}
		list, err := store.List(ctx, session.S)
		reply.Stored = convert(list, func(st subject.Stored) Stored { return Stored{plain(st.Locator), st.Bytes} })
		return err
	},
	"reference": func(ctx context.Context, s *server, q *Request, reply *Reply) error {
		r, err := as[subject.Referencer](s, q.Op)
		if err != nil {
			return err
		}
		request, err := field(q, "reference", q.Reference)
		if err != nil {
			return err
		}
		reads := map[string]int{}
		asked := request.request(reads)
		asked.Limits = s.limits
		refs, err := r.Reference(ctx, asked)
		reply.References = encoder{}.references(refs)
		for _, session := range request.Sessions {
			if n := reads[session.ID.S]; n > 0 {
				reply.References.Reads = append(reply.References.Reads, Reads{session.ID, n})
			}
		}
		return err
	},
	"replay": func(ctx context.Context, s *server, q *Request, reply *Reply) error {
		r, err := as[subject.Replayer](s, q.Op)
		if err != nil {
			return err
		}
		recorded, err := field(q, "recorded", q.Recorded)
		if err != nil {
			return err
		}
		refs, err := r.Replay(ctx, []byte(recorded.S))
		reply.References = encoder{}.references(refs)
		return err
	},
	"doctor": func(ctx context.Context, s *server, q *Request, reply *Reply) error {
		d, err := as[subject.Doctor](s, q.Op)
		if err != nil {
			return err
		}
		h, err := field(q, "history", q.History)
		if err != nil {
			return err
		}
		diagnosis, err := d.Diagnose(ctx, s.limits, h.history())
		reply.Diagnosis = &diagnosis
		return err
	},
	"reopen": func(ctx context.Context, s *server, q *Request, _ *Reply) error {
		r, err := as[subject.Reopener](s, q.Op)
		if err != nil {
			return err
		}
		loss, err := field(q, "loss", q.Loss)
		if err != nil {
			return err
		}
		return r.Reopen(ctx, loss)
	},
	"fault": func(ctx context.Context, s *server, q *Request, _ *Reply) error {
		f, err := as[subject.Faulter](s, q.Op)
		if err != nil {
			return err
		}
		return f.Fault(ctx, q.Program)
	},
	"advance": func(ctx context.Context, s *server, q *Request, _ *Reply) error {
		c, err := as[subject.Clock](s, q.Op)
		if err != nil {
			return err
		}
		return c.Advance(ctx, time.Duration(q.Millis)*time.Millisecond)
	},
	"sweep": func(ctx context.Context, s *server, q *Request, _ *Reply) error {
		c, err := as[subject.Sweeper](s, q.Op)
		if err != nil {
			return err
		}
		return c.Sweep(ctx, time.Duration(q.Millis)*time.Millisecond)
	},
	"log": func(_ context.Context, s *server, q *Request, reply *Reply) error {
		l, err := as[subject.Logger](s, q.Op)
		if err != nil {
			return err
		}
		log := plain(l.Log())
		reply.Log = &log
		return nil
	},
	"files": func(_ context.Context, s *server, q *Request, reply *Reply) error {
		f, err := as[subject.Files](s, q.Op)
		if err != nil {
			return err
		}
		files, err := f.Files()
		reply.Files = convert(files, func(f subject.File) File { return File{plain(f.Path), f.Mode, f.Dir} })
		return err
	},
}

func answered(r subject.Result) *Result {
	w := encoder{}.result(r)
	return &w
}
