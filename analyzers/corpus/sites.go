package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// A site is one row of the table of labels.
type site struct {
	Repo    string `json:"repo"`
	Commit  string `json:"-"`
	File    string `json:"file"` // relative to the repository, with slashes
	Line    int    `json:"line"`
	Kind    string `json:"kind"`
	Verdict string `json:"verdict"`
	Scope   string `json:"scope"`
	Flow    string `json:"flow"`
}

// A class is what a report at a site means.
type class int

// In the order in which they win a report that is equally near to several sites.
const (
	positive class = iota
	silent
	neutral
)

func (s site) class() class {
	switch {
	case s.Kind == "R" || s.Verdict == "L":
		return neutral
	case s.Verdict == "B" || s.Verdict == "N":
		return silent
	}
	return positive
}

// errorText reports whether the site belongs to the group that has its own target.
func (s site) errorText() bool { return s.Kind == "E" }

// String is the line a developer acts on.
func (s site) String() string {
	return fmt.Sprintf("%s %s:%d %s %s %s %s", s.Repo, s.File, s.Line, s.Kind, s.Verdict, s.Scope, s.Flow)
}

func compareSites(a, b site) int {
	return cmp.Or(
		cmp.Compare(a.Repo, b.Repo),
		cmp.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.Verdict, b.Verdict),
		cmp.Compare(a.Scope, b.Scope),
		cmp.Compare(a.Flow, b.Flow),
	)
}

// readSites reads a table of labels from a file, sorted.
func readSites(name string) ([]site, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("the table of labels cannot be read: %w; give its path with -sites", err)
	}
	defer f.Close()
	return parseSites(name, f)
}

// columns that the table must have, in any order.
var columns = []string{"repo", "commit", "file", "line", "kind", "verdict", "bounded_how", "flow", "scope"}

func parseSites(name string, r io.Reader) ([]site, error) {
	var sites []site
	var at map[string]int
	commits := map[string]string{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSuffix(lines.Text(), "\r")
		if text == "" {
			continue
		}
		cells := strings.Split(text, "\t")
		if at == nil {
			at = map[string]int{}
			for i, c := range cells {
				at[c] = i
			}
			for _, c := range columns {
				if _, ok := at[c]; !ok {
					return nil, fmt.Errorf("%s:%d: the header has no column %q; it needs %s", name, n, c, strings.Join(columns, ", "))
				}
			}
			continue
		}
		if len(cells) != len(at) {
			return nil, fmt.Errorf("%s:%d: %d cells where the header has %d", name, n, len(cells), len(at))
		}
		cell := func(c string) string { return cells[at[c]] }
		line, err := strconv.Atoi(cell("line"))
		if err != nil || line < 1 {
			return nil, fmt.Errorf("%s:%d: %q is not a line number", name, n, cell("line"))
		}
		s := site{
			Repo: cell("repo"), Commit: cell("commit"), File: cell("file"), Line: line,
			Kind: cell("kind"), Verdict: cell("verdict"), Scope: cell("scope"), Flow: cell("flow"),
		}
		if !slices.Contains(kinds, s.Kind) && s.Kind != "R" {
			return nil, fmt.Errorf("%s:%d: unknown kind %q; known are %s and R", name, n, s.Kind, strings.Join(kinds, ", "))
		}
		if !strings.Contains("UCLBN", s.Verdict) || len(s.Verdict) != 1 {
			return nil, fmt.Errorf("%s:%d: unknown verdict %q; known are U, C, L, B and N", name, n, s.Verdict)
		}
		if !slices.Contains(scopes, s.Scope) {
			return nil, fmt.Errorf("%s:%d: unknown scope %q; known are %s", name, n, s.Scope, strings.Join(scopes, ", "))
		}
		if c, ok := commits[s.Repo]; ok && c != s.Commit {
			return nil, fmt.Errorf("%s:%d: %s is labelled at %s and at %s; a repository is scored at one commit", name, n, s.Repo, c, s.Commit)
		}
		commits[s.Repo] = s.Commit
		sites = append(sites, s)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(sites) == 0 {
		return nil, fmt.Errorf("%s: no labelled site in it", name)
	}
	slices.SortFunc(sites, compareSites)
	return sites, nil
}
