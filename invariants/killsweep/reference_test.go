package killsweep_test

import (
	"context"
	"errors"
	"strings"

	"github.com/boundcheck/boundcheck/bounding/reference"
	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/invariants/killsweep"
)

// cited is a session that does not fit into a reference.
type cited struct{}

func (cited) Read(context.Context, string) (reference.Snapshot, error) {
	var s reference.Snapshot
	for range 20 {
		s.Events = append(s.Events, reference.Event{
			Kind: reference.User, Parts: reference.TextParts(strings.Repeat("what was said 界 ", 20)),
		})
	}
	return s, nil
}

var citation = reference.Citation{SessionID: "cited"}

// transcript is what is saved of it.
func transcript() string {
	s, _ := cited{}.Read(context.Background(), citation.SessionID)
	return reference.Project(citation, s).Transcript()
}

// references prepares a shortened reference and records what it points to.
//
// spec: REF-4, REF-5, CRS-1
func references(w *worker) error {
	killsweep.Ready()
	l, err := w.open()
	if err != nil {
		return err
	}
	p, err := reference.New(reference.Limits{References: 1, Bytes: 1_000}, cited{}, reference.WithStore(l))
	if err != nil {
		return err
	}
	for range 2 {
		err := w.store("session-reference-1.txt", func() (spill.Ref, error) {
			c, err := p.Prepare(context.Background(), "one", []reference.Citation{citation})
			if err != nil {
				return spill.Ref{}, err
			}
			t := c.References[0].Transcript
			if !t.Saved() {
				return spill.Ref{}, errors.Join(append(c.SaveErrors, errors.New(t.Unavailable))...)
			}
			return spill.Ref{Locator: t.Locator, Bytes: t.Bytes, SHA256: t.SHA256}, nil
		})
		if err != nil {
			return err
		}
	}
	return closed(l)
}
