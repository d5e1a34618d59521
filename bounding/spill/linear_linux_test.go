package spill_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"golang.org/x/sys/unix"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// What a session's limit promises, whatever goroutines and processes do. Of a session, the bytes in use are those of its
// artifacts and those reserved for writers at work.
//
//   - A save of n bytes succeeds if, at one moment of the call, n bytes more are within the limit; they are in use from
//     that moment on. It is refused if at one moment of the call they are not, and the error says how many were in use. So
//     it may be refused because of a writer that gives up later on, as long as that one has not given up before the save
//     began.
//   - Creating a writer with n bytes of content is the same. Committing it changes nothing.
//   - Giving it up takes the n bytes out of use at one moment of the call.
//   - A usage is what is in use at one moment of the call.
//
// Writers that are given text piece by piece are left out here: they reserve more than they have, in steps that are not
// promised. A process that is killed takes its reservations out of use, see invariants/killsweep.
//
// spec: SPL-5, ERR-4
var budgetModel = porcupine.Model{
	Init: func() any { return int64(0) },
	Step: func(state, input, output any) (bool, any) {
		used, op := state.(int64), input.(budgetOp)
		switch op.Kind {
		case "save", "create":
			if fits := used+op.Bytes <= budgetLimit; !fits {
				return !op.OK && op.Used == used, used
			}
			return op.OK, used + op.Bytes
		case "abort":
			return op.Bytes <= used, used - op.Bytes
		default:
			return op.Bytes == used, used
		}
	},
	DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v", input) },
}

const (
	budgetLimit      = 120_000
	budgetProcesses  = 4
	budgetGoroutines = 16 // in each
	budgetRounds     = 8  // in each
	budgetAtOnce     = 3  // operations in each, where all orders are looked through
	budgetSession    = "shared"
)

// budgetOp is an operation, as the process that made it has seen it.
type budgetOp struct {
	Kind         string
	Bytes        int64
	OK           bool
	Used         int64 // as a refusal says it
	Call, Return int64 // on a clock that all processes share
	Ref          spill.Ref
}

func init() {
	roles["budget"] = func(root string) int { return playBudget(root, newRightStore, budgetAtOnce) }
	roles["budget-at-once"] = func(root string) int { return playBudget(root, newRightStore, budgetGoroutines) }
	roles["budget-per-process"] = func(root string) int { return playBudget(root, newPerProcessStore, budgetAtOnce) }
	roles["budget-after-write"] = func(root string) int { return playBudget(root, newAfterWriteStore, budgetAtOnce) }
}

// budgetStore is what is checked.
type budgetStore interface {
	spill.Creator
	spill.Keeper
	Close() error
}

func newRightStore(root string) (budgetStore, error) {
	return spill.NewLocal(root, spill.WithLimits(spill.Limits{Artifact: budgetLimit, Session: budgetLimit, Store: spill.Unlimited}))
}

// perProcessStore counts what its own process saves.
type perProcessStore struct {
	*spill.Local
	quota *spill.Quota
}

var unlimited = spill.Limits{Artifact: spill.Unlimited, Session: spill.Unlimited, Store: spill.Unlimited}

func newPerProcessStore(root string) (budgetStore, error) {
	l, err := spill.NewLocal(root, spill.WithLimits(unlimited))
	return perProcessStore{l, spill.NewQuota(budgetLimit)}, err
}

func (s perProcessStore) Save(ctx context.Context, req spill.Request) (spill.Ref, error) {
	if !s.quota.Reserve(req.Owner, int64(len(req.Content))) {
		return spill.Ref{}, &spill.QuotaError{Used: s.quota.Used(req.Owner)}
	}
	return s.Local.Save(ctx, req)
}

// afterWriteStore counts what is there, and reserves nothing while it writes.
type afterWriteStore struct{ *spill.Local }

func newAfterWriteStore(root string) (budgetStore, error) {
	l, err := spill.NewLocal(root, spill.WithLimits(unlimited))
	return afterWriteStore{l}, err
}

func (s afterWriteStore) Save(ctx context.Context, req spill.Request) (spill.Ref, error) {
	u, err := s.Usage(ctx, req.Owner)
	if err != nil {
		return spill.Ref{}, err
	}
	if u.Bytes+int64(len(req.Content)) > budgetLimit {
		return spill.Ref{}, &spill.QuotaError{Used: u.Bytes}
	}
	time.Sleep(2 * time.Millisecond)
	return s.Local.Save(ctx, req)
}

// now is the time on a clock that does not jump and is the same for all processes.
func now() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		panic(err)
	}
	return t.Nano()
}

