// Package serve is the reference model, or one of the wrong implementations that the invariants are tried on, as a program
// that speaks the protocol of package wire.
package serve

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/boundcheck/boundcheck/invariants/internal/badimpl"
	"github.com/boundcheck/boundcheck/invariants/model"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/wire"
)

// Bugs yields the names of the wrong implementations, sorted.
func Bugs() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, b := range badimpl.All() {
			if !yield(b.Name) {
				return
			}
		}
	}
}

// Known reports whether there is a wrong implementation of this name; "" is the reference model.
func Known(bug string) error {
	if bug == "" || slices.Contains(slices.Collect(Bugs()), bug) {
		return nil
	}
	return fmt.Errorf("no bug %q: the name list prints those that there are", bug)
}

// Serve answers requests from r on w until a bye, or the end of r.
func Serve(ctx context.Context, r io.Reader, w io.Writer, bug, version string) error {
	if err := Known(bug); err != nil {
		return err
	}
	hello := wire.Hello{Name: "boundcheck reference model", Version: version, Language: "go"}
	newSubject := func() subject.Bounder { return model.New() }
	for _, b := range badimpl.All() {
		if b.Name == bug {
			hello.Name, newSubject = "bug "+bug, b.New
		}
	}
	return wire.Serve(ctx, r, w, hello, func() (subject.Bounder, error) { return newSubject(), nil })
}
