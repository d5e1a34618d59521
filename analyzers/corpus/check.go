package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/analyzers/finding"
)

// A checker is boundcheck with the arguments every run gets.
type checker struct {
	bin  string
	args []string
}

// buildChecker compiles the command of this module into dir.
func buildChecker(ctx context.Context, dir string) (string, error) {
	const pkg = "github.com/boundcheck/boundcheck/cmd/boundcheck"
	bin := filepath.Join(dir, "boundcheck")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", bin, pkg).CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s failed: %w\n%s", pkg, err, bytes.TrimSpace(out))
	}
	return bin, nil
}

// A document is what boundcheck -json prints.
type document struct {
	Version  int               `json:"version"`
	Findings []finding.Finding `json:"findings"`
	Errors   []json.RawMessage `json:"errors"`
}

// A moduleRun is one run of the checker in one module.
type moduleRun struct {
	Module   module            `json:"module"`
	Errors   []string          `json:"errors,omitempty"` // what could not be loaded or analysed
	Failed   string            `json:"failed,omitempty"` // why there are no findings at all
	Seconds  float64           `json:"seconds"`
	findings []finding.Finding // File is relative to the repository
}

// run checks one module of the checkout in dir.
func (c checker) run(ctx context.Context, dir string, m module) moduleRun {
	r := moduleRun{Module: m}
	cwd := filepath.Join(dir, filepath.FromSlash(string(m)))
	cmd := exec.CommandContext(ctx, c.bin, slices.Concat([]string{"-json"}, c.args, []string{"./..."})...)
	cmd.Dir = cwd
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err := cmd.Run()
	r.Seconds = time.Since(start).Seconds()

	var doc document
	if jsonErr := json.Unmarshal(stdout.Bytes(), &doc); jsonErr != nil || doc.Version != 1 {
		r.Failed = "no findings document of version 1 on its standard output"
		if err != nil {
			r.Failed += " (" + err.Error() + ")"
		}
		if text := firstLines(stderr.String(), 3); text != "" {
			r.Failed += ": " + text
		}
		return r
	}
	// 1 means findings, 3 means that some package is missing from them and stands in doc.Errors.
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.ExitCode() != 1 && exit.ExitCode() != 3) {
		r.Errors = append(r.Errors, fmt.Sprintf("boundcheck ended with %v: %s", err, firstLines(stderr.String(), 3)))
	}
	for _, raw := range doc.Errors {
		r.Errors = append(r.Errors, errorText(raw))
	}
	slices.Sort(r.Errors)
	r.Errors = slices.Compact(r.Errors)
	for _, f := range doc.Findings {
		f.File = inRepo(dir, cwd, f.File)
		r.findings = append(r.findings, f)
	}
	return r
}

// inRepo makes a file name of a run in cwd relative to the checkout. A name outside the checkout stays absolute.
func inRepo(dir, cwd, file string) string {
	if !filepath.IsAbs(file) {
		file = filepath.Join(cwd, filepath.FromSlash(file))
	}
	// The checkout may be reached through a symbolic link, while the tool names the place it leads to.
	for _, base := range []string{dir, realPath(dir)} {
		if rel, err := filepath.Rel(base, file); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(file)
}

func realPath(p string) string {
	if real, err := filepath.EvalSymlinks(p); err == nil {
		return real
	}
	return p
}

// errorText makes one line of an entry of "errors", which is an object with a message and where it arose.
func errorText(raw json.RawMessage) string {
	var e struct {
		Package string `json:"package"`
		File    string `json:"file"`
		Line    int    `json:"line"`
		Message string `json:"message"`
	}
	if err := json.Unmarshal(raw, &e); err != nil || e.Message == "" {
		return string(raw)
	}
	var b strings.Builder
	if e.Package != "" {
		b.WriteString(e.Package + ": ")
	}
	if e.File != "" {
		fmt.Fprintf(&b, "%s:%d: ", e.File, e.Line)
	}
	b.WriteString(firstLines(e.Message, 1))
	return b.String()
}

// firstLines joins the first n lines that are not empty.
func firstLines(text string, n int) string {
	var kept []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && len(kept) < n {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, " | ")
}
