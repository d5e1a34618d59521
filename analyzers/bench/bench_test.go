//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary plays other programs, as the value of roleEnv says.
const roleEnv = "BENCH_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(roleEnv) {
	case "":
		os.Exit(m.Run())
	case "parent": // does nothing itself
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), roleEnv+"=worker")
		if err := cmd.Run(); err != nil {
			os.Exit(9)
		}
		os.Exit(5)
	case "worker":
		held := make([]byte, 96<<20)
		for i := range held {
			held[i] = byte(i)
		}
		for start := time.Now(); cpuOfThis() < 0.3 && time.Since(start) < 10*time.Second; {
			for i := range held {
				held[i]++
			}
		}
		os.Exit(0)
	case "sleeper": // a parent whose child does not end
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), roleEnv+"=asleep")
		if err := cmd.Start(); err != nil {
			os.Exit(9)
		}
		if err := os.WriteFile("pid", fmt.Append(nil, cmd.Process.Pid), 0o644); err != nil {
			os.Exit(9)
		}
		os.Exit(cmd.Wait().(*exec.ExitError).ExitCode())
	case "asleep":
		time.Sleep(time.Minute)
		os.Exit(0)
	case "bytes": // a tool whose identity depends on its bytes
		text, err := os.ReadFile(os.Args[0])
		if err != nil {
			os.Exit(9)
		}
		fmt.Println("tool version devel buildID=" + string(text[len(text)-8:]))
		os.Exit(0)
	case "version": // a tool whose identity does not
		fmt.Println("tool version 1")
		os.Exit(0)
	}
	os.Exit(9)
}

// cpuOfThis is the user time of this process in seconds.
func cpuOfThis() float64 {
	var ru syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &ru); err != nil {
		return 0
	}
	return time.Duration(ru.Utime.Nano()).Seconds()
}

func TestMeasureCountsTheWholeTree(t *testing.T) {
	u, err := measure(t.Context(), invocation{args: []string{os.Args[0]}, dir: t.TempDir(), env: []string{roleEnv + "=parent"}})
	if err != nil {
		t.Fatal(err)
	}
	if u.CPU < 0.3 {
		t.Errorf("%.3f CPU seconds; the grandchild burned 0.3", u.CPU)
	}
	if u.Wall <= 0 || u.Wall > 60 {
		t.Errorf("%.3f seconds of wall time", u.Wall)
	}
	if u.Peak < 96 || u.Peak > 400 {
		t.Errorf("%.0f MiB at most; the grandchild held 96", u.Peak)
	}
	if u.Exit != 5 {
		t.Errorf("exit %d, want 5", u.Exit)
	}
}

func TestMeasureOfNothing(t *testing.T) {
	if _, err := measure(t.Context(), invocation{args: []string{filepath.Join(t.TempDir(), "none")}}); err == nil {
		t.Error("a program that is not there was measured")
	}
}

func TestEndlessRunIsStoppedWithItsChildren(t *testing.T) {
	dir := t.TempDir()
	forever := func(context.Context) (invocation, error) {
		return invocation{args: []string{os.Args[0]}, dir: dir, env: []string{roleEnv + "=sleeper"}}, nil
	}
	_, err := take(t.Context(), pairing{name: "standalone", vet: forever, tool: forever}, 1, 500*time.Millisecond, measure, silentProgress)
	if err == nil || !strings.Contains(err.Error(), "stopped after 500ms, see -timeout") {
		t.Errorf("error %v", err)
	}
	if runtime.GOOS != "linux" {
		t.Skip("the state of a process is read from /proc")
	}
	text, err := os.ReadFile(filepath.Join(dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Sscan(string(text), &pid); err != nil {
		t.Fatal(err)
	}
	// Whoever adopts the child collects it a moment after the signal.
	for range 100 {
		if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d, the child of the command, still runs", pid)
}

func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{3}, 3},
		{[]float64{9, 1, 2}, 2},
		{[]float64{4, 1, 9, 2}, 3},
	} {
		if got := median(tt.values); got != tt.want {
			t.Errorf("median of %v is %v, want %v", tt.values, got, tt.want)
		}
	}
}

// A ledger is a measurer that runs nothing and costs what it is told, a run after the other.
type ledger struct {
	costs []float64
	seen  []invocation
}

