// Package remotecommand is a stub of commands that run in a container.
package remotecommand

import (
	"context"
	"io"
)

type StreamOptions struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Tty    bool
}

type Executor interface {
	StreamWithContext(ctx context.Context, options StreamOptions) error
}
