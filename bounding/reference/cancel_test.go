package reference_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/boundcheck/boundcheck/bounding/reference"
)

// However a preparation is cancelled, nothing is published. spec: REF-7
func TestCancellation(t *testing.T) {
	stop := errors.New("the user pressed stop")
	for _, step := range []string{"before", "window", "window fails", "read 1", "read 2", "save 1", "save 2", "failed save"} {
		t.Run(step, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			at := func(name string) {
				if name == step {
					cancel(stop)
				}
			}
			at("before")
			large := userText(rep(100_000, "large"))
			source := sourceOf(map[string][]reference.Event{"a": large, "b": large})
			source.then = func() { at(fmt.Sprintf("read %d", len(source.reads))) }
			store := &shelf{}
			store.during = func() {
				at(fmt.Sprintf("save %d", len(store.requests)))
				if step == "failed save" {
					store.fail = errors.New("fails")
					cancel(stop)
				}
			}
			p, err := reference.New(reference.DefaultLimits(), source, reference.WithStore(store),
				reference.WithWindow(func(context.Context) (int, error) {
					at("window")
					if step == "window fails" {
						cancel(stop)
						return 0, errors.New("fails")
					}
					return 0, nil
				}))
			if err != nil {
				t.Fatal(err)
			}
			c, err := p.Prepare(ctx, "target", cite("a", "b"))
			if !errors.Is(err, reference.Cancelled) || !errors.Is(err, stop) {
				t.Errorf("error %v", err)
			}
			if c.Text != "" || c.References != nil || c.SaveErrors != nil {
				t.Errorf("published: %+v", c)
			}
			reads := map[string]int{"before": 0, "window": 0, "window fails": 0, "read 1": 1}
			if want, ok := reads[step]; ok && len(source.reads) != want || !ok && len(source.reads) != 2 {
				t.Errorf("%d reads", len(source.reads))
			}
			saves := map[string]int{"save 1": 1, "save 2": 2, "failed save": 1}
			if len(store.requests) != saves[step] {
				t.Errorf("%d saves", len(store.requests))
			}
			if store.Len() != saves[step] {
				t.Errorf("%d artifacts are left to expire, want %d", store.Len(), saves[step])
			}
		})
	}
}

// With a budget of its own, nothing but the context tells that it is over.
func TestCancelledBeforeReading(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	source := sourceOf(map[string][]reference.Event{"a": userText("a")})
	p, err := reference.New(reference.DefaultLimits(), source, reference.WithWindow(func(context.Context) (int, error) {
		t.Error("the window was looked up")
		return 0, nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []*reference.Preparer{p, preparer(t, 360, source)} {
		if _, err := p.Prepare(ctx, "target", cite("a")); !errors.Is(err, reference.Cancelled) || !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	}
	if len(source.reads) > 0 {
		t.Errorf("%d reads", len(source.reads))
	}
}

// A store that has begun to write is waited for. spec: REF-7
func TestStartedSaveIsWaitedFor(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	begun, finish := make(chan bool), make(chan bool)
	store := &shelf{during: func() { close(begun); <-finish }}
	source := sourceOf(map[string][]reference.Event{"a": userText(rep(100, "large"))})
	p := preparer(t, 180, source, reference.WithStore(store))
	done := make(chan error)
	go func() {
		_, err := p.Prepare(ctx, "target", cite("a"))
		done <- err
	}()
	<-begun
	cancel()
	select {
	case err := <-done:
		t.Errorf("returned while a save was under way: %v", err)
		close(finish)
	default:
		close(finish)
		if err := <-done; !errors.Is(err, reference.Cancelled) {
			t.Errorf("error %v", err)
		}
	}
}