func (l *ledger) measure(_ context.Context, inv invocation) (usage, error) {
	c := l.costs[len(l.seen)%len(l.costs)]
	l.seen = append(l.seen, inv)
	return usage{CPU: c, Wall: c / 2, Peak: 10 * c, Exit: len(l.seen)}, nil
}

func silentProgress(string, ...any) {}

func TestPairsAlternateAndTheFirstIsDropped(t *testing.T) {
	named := func(name string) step {
		return func(context.Context) (invocation, error) { return invocation{args: []string{name}}, nil }
	}
	// go vet costs 100, 10, 20, 40; the tool costs 99, 1, 4, 16.
	l := &ledger{costs: []float64{100, 99, 10, 1, 20, 4, 40, 16}}
	r, err := take(t.Context(), pairing{name: "x", against: "cold", vet: named("vet"), tool: named("tool")}, 3, time.Minute, l.measure, silentProgress)
	if err != nil {
		t.Fatal(err)
	}
	for i, inv := range l.seen {
		if want := []string{"vet", "tool"}[i%2]; inv.args[0] != want {
			t.Errorf("run %d is of %s, want %s", i, inv.args[0], want)
		}
	}
	if len(l.seen) != 8 {
		t.Errorf("%d runs, want 8", len(l.seen))
	}
	if want := (spread{Median: 0.2, Min: 0.1, Max: 0.4}); r.Ratio != want {
		t.Errorf("ratios %+v, want %+v", r.Ratio, want)
	}
	if r.Vet.CPU != 20 || r.Vet.Wall != 10 || r.Vet.Peak != 400 || r.Vet.Exit != 7 || len(r.Vet.Runs) != 3 {
		t.Errorf("go vet %+v, want medians 20 and 10, peak 400, exit 7 of 3 runs", r.Vet)
	}
	if r.Tool.CPU != 4 || r.Tool.Peak != 160 || r.Tool.Exit != 8 {
		t.Errorf("tool %+v, want median 4, peak 160, exit 8", r.Tool)
	}
}

func TestFailureNamesTheRow(t *testing.T) {
	broken := func(context.Context) (invocation, error) { return invocation{}, errors.New("no disk") }
	_, err := take(t.Context(), pairing{name: "standalone", vet: broken, tool: broken}, 1, time.Minute, measure, silentProgress)
	if err == nil || err.Error() != "row standalone: no disk" {
		t.Errorf("error %v", err)
	}
}

