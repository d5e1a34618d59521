package main

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/boundcheck/boundcheck/analyzers/finding"
)

// A result is what one run of this command finds out.
type result struct {
	Repos   []repoResult `json:"repositories"`
	Total   tally        `json:"total"`
	Skipped int          `json:"skippedSites"` // sites whose checkout is absent
	Sample  []sampled    `json:"sample,omitempty"`
}

// A repoResult is the outcome for one repository.
type repoResult struct {
	Repo     string      `json:"repo"`
	Commit   string      `json:"commit"`
	Absent   bool        `json:"absent,omitempty"` // no checkout: nothing is counted
	Warnings []string    `json:"warnings,omitempty"`
	Modules  []moduleRun `json:"modules,omitempty"`
	tally
	Misses      []miss            `json:"misses"`
	FalseAlarms []alarm           `json:"falseAlarms"`
	Others      []finding.Finding `json:"otherReports,omitempty"`

	dir        string
	sites      int
	unlabelled []finding.Finding
}

// repo runs the checker over the modules of one repository and scores what it says.
func (c checker) repo(ctx context.Context, root string, repo repository, progress func(string, ...any)) repoResult {
	r := repoResult{Repo: repo.name, Commit: repo.sites[0].Commit, sites: len(repo.sites), tally: newTally(), dir: findCheckout(root, repo.name)}
	if r.dir == "" {
		r.Absent, r.Misses, r.FalseAlarms = true, []miss{}, []alarm{}
		r.Warnings = []string{fmt.Sprintf("no checkout; its %d sites are skipped", len(repo.sites))}
		return r
	}
	if w := checkHead(ctx, r.dir, r.Commit); w != "" {
		r.Warnings = append(r.Warnings, w)
	}
	of, modules, warnings := modulesOf(r.dir, repo.sites)
	r.Warnings = append(r.Warnings, warnings...)

	var found []finding.Finding
	runs := map[module]moduleRun{}
	var seconds float64
	for _, m := range modules {
		progress("%s: module %s", repo.name, m)
		one, err := c.run(ctx, r.dir, m)
		if err != nil {
			r.Warnings = append(r.Warnings, err.Error())
		}
		found = append(found, one.findings...)
		runs[m] = one
		seconds += one.Seconds
		r.Modules = append(r.Modules, one)
	}

	sc := scoreRepo(repo.sites, found, func(file string) string {
		m, ok := of[file]
		if !ok {
			return "not analysed: in no module of the checkout"
		}
		return runs[m].unseen(r.dir, file)
	})
	r.tally, r.Misses, r.FalseAlarms, r.Others, r.unlabelled = sc.tally, sc.misses, sc.alarms, sc.other, sc.unlabelled
	r.Seconds = seconds
	return r
}

// unseen says why the run did not analyse a file of its module, "" if it did.
func (r moduleRun) unseen(dir, file string) string {
	if r.Failed != "" {
		return fmt.Sprintf("not analysed: module %s failed", r.Module)
	}
	pkg := r.Module.importPath(dir, file)
	for _, p := range r.problems {
		if p.Package != "" && p.Package == pkg || p.File != "" && path.Dir(p.File) == path.Dir(file) {
			return fmt.Sprintf("not analysed: package %s did not load", pkg)
		}
	}
	return ""
}

func (res *result) add(r repoResult) {
	res.Repos = append(res.Repos, r)
	res.Total.add(r.tally)
	if r.Absent {
		res.Skipped += r.sites
	}
}

// scored reports whether any module gave a document.
func (res *result) scored() bool {
	return slices.ContainsFunc(res.Repos, func(r repoResult) bool {
		return slices.ContainsFunc(r.Modules, func(m moduleRun) bool { return m.Failed == "" })
	})
}
