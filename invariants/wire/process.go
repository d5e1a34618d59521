package wire

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/invariants/trace"
)

// process is a program that speaks the protocol, or the other end of a pipe in tests.
type process struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	lines   chan line
	stop    chan struct{} // closed when nobody reads lines any more
	errs    *tail
	next    int
	timeout time.Duration
	hello   Hello
}

type line struct {
	text []byte
	err  error // io.EOF when the program closed its output
}

// start starts a program and asks it who it is.
func start(ctx context.Context, command []string, timeout time.Duration) (*process, error) {
	cmd := exec.Command(command[0], command[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, in: in, lines: make(chan line), stop: make(chan struct{}), errs: &tail{}, timeout: timeout}
	cmd.Stderr = p.errs
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("wire: start %q: %w", command[0], err)
	}
	go p.read(out)
	reply, err := p.ask(ctx, &Request{Op: "hello", Proto: Proto})
	if err == nil {
		err = p.greeted(reply)
	}
	if err != nil {
		p.kill()
		return nil, err
	}
	return p, nil
}

func (p *process) greeted(reply *Reply) error {
	switch {
	case reply.Error != nil:
		return fmt.Errorf("wire: the program refused hello: %s", reply.Error.Text)
	case reply.Hello == nil:
		return protocol(`the answer to "hello" has no field "hello" with proto, name and caps`)
	case reply.Hello.Proto != Proto:
		return protocol("the program speaks %q, want %q", reply.Hello.Proto, Proto)
	case !reply.Hello.Caps.Has("bound"):
		return protocol(`the program's caps are %q; "bound" has to be one of them`, reply.Hello.Caps)
	}
	p.hello = *reply.Hello
	return nil
}

// read hands over the lines of the program. It waits until each is asked for, so that a program that floods its output
// takes no memory.
func (p *process) read(out io.Reader) {
	defer close(p.lines)
	scanner := bufio.NewScanner(out)
	scanner.Buffer(make([]byte, 0, 64<<10), maxLine)
	for {
		var l line
		if scanner.Scan() {
			l.text = bytes.Clone(scanner.Bytes())
		} else if l.err = scanner.Err(); l.err == nil {
			l.err = io.EOF
		}
		select {
		case p.lines <- l:
		case <-p.stop:
			return
		}
		if l.err != nil {
			return
		}
	}
}

// protocol is the fault of a harness, in words.
func protocol(format string, args ...any) error {
	return &trace.BrokenError{Broken: trace.Broken{Kind: trace.Protocol, Detail: fmt.Sprintf(format, args...)}}
}

// ask sends one request and waits for its answer.
func (p *process) ask(ctx context.Context, q *Request) (*Reply, error) {
	p.next++
	q.ID = p.next
	request, err := json.Marshal(q)
	if err != nil {
		return nil, fmt.Errorf("wire: request %q: %w", q.Op, err)
	}
	timer := time.NewTimer(p.timeout)
	defer timer.Stop()
	written := make(chan error, 1)
	go func() {
		_, err := p.in.Write(append(request, '\n'))
		written <- err
	}()
	select {
	case err := <-written:
		if err != nil {
			return nil, p.dead("the program stopped reading requests")
		}
	case <-timer.C:
		return nil, p.hung(q)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	select {
	case l, ok := <-p.lines:
		if !ok {
			l.err = io.EOF
		}
		if errors.Is(l.err, bufio.ErrTooLong) {
			return nil, protocol("the answer to %q is longer than %d bytes without a newline", q.Op, maxLine)
		}
		if l.err != nil {
			return nil, p.dead(fmt.Sprintf("the program ended without an answer to %q", q.Op))
		}
		return decode(q, l.text)
	case <-timer.C:
		return nil, p.hung(q)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (p *process) hung(q *Request) error {
	return &trace.BrokenError{Broken: trace.Broken{Kind: trace.Hung, Detail: fmt.Sprintf(
		"no line within %v after request %d, %q; if there was an answer, is standard output flushed after each line?%s",
		p.timeout, q.ID, q.Op, p.errs.said())}}
}

func (p *process) dead(what string) error {
	return &trace.BrokenError{Broken: trace.Broken{Kind: trace.Crashed, Detail: what + p.exit() + p.errs.said()}}
}

// exit says how the program ended, if it has.
func (p *process) exit() string {
	p.kill()
	if p.cmd == nil || p.cmd.ProcessState == nil {
		return ""
	}
	return " (" + p.cmd.ProcessState.String() + ")"
}

// decode reads an answer and says in words what is wrong with one that is none.
func decode(q *Request, data []byte) (*Reply, error) {
	shown := data
	if len(shown) > 80 {
		shown = shown[:80]
	}
	var reply Reply
	if err := json.Unmarshal(data, &reply); err != nil {
		return nil, protocol("the answer to %q is %q, and no JSON object of the protocol: %v; standard output is for answers alone", q.Op, shown, err)
	}
	switch {
	case reply.ID == nil:
		return nil, protocol(`the answer to %q has no "id"; request %d wants {"id":%d,…}`, q.Op, q.ID, q.ID)
	case *reply.ID != q.ID:
		return nil, protocol("the answer to request %d, %q, has the id %d; each request is answered once, in order", q.ID, q.Op, *reply.ID)
	}
	return &reply, nil
}

// bye ends the program in good order.
func (p *process) bye(ctx context.Context) {
	_, _ = p.ask(ctx, &Request{Op: "bye"}) // it is killed in any case
	_ = p.in.Close()
	p.kill()
}

var killing sync.Mutex

// kill ends the program and everything that it started.
func (p *process) kill() {
	killing.Lock()
	defer killing.Unlock()
	select {
	case <-p.stop:
		return
	default:
		close(p.stop)
	}
	if p.cmd != nil && p.cmd.Process != nil {
		killGroup(p.cmd)
		_ = p.cmd.Wait() // how it ended is in ProcessState
	}
}

// tail keeps the end of what a program writes to its standard error.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

const maxTail = 8 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	if len(t.buf) > maxTail {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-maxTail:]...)
	}
	return len(b), nil
}

func (t *tail) said() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := strings.TrimSpace(string(t.buf)); s != "" {
		return "\nstandard error ended with:\n" + s
	}
	return ""
}