// newModule makes a module in which package core is imported most.
func newModule(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":        "module example.org/m\n\ngo 1.26\n",
		"a/a.go":        "package a\n\nimport _ \"example.org/m/core\"\n",
		"b/b.go":        "package b\n\nimport _ \"example.org/m/core\"\nimport _ \"example.org/m/a\"\n",
		"core/small.go": "package core\n",
		"core/z.go":     "package core\n\nconst Largest = 1\n",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// runsOf measures a row of a setup with the ledger and returns the arguments of go vet's runs and of the tool's.
func runsOf(t *testing.T, s setup, name string) (vet, tool []invocation) {
	t.Helper()
	s.scratch = t.TempDir()
	pairs, err := s.pairings(t.Context(), []string{name})
	if err != nil {
		t.Fatal(err)
	}
	l := &ledger{costs: []float64{1}}
	if _, err := take(t.Context(), pairs[0], 2, time.Minute, l.measure, silentProgress); err != nil {
		t.Fatal(err)
	}
	for i, inv := range l.seen {
		if inv.dir != s.module {
			t.Errorf("run %d in %s, want the module", i, inv.dir)
		}
		if i%2 == 0 {
			vet = append(vet, inv)
		} else {
			tool = append(tool, inv)
		}
	}
	return vet, tool
}

func TestColdRunsAreAllDifferent(t *testing.T) {
	t.Setenv(roleEnv, "bytes")
	vet, _ := runsOf(t, setup{bin: os.Args[0], module: newModule(t), patterns: []string{"./..."}}, "vettool-cold")
	flags := map[string]bool{}
	for _, inv := range vet {
		if len(inv.args) != 4 || inv.args[1] != "vet" || !strings.HasPrefix(inv.args[2], "-printf.funcs=bench") || inv.args[3] != "./..." {
			t.Errorf("go vet is run as %q", inv.args)
		}
		flags[inv.args[2]] = true
	}
	if len(flags) != 3 {
		t.Errorf("%d values of -printf.funcs in 3 runs", len(flags))
	}
}

func TestCopiesHaveIdentitiesOfTheirOwn(t *testing.T) {
	t.Setenv(roleEnv, "bytes")
	s, err := newSalter(t.Context(), os.Args[0], t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{s.id: true}
	for range 3 {
		name, err := s.next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		id, err := identity(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if seen[id] {
			t.Errorf("identity %q twice", id)
		}
		seen[id] = true
	}
}

func TestToolThatCannotBeMadeCold(t *testing.T) {
	t.Setenv(roleEnv, "version")
	s, err := newSalter(t.Context(), os.Args[0], t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.next(t.Context()); err == nil || !strings.Contains(err.Error(), "same identity") {
		t.Errorf("error %v; such a tool would be measured warm", err)
	}
}

func TestWarmRunsAreAllEqual(t *testing.T) {
	vet, tool := runsOf(t, setup{bin: "/x/boundcheck", module: newModule(t), patterns: []string{"./a", "./b"}}, "vettool-warm")
	for i := range vet {
		if got := strings.Join(vet[i].args, " "); got != "go vet ./a ./b" {
			t.Errorf("go vet is run as %q", got)
		}
		if got := strings.Join(tool[i].args, " "); got != "go vet -vettool=/x/boundcheck ./a ./b" {
			t.Errorf("the tool is run as %q", got)
		}
	}
}

func TestEditsAreAllDifferentAndTouchNothing(t *testing.T) {
	module := newModule(t)
	core := filepath.Join(module, "core", "z.go")
	before, err := os.ReadFile(core)
	if err != nil {
		t.Fatal(err)
	}
	s := setup{bin: "/x/boundcheck", module: module, patterns: []string{"./..."}, scratch: t.TempDir()}
	p, err := s.editPairing(t.Context(), "vettool-edit")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for range 2 {
		for _, side := range []step{p.vet, p.tool} {
			inv, err := side(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			name := strings.TrimPrefix(inv.args[len(inv.args)-2], "-overlay=")
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatalf("%q: %v", inv.args, err)
			}
			var overlay struct{ Replace map[string]string }
			if err := json.Unmarshal(text, &overlay); err != nil {
				t.Fatal(err)
			}
			edited, err := os.ReadFile(overlay.Replace[core])
			if err != nil {
				t.Fatalf("overlay %s does not replace %s: %v", text, core, err)
			}
			if !strings.HasPrefix(string(edited), strings.TrimSpace(string(before))+"\n\n// ") || seen[string(edited)] {
				t.Errorf("edited to %q", edited)
			}
			seen[string(edited)] = true
		}
	}
	if after, err := os.ReadFile(core); err != nil || string(after) != string(before) {
		t.Errorf("the module was changed: %q, %v", after, err)
	}
}

func TestStandaloneAndItsRivals(t *testing.T) {
	s := setup{bin: "/x/boundcheck", module: newModule(t), patterns: []string{"./..."}, staticcheck: "/x/staticcheck", nilaway: "/x/nilaway"}
	for name, want := range map[string]string{
		"standalone":       "/x/boundcheck ./...",
		"standalone-tests": "/x/boundcheck -tests ./...",
		"staticcheck":      "/x/staticcheck ./...",
		"nilaway":          "/x/nilaway -include-pkgs=example.org/m ./...",
	} {
		vet, tool := runsOf(t, s, name)
		if got := strings.Join(tool[0].args, " "); got != want {
			t.Errorf("%s is run as %q, want %q", name, got, want)
		}
		if !strings.HasPrefix(vet[0].args[2], "-printf.funcs=") {
			t.Errorf("%s is compared with %q, not with a cold go vet", name, vet[0].args)
		}
	}
}

func TestStaticcheckStartsWithAnEmptyCache(t *testing.T) {
	s := setup{staticcheck: "/x/staticcheck", module: newModule(t), scratch: t.TempDir()}
	p, err := s.pairing(t.Context(), "staticcheck")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		inv, err := p.tool(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		cache, ok := strings.CutPrefix(inv.env[0], "STATICCHECK_CACHE=")
		if !ok {
			t.Fatalf("environment %q", inv.env)
		}
		if _, err := os.Stat(cache); err == nil {
			t.Error("the cache of the last run is still there")
		}
		if err := os.MkdirAll(cache, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTable(t *testing.T) {
	series := func(cpu float64) series { return series{CPU: cpu, Wall: cpu / 2, Peak: 99.6, Exit: 1} }
	rep := report{Module: "m", Patterns: []string{"./..."}, Go: "go1.26", CPUs: 2, Runs: 5, Rows: []row{
		{Name: "standalone", Against: "cold", Vet: series(20), Tool: series(2), Ratio: spread{0.1, 0.09, 0.11}},
		{Name: "nilaway", Against: "cold", Vet: series(20), Tool: series(25), Ratio: spread{1.25, 1, 2}},
	}}
	var b strings.Builder
	if err := rep.writeText(&b); err != nil {
		t.Fatal(err)
	}
	want := `m [./...], go1.26, 2 CPUs, medians of 5 pairs

run          CPU s  wall s  peak MiB  exit  CPU ÷ go vet
go vet cold  20.00  10.00   100       1     1
standalone   2.00   1.00    100       1     0.100 (0.090-0.110)
go vet cold  20.00  10.00   100       1     1
nilaway      25.00  12.50   100       1     1.250 (1.000-2.000)

nilaway takes 12.5 times the CPU of standalone
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &b, want)
	}
}

func TestCommandLine(t *testing.T) {
	module := newModule(t)
	l := &ledger{costs: []float64{1}}
	var out, errs strings.Builder
	code := run(t.Context(), []string{"-bin", os.Args[0], "-module", module, "-runs", "2", "-rows", "vettool-warm,standalone", "-json"}, &out, &errs, l.measure)
	var rep report
	if err := json.Unmarshal([]byte(out.String()), &rep); code != exitMeasured || err != nil {
		t.Fatalf("exit %d, %s, %v", code, &errs, err)
	}
	var names []string
	for _, r := range rep.Rows {
		names = append(names, r.Name)
	}
	if !slices.Equal(names, []string{"vettool-warm", "standalone"}) || rep.Runs != 2 || len(rep.Rows[0].Tool.Runs) != 2 {
		t.Errorf("measured %v, %+v", names, rep)
	}

	// A row that cannot be measured does not take the others with it.
	out.Reset()
	broken := func(ctx context.Context, inv invocation) (usage, error) {
		if strings.Contains(inv.args[0], filepath.Base(os.Args[0])) {
			return usage{}, errors.New("broken tool")
		}
		return l.measure(ctx, inv)
	}
	code = run(t.Context(), []string{"-bin", os.Args[0], "-module", module, "-runs", "1", "-rows", "vettool-warm,standalone"}, &out, &errs, broken)
	if code != exitFailed || !strings.Contains(errs.String(), "row standalone: broken tool") || !strings.Contains(out.String(), "vettool-warm  1.00") {
		t.Errorf("exit %d, %q, and the row before it:\n%s", code, &errs, &out)
	}

	file := filepath.Join(module, "go.mod")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{nil, "-bin PATH"},
		{[]string{"-bin", file}, "-module DIR"},
		{[]string{"-bin", file, "-module", t.TempDir()}, "has no go.mod"},
		{[]string{"-bin", file + "x", "-module", module}, "nothing to run"},
		{[]string{"-bin", file, "-module", module, "-runs", "0"}, "-runs 0"},
		{[]string{"-bin", file, "-module", module, "-timeout", "0s"}, "-timeout 0s"},
		{[]string{"-bin", file, "-module", module, "-pkgs", " "}, "names no package"},
		{[]string{"-bin", file, "-module", module, "./..."}, "given with -pkgs"},
		{[]string{"-bin", file, "-module", module, "-rows", "fast"}, "no such row"},
		{[]string{"-bin", file, "-module", module, "-rows", "nilaway"}, "say -nilaway PATH"},
	} {
		var out, errs strings.Builder
		code := run(t.Context(), tt.args, &out, &errs, l.measure)
		if code != exitUsage || !strings.Contains(errs.String(), tt.want) || out.Len() > 0 {
			t.Errorf("%q: exit %d, %q, want %d and %q", tt.args, code, &errs, exitUsage, tt.want)
		}
	}
}
