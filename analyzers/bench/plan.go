//go:build unix

package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A step prepares one run. It is called right before the run and its time is not counted.
type step func(ctx context.Context) (invocation, error)

// A pairing is one row of the table before it is measured.
type pairing struct {
	name    string
	against string // the state of go vet
	vet     step
	tool    step
}

// A setup is what the rows are made of.
type setup struct {
	bin         string
	module      string
	patterns    []string
	edit        string // "" chooses a file
	staticcheck string
	nilaway     string
	scratch     string // a directory that is removed afterwards
}

// rowNames in the order in which they are measured.
var rowNames = []string{"vettool-cold", "vettool-warm", "vettool-edit", "standalone", "standalone-tests", "staticcheck", "nilaway"}

// pairings makes the rows that are wanted, in the order of rowNames.
func (s setup) pairings(ctx context.Context, wanted []string) ([]pairing, error) {
	var out []pairing
	for _, name := range rowNames {
		if !slices.Contains(wanted, name) {
			continue
		}
		p, err := s.pairing(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("row %s: %w", name, err)
		}
		out = append(out, p)
	}
	return out, nil
}

func (s setup) pairing(ctx context.Context, name string) (pairing, error) {
	cold := pairing{name: name, against: "cold", vet: func(context.Context) (invocation, error) {
		return s.goVet("-printf.funcs=bench" + rand.Text()), nil
	}}
	switch name {
	case "vettool-cold":
		salt, err := newSalter(ctx, s.bin, s.scratch)
		if err != nil {
			return cold, err
		}
		cold.tool = func(ctx context.Context) (invocation, error) {
			bin, err := salt.next(ctx)
			return s.goVet("-vettool=" + bin), err
		}
	case "vettool-warm":
		return pairing{name: name, against: "warm", vet: s.fixed(s.goVet()), tool: s.fixed(s.goVet("-vettool=" + s.bin))}, nil
	case "vettool-edit":
		return s.editPairing(ctx, name)
	case "standalone":
		cold.tool = s.fixed(s.command(s.bin))
	case "standalone-tests":
		cold.tool = s.fixed(s.command(s.bin, "-tests"))
	case "staticcheck":
		cold.tool = func(context.Context) (invocation, error) {
			cache := filepath.Join(s.scratch, "staticcheck")
			if err := os.RemoveAll(cache); err != nil {
				return invocation{}, fmt.Errorf("the cache of staticcheck cannot be emptied: %w", err)
			}
			inv := s.command(s.staticcheck)
			inv.env = []string{"STATICCHECK_CACHE=" + cache}
			return inv, nil
		}
	case "nilaway":
		cmd := exec.CommandContext(ctx, "go", "list", "-m")
		cmd.Dir = s.module
		path, err := cmd.Output()
		if err != nil {
			return cold, fmt.Errorf("go list -m cannot tell the module path of %s: %w", s.module, err)
		}
		// A workspace has several main modules.
		modules := strings.Join(strings.Fields(string(path)), ",")
		cold.tool = s.fixed(s.command(s.nilaway, "-include-pkgs="+modules))
	default:
		return cold, fmt.Errorf("there is no such row; known are %s", strings.Join(rowNames, ", "))
	}
	return cold, nil
}

func (s setup) editPairing(ctx context.Context, name string) (pairing, error) {
	file := s.edit
	if file == "" {
		var err error
		if file, err = coreFile(ctx, s.module, s.patterns); err != nil {
			return pairing{}, err
		}
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(s.module, file)
	}
	ed, err := newEditor(file, s.scratch)
	if err != nil {
		return pairing{}, err
	}
	edited := func(flags ...string) step {
		return func(context.Context) (invocation, error) {
			overlay, err := ed.next()
			return s.goVet(slices.Concat(flags, []string{"-overlay=" + overlay})...), err
		}
	}
	return pairing{name: name, against: "edit", vet: edited(), tool: edited("-vettool=" + s.bin)}, nil
}

func (s setup) fixed(inv invocation) step {
	return func(context.Context) (invocation, error) { return inv, nil }
}

func (s setup) goVet(flags ...string) invocation {
	return s.command("go", slices.Concat([]string{"vet"}, flags)...)
}

func (s setup) command(program string, args ...string) invocation {
	return invocation{args: slices.Concat([]string{program}, args, s.patterns), dir: s.module}
}
