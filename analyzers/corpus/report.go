package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/boundcheck/boundcheck/analyzers/finding"
)

func writeJSON(w io.Writer, res result) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(res)
}

// writeText prints the tables first and after them the lists that a developer works through.
func writeText(w io.Writer, res result) error {
	var b bytes.Buffer
	writeTables(&b, res)
	for _, r := range res.Repos {
		for _, text := range r.Warnings {
			fmt.Fprintf(&b, "\nwarning: %s: %s", r.Repo, text)
		}
	}
	for _, r := range res.Repos {
		for _, m := range r.Modules {
			if m.Failed != "" {
				fmt.Fprintf(&b, "\nnot analysed: %s module %s: %s", r.Repo, m.Module, m.Failed)
			}
			if m.Completed {
				fmt.Fprintf(&b, "\ncompleted: %s module %s: lines that its go.sum lacks were added to a copy", r.Repo, m.Module)
			}
			for _, text := range m.Errors {
				fmt.Fprintf(&b, "\nnot loaded: %s module %s: %s", r.Repo, m.Module, text)
			}
		}
	}
	writeLists(&b, res)
	for i, s := range res.Sample {
		fmt.Fprintf(&b, "\n\n--- unlabelled %d of %d: %s ", i+1, len(res.Sample), s.Repo)
		writeFinding(&b, s.Finding)
		for _, step := range s.Finding.Path {
			fmt.Fprintf(&b, "\n    %s:%d %s", step.File, step.Line, step.What)
		}
		for _, line := range s.Source {
			b.WriteString("\n" + line)
		}
	}
	b.WriteString("\n")
	_, err := w.Write(b.Bytes())
	return err
}

func writeTables(w io.Writer, res result) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	defer t.Flush()
	fmt.Fprintln(t, "repository\thits\tmisses\terror text\tfalse alarms\tunlabelled\tprecision\trecall\tseconds")
	each(res, func(name string, c tally) {
		fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t%d\t%s\t%s\t%.1f\n", name, c.Main.Reported, c.Main.Sites-c.Main.Reported,
			c.Errors, c.Silent, c.Unlabelled, percent(c.Precision), percent(c.Recall), c.Seconds)
	})
	fmt.Fprintln(t)
	fmt.Fprint(t, "recall")
	for _, k := range slices.Concat(kinds, scopes) {
		fmt.Fprint(t, "\t"+k)
	}
	fmt.Fprintln(t)
	each(res, func(name string, c tally) {
		fmt.Fprint(t, name)
		for _, k := range kinds {
			fmt.Fprint(t, "\t", c.ByKind[k])
		}
		for _, k := range scopes {
			fmt.Fprint(t, "\t", c.ByScope[k])
		}
		fmt.Fprintln(t)
	})
	c := res.Total
	fmt.Fprintf(t, "\nreports: %d on positive sites, %d on silent, %d on neutral, %d unlabelled, %d other; error text recall %s, false alarms %s of silent sites (%d more not analysed)\n",
		c.OnPositive, c.OnSilent, c.OnNeutral, c.Unlabelled, c.Other, percent(c.Errors.value()), percent(c.Silent.value()), c.Unseen)
}

// each visits the repositories that were run, then the total.
func each(res result, row func(name string, c tally)) {
	for _, r := range res.Repos {
		if !r.Absent {
			row(r.Repo, r.tally)
		}
	}
	row("total", res.Total)
}

func writeLists(w io.Writer, res result) {
	fmt.Fprintf(w, "\n\nmisses (%d):", res.Total.Main.Sites-res.Total.Main.Reported+res.Total.Errors.Sites-res.Total.Errors.Reported)
	for _, r := range res.Repos {
		for _, m := range r.Misses {
			fmt.Fprintf(w, "\n%s", m.site)
			if m.Note != "" {
				fmt.Fprintf(w, " (%s)", m.Note)
			}
		}
	}
	fmt.Fprintf(w, "\n\nfalse alarms (%d):", res.Total.Silent.Reported)
	for _, r := range res.Repos {
		for _, a := range r.FalseAlarms {
			fmt.Fprintf(w, "\n%s", a.site)
			for _, f := range a.Reports {
				fmt.Fprint(w, "\n    ")
				writeFinding(w, f)
			}
		}
	}
	if res.Total.Other > 0 {
		fmt.Fprintf(w, "\n\nother reports (%d):", res.Total.Other)
		for _, r := range res.Repos {
			for _, f := range r.Others {
				fmt.Fprintf(w, "\n%s ", r.Repo)
				writeFinding(w, f)
			}
		}
	}
}

func writeFinding(w io.Writer, f finding.Finding) {
	// Messages begin with the code, since go vet shows nothing else of it.
	text := strings.TrimPrefix(firstLines(f.Message, 1), f.Code+": ")
	fmt.Fprintf(w, "%s:%d %s %s", f.File, f.Line, f.Code, text)
}

// String is "reported/sites", and a dash when there are no sites.
func (r ratio) String() string {
	if r.Sites == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d", r.Reported, r.Sites)
}

func percent(share *float64) string {
	if share == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100**share)
}
