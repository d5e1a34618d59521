//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"syscall"
	"time"
)

// An invocation is a command to be measured.
type invocation struct {
	args []string // the program first
	dir  string
	env  []string // added to the environment of this process
}

// A usage is what one run cost.
type usage struct {
	CPU  float64 `json:"cpuSeconds"` // user and system, the command and all it waited for
	Wall float64 `json:"wallSeconds"`
	Peak float64 `json:"peakMiB"` // resident memory of the largest single process
	Exit int     `json:"exit"`
}

// measure runs a command to its end. Any exit code is a result; only a command that cannot be run, or that
// is killed, is an error.
func measure(ctx context.Context, inv invocation) (usage, error) {
	cmd := exec.CommandContext(ctx, inv.args[0], inv.args[1:]...)
	cmd.Dir = inv.dir
	cmd.Env = slices.Concat(os.Environ(), inv.env)
	// go vet leaves its tools running when it is killed, so they go as one group.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if ctx.Err() != nil {
		return usage{}, fmt.Errorf("%v in %s: %w", inv.args, inv.dir, context.Cause(ctx))
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || !exit.Exited()) {
		return usage{}, fmt.Errorf("%v in %s: %w %s", inv.args, inv.dir, err, tail(stderr.Bytes(), 200))
	}
	state := cmd.ProcessState
	// wait4 adds up the times of the whole tree and takes the largest resident set in it.
	ru, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return usage{}, fmt.Errorf("%s does not tell the memory of a process that has ended", runtime.GOOS)
	}
	unit := 1024.0 // Linux and the BSDs count in KiB
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		unit = 1
	}
	return usage{
		CPU:  (state.UserTime() + state.SystemTime()).Seconds(),
		Wall: wall.Seconds(),
		Peak: float64(ru.Maxrss) * unit / (1 << 20),
		Exit: state.ExitCode(),
	}, nil
}

func tail(text []byte, n int) []byte {
	text = bytes.TrimSpace(text)
	return text[max(0, len(text)-n):]
}
