package spilltest

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// Failures makes the checks of [Run], and returns what each of them finds wrong, by its name, instead of failing the test. A
// check that panics has found something, too. A store that keeps its promises, as far as it makes them, has none.
func Failures(t testing.TB, newStore NewStore) map[string][]string {
	t.Helper()
	failures := map[string][]string{}
	for _, check := range checks {
		if said := record(t, func(t testing.TB) { check.run(t, newStore) }); len(said) > 0 {
			failures[check.name] = said
		}
	}
	return failures
}

// record runs a check, which may end its goroutine, and everything that it left to be cleaned up.
func record(t testing.TB, check func(testing.TB)) []string {
	r := &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			for _, cleanup := range slices.Backward(r.cleanups) {
				cleanup()
			}
		}()
		defer func() {
			if cause := recover(); cause != nil {
				r.Errorf("panic: %v", cause)
			}
		}()
		check(r)
	}()
	<-done
	return r.said
}

// recorder is a test that notes what it is told.
type recorder struct {
	testing.TB
	mu       sync.Mutex
	said     []string
	cleanups []func()
}

func (r *recorder) say(s string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.said = append(r.said, s)
}

func (r *recorder) Failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.said) > 0
}

func (r *recorder) Cleanup(f func())                  { r.cleanups = append(r.cleanups, f) }
func (r *recorder) Helper()                           {}
func (r *recorder) Log(...any)                        {}
func (r *recorder) Logf(string, ...any)               {}
func (r *recorder) Error(args ...any)                 { r.say(fmt.Sprintln(args...)) }
func (r *recorder) Errorf(format string, args ...any) { r.say(fmt.Sprintf(format, args...)) }
func (r *recorder) Fail()                             { r.say("failed") }
func (r *recorder) FailNow()                          { r.Fail(); runtime.Goexit() }
func (r *recorder) Fatal(args ...any)                 { r.Error(args...); runtime.Goexit() }
func (r *recorder) Fatalf(format string, args ...any) { r.Errorf(format, args...); runtime.Goexit() }
func (r *recorder) Skip(...any)                       { runtime.Goexit() }
func (r *recorder) Skipf(string, ...any)              { runtime.Goexit() }
func (r *recorder) SkipNow()                          { runtime.Goexit() }
