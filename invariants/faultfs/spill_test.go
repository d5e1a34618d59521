package faultfs_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/bounding/reference"
	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/text"
	"github.com/boundcheck/boundcheck/invariants/crashfs"
	"github.com/boundcheck/boundcheck/invariants/faultfs"
)

// content is what is saved. No error and no log may hold a part of it.
var content = strings.Repeat("qqqq", 500)

// long is beyond the step in which room is reserved for a stream.
var long = strings.Repeat("qqqq", 1<<20/3)

// ways are the ways to save it.
var ways = []struct {
	name   string
	room   int64 // of the session
	faults []string
	save   func(ctx context.Context, l *spill.Local) (spill.Ref, error)
}{
	{"save", 4000, every, func(ctx context.Context, l *spill.Local) (spill.Ref, error) {
		return l.Save(ctx, spill.Request{Owner: "s", SuggestedName: "a", Content: content})
	}},
	{"stream", 4000, every, func(ctx context.Context, l *spill.Local) (spill.Ref, error) {
		return spill.SaveFrom(ctx, l, spill.Request{Owner: "s", SuggestedName: "a"}, strings.NewReader(content), spill.Unlimited)
	}},
	{"long stream", 3 << 20, some, func(ctx context.Context, l *spill.Local) (spill.Ref, error) {
		return spill.SaveFrom(ctx, l, spill.Request{Owner: "s", SuggestedName: "a"}, strings.NewReader(long), spill.Unlimited)
	}},
	{"collect", 4000, every, func(ctx context.Context, l *spill.Local) (spill.Ref, error) {
		c := spill.NewCollector(ctx, l, spill.Request{Owner: "s", SuggestedName: "a"},
			spill.CollectorOptions{Inline: 500, Keep: text.Both.Options(text.UTF16, 100, 10)})
		for piece := range slices.Chunk([]byte(content), 300) {
			if _, err := c.Write(piece); err != nil {
				return spill.Ref{}, err
			}
		}
		out := c.Finish()
		if !out.Saved && out.Err == nil {
			return spill.Ref{}, errors.New("not saved, and no reason")
		}
		return out.Ref, out.Err
	}},
	{"reference", 10_000, every, func(ctx context.Context, l *spill.Local) (spill.Ref, error) {
		p, err := reference.New(reference.Limits{References: 3, Bytes: 400}, cited{}, reference.WithStore(l))
		if err != nil {
			return spill.Ref{}, err
		}
		c, err := p.Prepare(ctx, "s", []reference.Citation{{SessionID: "cited"}})
		if err != nil {
			return spill.Ref{}, err
		}
		tr := c.References[0].Transcript
		return spill.Ref{Locator: tr.Locator, Bytes: tr.Bytes, SHA256: tr.SHA256}, errors.Join(c.SaveErrors...)
	}},
}

var (
	some  = []string{"fail EIO", "short 3 ENOSPC", "panic", "signal"}
	every = append([]string{"fail ENOSPC", "fail EACCES", "fail EMFILE", "fail EROFS", "fail EXDEV", "fail EINTR",
		"fail ENAMETOOLONG", "fail EDQUOT"}, some...)
)

// cited is a session that does not fit into its preview.
type cited struct{}

func (cited) Read(context.Context, string) (reference.Snapshot, error) {
	return reference.Snapshot{FormatVersion: 1, Events: []reference.Event{{Kind: reference.User, Parts: reference.TextParts(content)}}}, nil
}

func store(t *testing.T, room int64, dir func(string) (spill.Dir, error)) *spill.Local {
	t.Helper()
	l, err := spill.NewLocal("/store", spill.WithLimits(spill.Limits{Artifact: room, Session: room, Store: room}), spill.WithDir(dir))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// guarded saves, and makes an error of a panic.
func guarded(ctx context.Context, l *spill.Local, save func(context.Context, *spill.Local) (spill.Ref, error)) (ref spill.Ref, err error) {
	defer func() {
		if p := recover(); p != nil {
			ref, err = spill.Ref{}, fmt.Errorf("panic: %v", p)
		}
	}()
	return save(ctx, l)
}

// TestEveryOperationFails makes each operation of a save fail, in each way. Either there is an artifact as it was promised,
// or an error, nothing to be seen, all of the room, and a store that goes on.
//
// spec: SPL-3, OFF-10
func TestEveryOperationFails(t *testing.T) {
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			outcomes := map[string]int{}
			for _, fault := range way.faults {
				for n := 1; ; n++ {
					acted, outcome := fail(t, way.room, way.save, fmt.Sprintf("(%s (nth %d))", fault, n))
					if !acted {
						break
					}
					outcomes[outcome]++
				}
			}
			if outcomes["saved"] == 0 || outcomes["failed"] < 10*len(way.faults) {
				t.Errorf("outcomes: %v", outcomes)
			}
			t.Logf("outcomes: %v", outcomes)
		})
	}
}

