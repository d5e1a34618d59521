package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/report"
)

// Both ways of running have to find the same in the fixtures of the analyzers, whatever the flags are.
func TestParity(t *testing.T) {
	dir, err := filepath.Abs(filepath.Join("..", "..", "analyzers", "historybypass", "testdata", "src"))
	if err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{nil, {"-tests", "-generated", "-confidence=low"}} {
		t.Run(strings.Join(append([]string{"flags"}, flags...), ""), func(t *testing.T) {
			t.Parallel()
			alone, vet := standaloneFindings(t, dir, flags), vetFindings(t, dir, flags)
			if len(alone) == 0 {
				t.Error("nothing was found")
			}
			if diff := cmp.Diff(alone, vet); diff != "" {
				t.Errorf("only standalone (-), only under go vet (+):\n%s", diff)
			}
		})
	}
}

// output runs a program in dir and returns what it wrote to stdout, with an exit code that is among those wanted.
func output(t *testing.T, dir string, codes []int, program string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), goEnv(t)...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || !slices.Contains(codes, exit.ExitCode())) {
		t.Fatalf("%s %q: %v\n%s", program, args, err, stderr.String())
	}
	return out
}

func standaloneFindings(t *testing.T, dir string, flags []string) []string {
	t.Helper()
	var doc report.Document
	if err := json.Unmarshal(output(t, dir, []int{1}, "boundcheck", append(flags, "-json", "./...")...), &doc); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, f := range doc.Findings {
		all = append(all, fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Column, withCode(f.Message, f.Code)))
	}
	slices.Sort(all)
	return all
}

func vetFindings(t *testing.T, dir string, flags []string) []string {
	t.Helper()
	tool, err := exec.LookPath("boundcheck")
	if err != nil {
		t.Fatal(err)
	}
	args := slices.Concat([]string{"vet", "-vettool=" + tool, "-json"}, flags, []string{"./..."})
	dec := json.NewDecoder(bytes.NewReader(output(t, dir, nil, "go", args...)))
	var all []string
	for {
		var tree map[string]map[string][]struct{ Category, Posn, Message string }
		if err := dec.Decode(&tree); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		for _, analyzers := range tree {
			for _, diagnostics := range analyzers {
				for _, d := range diagnostics {
					posn, err := filepath.Rel(dir, d.Posn)
					if err != nil {
						t.Fatal(err)
					}
					all = append(all, filepath.ToSlash(posn)+": "+withCode(d.Message, d.Category))
				}
			}
		}
	}
	slices.Sort(all)
	return all
}

func withCode(message, code string) string {
	if strings.Contains(message, code) {
		return message
	}
	return message + " (" + code + ")"
}
