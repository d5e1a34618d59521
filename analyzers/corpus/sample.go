package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/analyzers/finding"
)

// contextLines is how much source is shown on each side of a sampled report.
const contextLines = 12

// A sampled report is one that somebody is to judge by reading the code.
type sampled struct {
	Repo    string          `json:"repo"`
	Finding finding.Finding `json:"finding"`
	Source  []string        `json:"source"` // numbered lines around the report
}

// pick chooses n unlabelled reports, each with the same chance, and returns them in the order of their places.
func pick(repos []repoResult, n int, seed uint64) []sampled {
	type place struct{ repo, report int }
	var all []place
	for i, r := range repos {
		for j := range r.unlabelled {
			all = append(all, place{i, j})
		}
	}
	order := rand.New(rand.NewPCG(seed, 0)).Perm(len(all))
	chosen := order[:min(n, len(order))]
	slices.Sort(chosen)
	var out []sampled
	for _, k := range chosen {
		r := repos[all[k].repo]
		f := r.unlabelled[all[k].report]
		out = append(out, sampled{Repo: r.Repo, Finding: f, Source: sourceAround(r.dir, f)})
	}
	return out
}

// sourceAround returns the numbered lines next to a report, the line itself marked.
func sourceAround(dir string, f finding.Finding) []string {
	name := filepath.FromSlash(f.File)
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return []string{"source cannot be read: " + err.Error()}
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	var out []string
	for n := max(1, f.Line-contextLines); n <= min(len(lines), f.Line+contextLines); n++ {
		mark := " "
		if n == f.Line {
			mark = ">"
		}
		out = append(out, fmt.Sprintf("%s%5d  %s", mark, n, strings.TrimSuffix(lines[n-1], "\r")))
	}
	return out
}
