package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// findCheckout returns the directory of a repository below root, or "" when there is none.
func findCheckout(root, repo string) string {
	for _, name := range []string{strings.ReplaceAll(repo, "/", "+"), repo, path.Base(repo)} {
		dir := filepath.Join(root, filepath.FromSlash(name))
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
	}
	return ""
}

// checkHead returns a warning when the checkout is not, or cannot be shown to be, at the commit of the labels.
func checkHead(ctx context.Context, dir, commit string) string {
	// Without this a plain copy inside some other repository would be compared with that repository's commit.
	if _, err := os.Stat(filepath.Join(dir, ".git")); err != nil {
		return "no git metadata in the checkout, so it cannot be compared with the labels' commit " + commit
	}
	out, err := exec.CommandContext(ctx, "git", "-C", dir, "rev-parse", "HEAD").Output()
	if err != nil {
		return fmt.Sprintf("git cannot tell the commit of the checkout (%v); the labels are for %s", err, commit)
	}
	if head := strings.TrimSpace(string(out)); !strings.HasPrefix(head, commit) {
		return fmt.Sprintf("the checkout is at %s but the labels are for %s; lines may have moved", head, commit)
	}
	return ""
}

// A module is a directory with a go.mod, relative to its checkout ("." for the root).
type module string

// modulesOf maps each labelled file of one checkout to its module, and lists the modules in order. Files that are
// absent or lie in no module are not in the map and come back as warnings.
func modulesOf(dir string, sites []site) (of map[string]module, all []module, warnings []string) {
	of = map[string]module{}
	for _, s := range sites {
		if _, seen := of[s.File]; seen {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(s.File))); err != nil {
			warnings = append(warnings, s.File+" is labelled but not in the checkout")
			continue
		}
		m, ok := moduleAbove(dir, s.File)
		if !ok {
			warnings = append(warnings, s.File+" is labelled but no go.mod lies above it")
			continue
		}
		of[s.File] = m
		all = append(all, m)
	}
	slices.Sort(all)
	return of, slices.Compact(all), slices.Compact(warnings)
}

var moduleLine = regexp.MustCompile(`(?m)^module[ \t]+"?([^\s"]+)`)

// importPath returns the import path of the package that a file of the module belongs to, "" if the go.mod has none.
func (m module) importPath(dir, file string) string {
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(string(m)), "go.mod"))
	if err != nil {
		return ""
	}
	name := moduleLine.FindSubmatch(text)
	if name == nil {
		return ""
	}
	// Both are relative to the checkout and file lies below m, so this cannot fail.
	rel, _ := filepath.Rel(string(m), path.Dir(file))
	return path.Join(string(name[1]), filepath.ToSlash(rel))
}

func moduleAbove(dir, file string) (module, bool) {
	for d := path.Dir(file); ; d = path.Dir(d) {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(d), "go.mod")); err == nil {
			return module(d), true
		}
		if d == "." || d == "/" {
			return "", false
		}
	}
}
