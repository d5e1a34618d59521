package killsweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// ErrUnavailable says that processes cannot be traced here.
var ErrUnavailable = errors.New("killsweep: there is no strace that can trace here")

// Available returns nil where a sweep can run, or an error that wraps [ErrUnavailable] and says what is missing.
func Available(ctx context.Context) error {
	strace, err := exec.LookPath("strace")
	if err != nil {
		return fmt.Errorf("%w: %w; install the package strace", ErrUnavailable, err)
	}
	// It must be able to start a process and to change what its calls return.
	cmd := exec.CommandContext(ctx, strace, "-f", "-y", "-o", os.DevNull, "-e", "trace=openat",
		"-e", "inject=openat:error=EIO:when=60000", "true")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %w: %.300s", ErrUnavailable, err, out)
	}
	return nil
}

// tracer runs the process of a sweep under strace.
type tracer struct {
	sweep Sweep
	calls []string // all that are watched
}

// patience is how long one process may take.
const patience = time.Minute

// run runs the process in dir. The fault meets the call of its name with the number at, counted from the start.
func (t tracer) run(ctx context.Context, dir string, f Fault, at int) (Run, log, error) {
	inner := t.sweep.Command(dir)
	path := filepath.Join(filepath.Dir(dir), "log")
	// The question mark lets strace pass over calls that this machine does not have.
	// The option --seccomp-bpf would make a run twice as fast, but with it strace 6.1 sends no signals.
	args := []string{"-f", "-y", "-o", path, "-e", "trace=?" + strings.Join(t.calls, ",?")}
	switch {
	case at == 0:
	case f.Error == "":
		args = append(args, "-e", fmt.Sprintf("inject=?%s:signal=KILL:when=%d", f.Call, at))
	default:
		args = append(args, "-e", fmt.Sprintf("inject=?%s:error=%s:when=%d", f.Call, f.Error, at))
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "strace", append(append(args, "--", inner.Path), inner.Args[1:]...)...)
	cmd.Env = append(inner.Environ(), sweptVar+"=1")
	cmd.Dir, cmd.Stdin, cmd.Stdout = inner.Dir, inner.Stdin, inner.Stdout
	output := tail{max: 4096}
	cmd.Stderr = &output
	// strace that is asked to end takes the process with it, killed it would leave it alone.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	err := cmd.Run()
	if ctx.Err() != nil {
		return Run{}, log{}, fmt.Errorf("the process was given up: %w", ctx.Err())
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return Run{}, log{}, err
	}
	file, opened := os.Open(path)
	if opened != nil {
		return Run{}, log{}, fmt.Errorf("%w: %s", opened, output.String())
	}
	defer file.Close()
	l, read := parse(file, dir, filepath.Join(dir, t.sweep.Below))
	return Run{Dir: dir, Err: err, Output: output.String()}, l, read
}

// tail holds the end of an output.
type tail struct {
	bytes.Buffer
	max int
}

func (t *tail) Write(p []byte) (int, error) {
	t.Buffer.Write(p)
	if over := t.Len() - t.max; over > 0 {
		t.Next(over)
	}
	return len(p), nil
}
