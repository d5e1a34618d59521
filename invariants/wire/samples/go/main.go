// Command go is a simple truncating agent behind BCP/1, to be copied: put your own bounding layer where Bound is.
//
// It keeps the end, says what is missing before it, and keeps nothing elsewhere. A Go program that can import this module
// has no need of a pipe: it hands its layer to invariants.Run.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/wire"
)

type agent struct{}

// Bound is the bounding layer: what the history gets of one tool output.
func (agent) Bound(_ context.Context, l bounding.Limits, out bounding.Output) (subject.Result, error) {
	text := []rune(out.Text)
	for _, m := range out.Metadata {
		text = append(text, []rune(m)...)
	}
	if len(text) > l.Threshold {
		marker := []rune(fmt.Sprintf("[%d characters omitted] ...\n", len(text)-l.Threshold))
		keep := max(0, l.Threshold-len(marker))
		text = append(marker, text[len(text)-keep:]...)
	}
	return subject.Result{Call: out.Call, Text: string(text), Failed: out.Status != bounding.Success}, nil
}

func main() {
	hello := wire.Hello{Name: "truncating agent", Language: "go"}
	newSubject := func() (subject.Bounder, error) { return agent{}, nil }
	if err := wire.Serve(context.Background(), os.Stdin, os.Stdout, hello, newSubject); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
