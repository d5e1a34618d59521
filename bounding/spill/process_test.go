package spill_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// The test binary plays other processes that use a store.
const roleVar, rootVar = "SPILL_TEST_ROLE", "SPILL_TEST_ROOT"

// roles are what the test binary does as another process, with the root of a store; they return an exit code.
var roles = map[string]func(root string) int{"save": saveMany, "hold": holdUntilKilled}

func TestMain(m *testing.M) {
	if role, ok := roles[os.Getenv(roleVar)]; ok {
		os.Exit(role(os.Getenv(rootVar)))
	}
	os.Exit(m.Run())
}

const (
	budget     = 200_000
	perProcess = 16
)

var budgets = spill.Limits{Artifact: budget, Session: budget, Store: spill.Unlimited}

// saveMany saves in 16 goroutines for one session until the session is full, and prints a locator and a size for each save.
// Every third one streams.
func saveMany(root string) int {
	l, err := spill.NewLocal(root, spill.WithLimits(budgets))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer l.Close()
	var wg sync.WaitGroup
	var mu sync.Mutex
	code := 0
	for g := range perProcess {
		wg.Go(func() {
			for i := range 20 {
				size := 300 + 97*g + 31*i
				req := spill.Request{Owner: "shared", SuggestedName: "a", Content: strings.Repeat("q", size)}
				var ref spill.Ref
				var err error
				if i%3 == 0 {
					r := strings.NewReader(req.Content)
					req.Content = ""
					ref, err = spill.SaveFrom(context.Background(), l, req, r, spill.Unlimited)
				} else {
					ref, err = l.Save(context.Background(), req)
				}
				mu.Lock()
				if err == nil {
					fmt.Printf("%s\t%d\t%s\n", ref.SHA256, ref.Bytes, ref.Locator)
				} else if !errors.Is(err, spill.ErrQuota) {
					fmt.Fprintln(os.Stderr, err)
					code = 1
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return code
}

// spec: SPL-4, SPL-5
func TestProcessesShareOneBudget(t *testing.T) {
	root := filepath.Join(t.TempDir(), "store")
	const processes = 4
	var out, stderr [processes]bytes.Buffer
	var commands [processes]*exec.Cmd
	for i := range commands {
		c := exec.CommandContext(t.Context(), os.Args[0])
		c.Env = append(os.Environ(), roleVar+"=save", rootVar+"="+root)
		c.Stdout, c.Stderr = &out[i], &stderr[i]
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		commands[i] = c
	}
	// An observer adds up the files themselves while they work, and never finds more than the budget.
	done := make(chan struct{})
	var observer sync.WaitGroup
	most := int64(0)
	observer.Go(func() {
		for {
			most = max(most, bytesBelow(root))
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
			}
		}
	})
	for i, c := range commands {
		if err := c.Wait(); err != nil {
			t.Errorf("process %d: %v: %.500s", i, err, stderr[i].String())
		}
	}
	close(done)
	observer.Wait()

	l := openLocal(t, root, budgets)
	seen := map[string]bool{}
	var sum int64
	for i := range out {
		for line := range strings.Lines(out[i].String()) {
			part := strings.Split(strings.TrimSpace(line), "\t")
			n, err := strconv.ParseInt(part[1], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			if seen[part[2]] {
				t.Errorf("%s was given out twice", part[2])
			}
			seen[part[2]] = true
			sum += n
			if err := spill.Verify(t.Context(), l, spill.Ref{Locator: part[2], Bytes: n, SHA256: part[0]}); err != nil {
				t.Error(err)
			}
		}
	}
	u, err := l.Usage(t.Context(), "shared")
	if err != nil || u.Bytes != sum || u.Artifacts != len(seen) {
		t.Errorf("usage %+v, %v; saved %d artifacts of %d bytes", u, err, len(seen), sum)
	}
	if sum > budget || most > budget {
		t.Errorf("%d bytes saved and %d seen, budget %d", sum, most, budget)
	}
	if sum < budget-3_000 { // the largest save: whoever was refused did not fit
		t.Errorf("only %d bytes of %d were used", sum, budget)
	}
	t.Logf("%d artifacts, %d of %d bytes, at most %d seen", len(seen), sum, budget, most)
	if left, _ := filepath.Glob(filepath.Join(root, "session-*", ".partial-*")); len(left) != 0 {
		t.Errorf("%d partial files are left", len(left))
	}
}

func openLocal(t testing.TB, root string, limits spill.Limits) *spill.Local {
	t.Helper()
	l, err := spill.NewLocal(root, spill.WithLimits(limits))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// bytesBelow adds up the artifacts in all sessions.
func bytesBelow(root string) (sum int64) {
	files, _ := filepath.Glob(filepath.Join(root, "session-*", "????????????-*"))
	for _, f := range files {
		if info, err := os.Lstat(f); err == nil {
			sum += info.Size()
		}
	}
	return sum
}

// holdUntilKilled saves an artifact, leaves another one half written, and waits for its end.
func holdUntilKilled(root string) int {
	l, err := spill.NewLocal(root)
	if err == nil {
		var w spill.Writer
		w, err = l.Create(context.Background(), spill.Request{Owner: "theirs", SuggestedName: "half"})
		if err == nil {
			_, err = w.Write([]byte("half"))
		}
	}
	var ref spill.Ref
	if err == nil {
		ref, err = l.Save(context.Background(), spill.Request{Owner: "theirs", SuggestedName: "a", Content: "whole"})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println(ref.Locator)
	time.Sleep(time.Minute)
	return 1
}

// spec: SPL-3, SPL-6
func TestALeaseLastsAsLongAsItsProcess(t *testing.T) {
	root := filepath.Join(t.TempDir(), "store")
	c := exec.CommandContext(t.Context(), os.Args[0])
	c.Env = append(os.Environ(), roleVar+"=hold", rootVar+"="+root)
	stdout, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 4096)
	n, err := stdout.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	locator := strings.TrimSpace(string(line[:n]))
	l := openLocal(t, root, spill.DefaultLimits())
	future := time.Now().Add(time.Hour)
	swept, err := l.Sweep(t.Context(), future)
	if err != nil || swept.Artifacts+swept.Partials+swept.Sessions != 0 || swept.Held != 1 {
		t.Errorf("while it lives: %+v, %v", swept, err)
	}
	if u, err := l.Usage(t.Context(), "theirs"); err != nil || u.Artifacts != 1 || u.Bytes <= 5 {
		t.Errorf("its reservation does not count: %+v, %v", u, err)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	c.Wait()
	if u, err := l.Usage(t.Context(), "theirs"); err != nil || u != (spill.Usage{Artifacts: 1, Bytes: 5}) {
		t.Errorf("its reservation outlives it: %+v, %v", u, err)
	}
	swept, err = l.Sweep(t.Context(), future)
	if err != nil || swept.Artifacts != 1 || swept.Sessions != 1 || swept.Held != 0 {
		t.Errorf("when it is gone: %+v, %v", swept, err)
	}
	if _, err := l.Open(t.Context(), locator); !errors.Is(err, spill.ErrExpired) {
		t.Error(err)
	}
}
