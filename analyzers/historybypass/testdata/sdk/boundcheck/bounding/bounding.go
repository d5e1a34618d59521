// Package bounding is a stub of this project's bounding layer.
package bounding

import "context"

type Pipeline struct{}

type Call struct{ ID, Tool string }

type Output struct {
	Call Call
	Text string
}

type Result struct{ text string }

type Message struct{}

func (r Result) Text() string { return r.text }

func (p *Pipeline) Text(ctx context.Context, call Call, output string) string { return "" }

func (p *Pipeline) Bound(ctx context.Context, out Output) Result { return Result{} }