// fail saves on a disk with a fault, and checks what comes of it.
func fail(t *testing.T, room int64, save func(context.Context, *spill.Local) (spill.Ref, error), program string) (acted bool, outcome string) {
	t.Helper()
	p, err := faultfs.Parse(program)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	saving, interrupt := context.WithCancel(ctx)
	defer interrupt()
	p.OnSignal(interrupt)
	l := store(t, room, faultfs.Open(crashfs.New().Open, p))
	ref, err := guarded(saving, l, save)
	p.Stop()
	acted = p.Acted() > 0
	list, err2 := l.List(ctx, "s")
	usage, err3 := l.Usage(ctx, "s")
	if err2 != nil || err3 != nil {
		t.Errorf("%s: list %v, usage %v", program, err2, err3)
	}
	var held int64
	for _, e := range list {
		held += e.Bytes
	}
	if usage != (spill.Usage{Artifacts: len(list), Bytes: held}) {
		t.Errorf("%s: %d bytes are listed, and %+v are counted, after %v", program, held, usage, err)
	}
	switch {
	case err == nil:
		outcome = "saved"
		if err := spill.Verify(ctx, l, ref); err != nil || len(list) != 1 || held != ref.Bytes {
			t.Errorf("%s: saved, and then %v, %+v", program, err, list)
		}
	default:
		outcome = "failed"
		if strings.Contains(err.Error(), "qqq") {
			t.Errorf("%s: the error holds content", program)
		}
		// What breaks down after the artifact has its name leaves one that nobody knows of, and so does a reference that is
		// cancelled after its transcript was saved. It is whole, counts, and expires.
		orphan := strings.HasPrefix(program, "(panic") || errors.Is(err, reference.Cancelled)
		if len(list) != 0 && !orphan {
			t.Errorf("%s: failed with %v, and left %+v", program, err, list)
		}
	}
	rest := spill.Request{Owner: "s", SuggestedName: "b", Content: strings.Repeat("x", int(room-held))}
	if ref, err := l.Save(ctx, rest); err != nil || spill.Verify(ctx, l, ref) != nil {
		t.Errorf("%s: the rest of the room is not to be had after %s: %v", program, outcome, err)
	}
	if err := l.Close(); err != nil {
		t.Errorf("%s: close: %v", program, err)
	}
	return acted, outcome
}

// A disk on which everything fails from some operation on is a disk that is gone: no save hangs or panics.
func TestDiskIsGone(t *testing.T) {
	for _, way := range ways {
		for n := 1; n < 60; n++ {
			p, err := faultfs.Parse(fmt.Sprintf("(fail EIO (from %d))", n))
			if err != nil {
				t.Fatal(err)
			}
			l := store(t, way.room, faultfs.Open(crashfs.New().Open, p))
			_, err = way.save(t.Context(), l)
			if p.Acted() == 0 {
				break
			}
			if err != nil && strings.Contains(err.Error(), "qqq") {
				t.Errorf("%s from operation %d: the error holds content", way.name, n)
			}
			_ = l.Close() // it fails like everything
		}
	}
}

// A bit that turned over on the disk is found by the digest.
//
// spec: OFF-9
func TestFlippedBit(t *testing.T) {
	p, err := faultfs.Parse(`(flip 7 (and (op read) (name "*-a")))`)
	if err != nil {
		t.Fatal(err)
	}
	l := store(t, ways[0].room, faultfs.Open(crashfs.New().Open, p))
	ref, err := ways[0].save(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	if err := spill.Verify(t.Context(), l, ref); !errors.Is(err, spill.ErrAltered) {
		t.Errorf("verified with %v", err)
	}
}
