package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/analyzers/finding"
)

// near is how many lines a report may lie away from a site that it belongs to.
const near = 3

// Columns of the recall tables. R is missing: it is never positive.
var (
	kinds  = []string{"H", "T", "S", "P", "E"}
	scopes = []string{"intra", "dyn", "helper", "xpkg", "stored", "fw"}
)

// A ratio counts sites of one group and those among them that were reported.
type ratio struct {
	Reported int `json:"reported"`
	Sites    int `json:"sites"`
}

func (r *ratio) count(reported bool) {
	r.Sites++
	if reported {
		r.Reported++
	}
}

func (r *ratio) add(o ratio) {
	r.Reported += o.Reported
	r.Sites += o.Sites
}

// value is the share that was reported, nil when there is nothing to report.
func (r ratio) value() *float64 {
	if r.Sites == 0 {
		return nil
	}
	return new(float64(r.Reported) / float64(r.Sites))
}

// A tally is everything that is counted, for one repository or for all.
type tally struct {
	Main    ratio            `json:"main"`      // positives of kind H, T, S, P
	Errors  ratio            `json:"errorText"` // positives of kind E
	Silent  ratio            `json:"silent"`    // B and N; reported means false alarm
	Unseen  int              `json:"unseen"`    // silent sites left out, because their package was not analysed
	ByKind  map[string]ratio `json:"byKind"`    // positives
	ByScope map[string]ratio `json:"byScope"`   // positives of kind H, T, S, P

	// Reports, by the site they belong to.
	OnPositive int `json:"reportsOnPositive"`
	OnSilent   int `json:"reportsOnSilent"`
	OnNeutral  int `json:"reportsOnNeutral"`
	Unlabelled int `json:"reportsUnlabelled"`
	Other      int `json:"reportsOther"` // codes that say nothing about output

	Precision *float64 `json:"precision"` // null when nothing was reported
	Recall    *float64 `json:"recall"`    // null when there is no positive of kind H, T, S, P
	Seconds   float64  `json:"seconds"`
}

func newTally() tally {
	return tally{ByKind: map[string]ratio{}, ByScope: map[string]ratio{}}
}

func (t *tally) add(o tally) {
	t.Main.add(o.Main)
	t.Errors.add(o.Errors)
	t.Silent.add(o.Silent)
	t.Unseen += o.Unseen
	addAll(t.ByKind, o.ByKind)
	addAll(t.ByScope, o.ByScope)
	t.OnPositive += o.OnPositive
	t.OnSilent += o.OnSilent
	t.OnNeutral += o.OnNeutral
	t.Unlabelled += o.Unlabelled
	t.Other += o.Other
	t.Seconds += o.Seconds
	t.rate()
}

func addAll(sums, more map[string]ratio) {
	for k, r := range more {
		sum := sums[k]
		sum.add(r)
		sums[k] = sum
	}
}

// rate derives the rates from the counts. Precision compares sites with sites, so that ten reports at one site weigh as
// much as one.
func (t *tally) rate() {
	right := t.Main.Reported + t.Errors.Reported
	t.Precision = ratio{Reported: right, Sites: right + t.Silent.Reported}.value()
	t.Recall = t.Main.value()
}

// A miss is a positive site without a report.
type miss struct {
	site
	Note string `json:"note,omitempty"` // why the tool could not find it, when that is known
}

// An alarm is a silent site with the reports that belong to it.
type alarm struct {
	site
	Reports []finding.Finding `json:"reports"`
}

// A score is the outcome for one repository.
type score struct {
	tally
	misses     []miss
	alarms     []alarm
	unlabelled []finding.Finding
	other      []finding.Finding
}

// scoreRepo compares the findings of one repository with its sites. unseen says why a file was not analysed, "" if it was.
func scoreRepo(sites []site, findings []finding.Finding, unseen func(file string) string) score {
	sc := score{tally: newTally(), misses: []miss{}, alarms: []alarm{}} // empty lists, not null, in JSON
	findings = slices.Clone(findings)
	finding.Sort(findings)
	// Modules of one workspace may report the same place twice.
	findings = slices.CompactFunc(findings, func(a, b finding.Finding) bool { return finding.Compare(a, b) == 0 })

	hit := make([]bool, len(sites))
	owned := make([][]finding.Finding, len(sites))
	for _, f := range findings {
		if !strings.HasPrefix(f.Code, "BC1") {
			sc.other = append(sc.other, f)
			continue
		}
		best := -1
		for i, s := range sites {
			if s.File != f.File || distance(s, f) > near {
				continue
			}
			hit[i] = true
			if best < 0 || cmp.Or(cmp.Compare(distance(s, f), distance(sites[best], f)), cmp.Compare(s.class(), sites[best].class())) < 0 {
				best = i
			}
		}
		if best < 0 {
			sc.unlabelled = append(sc.unlabelled, f)
			continue
		}
		owned[best] = append(owned[best], f)
	}

	sc.Other, sc.Unlabelled = len(sc.other), len(sc.unlabelled)
	for i, s := range sites {
		switch s.class() {
		case positive:
			sc.OnPositive += len(owned[i])
			sc.countPositive(s, hit[i])
			if !hit[i] {
				sc.misses = append(sc.misses, miss{s, unseen(s.File)})
			}
		case silent:
			if len(owned[i]) == 0 && unseen(s.File) != "" {
				sc.Unseen++ // such silence proves nothing
				continue
			}
			sc.OnSilent += len(owned[i])
			sc.Silent.count(len(owned[i]) > 0)
			if len(owned[i]) > 0 {
				sc.alarms = append(sc.alarms, alarm{s, owned[i]})
			}
		case neutral:
			sc.OnNeutral += len(owned[i])
		}
	}
	sc.rate()
	return sc
}

func (t *tally) countPositive(s site, hit bool) {
	k := t.ByKind[s.Kind]
	k.count(hit)
	t.ByKind[s.Kind] = k
	if s.errorText() {
		t.Errors.count(hit)
		return
	}
	t.Main.count(hit)
	c := t.ByScope[s.Scope]
	c.count(hit)
	t.ByScope[s.Scope] = c
}

func distance(s site, f finding.Finding) int { return max(s.Line-f.Line, f.Line-s.Line) }
