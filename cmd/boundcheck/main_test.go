package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/go/analysis"

	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/cli"
)

// The scripts run two programs: boundcheck itself, and toycheck, which is the same with the toy analyzer in place of
// the real ones.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"boundcheck": main,
		"toycheck": func() {
			app := &cli.App{Analyzers: []*analysis.Analyzer{newToy()}, Stdout: os.Stdout, Stderr: os.Stderr}
			os.Exit(app.Main(os.Args[1:]))
		},
	})
}

func TestScripts(t *testing.T) {
	env := goEnv(t)
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			for _, name := range []string{"boundcheck", "toycheck"} {
				path, err := exec.LookPath(name)
				if err != nil {
					return err
				}
				e.Setenv(strings.ToUpper(name), path)
			}
			e.Vars = append(e.Vars, env...)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status},
		Condition: func(cond string) (bool, error) {
			if cond == "cgo" {
				_, err := exec.LookPath("cc")
				return err == nil, nil
			}
			return false, nil
		},
	})
}

// status runs a program and compares its exit code: status CODE PROGRAM [ARGUMENT...]
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status CODE PROGRAM [ARGUMENT...]")
	}
	got := "0"
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = strconv.Itoa(exit.ExitCode())
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}

// goEnv is the environment in which the go command works offline, with the compiled standard library at hand.
func goEnv(t *testing.T) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOCACHE", "GOROOT").Output()
	if err != nil {
		t.Fatalf("go env: %v", err)
	}
	lines := strings.Fields(string(out))
	return []string{
		"GOCACHE=" + lines[0],
		"GOROOT=" + lines[1],
		"GOPATH=" + t.TempDir(),
		"GOPROXY=off",
		"GOTOOLCHAIN=local",
		"GOFLAGS=",
		"GOWORK=",
		"GOENV=off",
		"GOTELEMETRY=off",
	}
}