// playBudget works on the session in 16 goroutines, beginning when its input ends, and prints what it did.
func playBudget(root string, open func(string) (budgetStore, error), atOnce int) int {
	s, err := open(root)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer s.Close()
	var seed [1]byte
	for { // the parent writes a number, and closes when all are there
		if n, err := os.Stdin.Read(seed[:]); n == 0 || err != nil {
			break
		}
	}
	slots := make(chan struct{}, atOnce)
	ops := make([][]budgetOp, budgetGoroutines)
	errs := make([]error, budgetGoroutines)
	var wg sync.WaitGroup
	for g := range ops {
		wg.Go(func() {
			p := budgetPlayer{s, rand.New(rand.NewPCG(uint64(seed[0]), uint64(g))), slots}
			for range budgetRounds {
				done, err := p.round()
				ops[g] = append(ops[g], done...)
				if errs[g] = errors.Join(errs[g], err); err != nil {
					return
				}
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if err := json.NewEncoder(os.Stdout).Encode(slices.Concat(ops...)); err != nil {
		return 1
	}
	return 0
}

// budgetPlayer is one goroutine.
type budgetPlayer struct {
	store  budgetStore
	random *rand.Rand
	slots  chan struct{} // one for each operation that may be at work
}

// do makes one operation and fills in what came of it.
func (p budgetPlayer) do(op budgetOp, work func(op *budgetOp) error) (budgetOp, error) {
	p.slots <- struct{}{}
	defer func() { <-p.slots }()
	op.Call = now()
	err := work(&op)
	op.Return, op.OK = now(), err == nil
	var quota *spill.QuotaError
	if errors.As(err, &quota) {
		op.Used, err = quota.Used, nil
	}
	return op, err
}

// round saves, creates a writer and commits it or gives it up, or asks for the usage.
func (p budgetPlayer) round() (ops []budgetOp, err error) {
	ctx := context.Background()
	choice := p.random.IntN(8)
	size := 200 + p.random.Int64N(2_000)
	if gone := choice == 2 || choice == 3; gone && p.random.IntN(2) == 0 {
		size = budgetLimit / 4 // much room that comes and goes, and little that stays
	}
	req := spill.Request{Owner: budgetSession, SuggestedName: "a", Content: strings.Repeat("b", int(size))}
	op := budgetOp{Bytes: size}
	switch {
	case choice == 0:
		op.Kind = "usage"
		op, err = p.do(op, func(op *budgetOp) error {
			u, err := p.store.Usage(ctx, budgetSession)
			op.Bytes = u.Bytes
			return err
		})
	case choice < 4:
		var w spill.Writer
		op.Kind = "create"
		op, err = p.do(op, func(*budgetOp) (err error) {
			w, err = p.store.Create(ctx, req)
			return err
		})
		if err != nil || !op.OK {
			break
		}
		if choice == 1 {
			op.Ref, err = w.Commit()
			break
		}
		time.Sleep(time.Duration(p.random.IntN(3_000)) * time.Microsecond)
		given, err := p.do(budgetOp{Kind: "abort", Bytes: size}, func(*budgetOp) error { return w.Abort() })
		return []budgetOp{op, given}, err
	default:
		op.Kind = "save"
		op, err = p.do(op, func(op *budgetOp) (err error) {
			op.Ref, err = p.store.Save(ctx, req)
			return err
		})
	}
	return []budgetOp{op}, err
}

// runBudget lets the processes work on one store.
func runBudget(t *testing.T, role, root string, seed int) []budgetOp {
	t.Helper()
	var out, stderr [budgetProcesses]bytes.Buffer
	var commands [budgetProcesses]*exec.Cmd
	var start [budgetProcesses]*os.File
	for i := range commands {
		c := exec.CommandContext(t.Context(), os.Args[0])
		c.Env = append(os.Environ(), roleVar+"="+role, rootVar+"="+root, "GORACE=atexit_sleep_ms=0")
		c.Stdout, c.Stderr = &out[i], &stderr[i]
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		c.Stdin, start[i] = read, write
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		read.Close()
		commands[i] = c
	}
	for i, w := range start {
		if _, err := w.Write([]byte{byte(seed*budgetProcesses + i)}); err != nil {
			t.Fatal(err)
		}
	}
	for _, w := range start {
		w.Close()
	}
	var all []budgetOp
	for i, c := range commands {
		if err := c.Wait(); err != nil {
			t.Fatalf("process %d: %v: %.500s", i, err, stderr[i].String())
		}
		var ops []budgetOp
		if err := json.Unmarshal(out[i].Bytes(), &ops); err != nil {
			t.Fatal(err)
		}
		all = append(all, ops...)
	}
	return all
}

// checkBudget asks whether all that the processes have seen can have happened one after the other.
func checkBudget(ops []budgetOp, patience time.Duration) porcupine.CheckResult {
	var history []porcupine.Operation
	for i, op := range ops {
		history = append(history, porcupine.Operation{ClientId: i, Input: op, Call: op.Call, Return: op.Return})
	}
	return porcupine.CheckOperationsTimeout(budgetModel, history, patience)
}

// 64 goroutines in 4 processes work on one session. It is as if they had done so one after the other.
//
// spec: SPL-4, SPL-5, ERR-4
func TestBudgetIsLinearizable(t *testing.T) {
	for seed := range budgetSeeds() {
		ops := runAndCheckBudget(t, "budget", seed)
		if result := checkBudget(ops, 10*time.Second); result != porcupine.Ok {
			t.Errorf("seed %d: %v", seed, result)
		}
	}
}

// The same without pauses, where writers disturb each other most. There are too many orders then to look through all of
// them; none that is found to be wrong is accepted, nor a byte too many.
//
// spec: SPL-4, SPL-5, ERR-4
func TestBudgetUnderContention(t *testing.T) {
	for seed := range budgetSeeds() {
		ops := runAndCheckBudget(t, "budget-at-once", seed)
		if result := checkBudget(ops, 500*time.Millisecond); result == porcupine.Illegal {
			t.Errorf("seed %d: %v", seed, result)
		}
	}
}

func budgetSeeds() int {
	if testing.Short() {
		return 1
	}
	return 3
}

// runAndCheckBudget checks what holds in any order: no byte over the limit, and each artifact whole.
func runAndCheckBudget(t *testing.T, role string, seed int) []budgetOp {
	t.Helper()
	root := filepath.Join(t.TempDir(), "store")
	ops := runBudget(t, role, root, seed)
	l := openLocal(t, root, unlimited)
	var saved, refused int
	var sum, most int64
	for _, op := range ops {
		if op.Kind == "usage" {
			most = max(most, op.Bytes)
		}
		most = max(most, op.Used)
		switch {
		case op.Ref.Locator != "":
			saved++
			sum += op.Ref.Bytes
			if err := spill.Verify(t.Context(), l, op.Ref); err != nil || op.Ref.Bytes != op.Bytes {
				t.Errorf("%+v: %v", op, err)
			}
		case !op.OK && op.Kind != "usage" && op.Kind != "abort":
			refused++
		}
	}
	u, err := l.Usage(t.Context(), budgetSession)
	if err != nil || u != (spill.Usage{Artifacts: saved, Bytes: sum}) || max(sum, most) > budgetLimit {
		t.Errorf("seed %d: %+v, %v; saved %d of %d bytes, %d were seen, limit %d", seed, u, err, saved, sum, most, budgetLimit)
	}
	if saved < 30 || refused < 50 {
		t.Errorf("seed %d: only %d were saved and %d refused", seed, saved, refused)
	}
	t.Logf("seed %d: %d operations, %d saved, %d refused, %d of %d bytes", seed, len(ops), saved, refused, sum, budgetLimit)
	return ops
}

// A store that counts what its own process does only, and one that reserves nothing, are told from the right one.
//
// spec: SPL-5
func TestWrongBudgetsAreCaught(t *testing.T) {
	for _, role := range []string{"budget-per-process", "budget-after-write"} {
		ops := runBudget(t, role, filepath.Join(t.TempDir(), "store"), 0)
		if result := checkBudget(ops, 10*time.Second); result != porcupine.Illegal {
			t.Errorf("%s: %v", role, result)
		}
	}
}

// The model itself: what may and what may not have happened.
//
// spec: SPL-5, ERR-4
func TestBudgetModel(t *testing.T) {
	for name, c := range map[string]struct {
		ops  string // kind, bytes, + or - and what was in use, call, return
		want porcupine.CheckResult
	}{
		"full to the last byte":             {"save 119999 + 1 2; save 1 + 3 4; usage 120000 + 5 6; save 1 -120000 7 8", porcupine.Ok},
		"refused with room":                 {"save 119999 + 1 2; save 1 -119999 3 4", porcupine.Illegal},
		"refused for a wrong reason":        {"save 119999 + 1 2; save 2 -119998 3 4", porcupine.Illegal},
		"over":                              {"save 119999 + 1 2; save 2 + 3 4", porcupine.Illegal},
		"over at the same time":             {"save 60000 + 1 9; save 60001 + 1 9", porcupine.Illegal},
		"one of two refused":                {"save 60000 + 1 9; save 60001 -60000 1 9", porcupine.Ok},
		"both refused":                      {"save 60000 -60001 1 9; save 60001 -60000 1 9", porcupine.Illegal},
		"refused for one that gives up":     {"create 119999 + 1 2; save 2 -119999 3 4; abort 119999 + 5 6", porcupine.Ok},
		"refused while one gives up":        {"create 119999 + 1 2; save 2 -119999 3 6; abort 119999 + 4 5", porcupine.Ok},
		"refused for one that has given up": {"create 119999 + 1 2; abort 119999 + 3 4; save 2 -119999 5 6", porcupine.Illegal},
		"given back twice":                  {"create 1 + 1 2; abort 1 + 3 4; save 120000 + 5 6; save 1 + 7 8", porcupine.Illegal},
		"a usage that was never":            {"save 10 + 1 2; save 20 + 1 9; usage 20 + 3 4", porcupine.Illegal},
	} {
		var ops []budgetOp
		for line := range strings.SplitSeq(c.ops, "; ") {
			f := strings.Fields(line)
			var n [4]int64
			for i, s := range []string{f[1], f[3], f[4], "0" + strings.Trim(f[2], "+-")} {
				var err error
				if n[i], err = strconv.ParseInt(s, 10, 64); err != nil {
					t.Fatal(err)
				}
			}
			ops = append(ops, budgetOp{Kind: f[0], Bytes: n[0], OK: f[2] == "+", Used: n[3], Call: n[1], Return: n[2]})
		}
		if got := checkBudget(ops, time.Second); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
