package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/analyzers/finding"
)

// A checker is boundcheck with the arguments every run gets.
type checker struct {
	bin     string
	args    []string
	timeout time.Duration // for one run
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
	Errors   []problem         `json:"errors"`
}

// A problem is an entry of "errors": a package that could not be loaded or analysed.
type problem struct {
	Package string `json:"package"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// String is one line.
func (p problem) String() string {
	var b strings.Builder
	if p.Package != "" {
		b.WriteString(p.Package + ": ")
	}
	switch {
	case p.File != "" && p.Line > 0:
		fmt.Fprintf(&b, "%s:%d: ", p.File, p.Line)
	case p.File != "":
		b.WriteString(p.File + ": ")
	}
	b.WriteString(firstLines(p.Message, 1))
	return b.String()
}

// A moduleRun is one run of the checker in one module.
type moduleRun struct {
	Module    module   `json:"module"`
	Errors    []string `json:"errors,omitempty"`    // what could not be loaded or analysed
	Failed    string   `json:"failed,omitempty"`    // why there are no findings at all
	Completed bool     `json:"completed,omitempty"` // lines were added to copies of go.mod and go.sum
	Seconds   float64  `json:"seconds"`

	findings []finding.Finding // File is relative to the repository
	problems []problem         // File is relative to the repository
}

// run checks one module of the checkout in dir, a second time if its go.sum is incomplete.
func (c checker) run(ctx context.Context, dir string, m module) (moduleRun, error) {
	first := c.runOnce(ctx, dir, m, nil)
	if !first.incomplete() {
		return first, nil
	}
	scratch, err := os.MkdirTemp("", "corpus")
	if err != nil {
		return first, fmt.Errorf("no place for a copy of the go.mod of module %s: %w", m, err)
	}
	defer os.RemoveAll(scratch)
	env, err := completing(ctx, filepath.Join(dir, filepath.FromSlash(string(m))), scratch)
	if err != nil {
		return first, fmt.Errorf("the go.mod of module %s cannot be copied: %w", m, err)
	}
	second := c.runOnce(ctx, dir, m, env)
	if second.Failed != "" || len(second.problems) >= len(first.problems) {
		return first, nil
	}
	second.Completed = true
	return second, nil
}

// runOnce checks one module with something added to the environment.
func (c checker) runOnce(ctx context.Context, dir string, m module, env []string) moduleRun {
	r := moduleRun{Module: m}
	cwd := filepath.Join(dir, filepath.FromSlash(string(m)))
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeout, fmt.Errorf("stopped after %v, see -timeout", c.timeout))
	defer cancel()
	cmd := exec.CommandContext(ctx, c.bin, slices.Concat([]string{"-json"}, c.args, []string{"./..."})...)
	cmd.Dir = cwd
	cmd.Env = append(os.Environ(), env...)
	cmd.WaitDelay = time.Second // a go command that boundcheck started may outlive it and hold its output open
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err := cmd.Run()
	r.Seconds = time.Since(start).Seconds()
	if ctx.Err() != nil {
		r.Failed = context.Cause(ctx).Error()
		return r
	}

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
	for _, p := range doc.Errors {
		r.Errors = append(r.Errors, p.String())
		if p.File != "" {
			p.File = inRepo(dir, cwd, p.File)
		}
		r.problems = append(r.problems, p)
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
