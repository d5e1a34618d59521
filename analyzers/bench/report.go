//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// A report is the whole outcome.
type report struct {
	Module   string   `json:"module"` // the directory's name
	Patterns []string `json:"patterns"`
	Go       string   `json:"go"`
	CPUs     int      `json:"cpus"`
	Runs     int      `json:"runs"`
	Rows     []row    `json:"rows"`
}

func (r report) writeJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

func (r report) writeText(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %v, %s, %d CPUs, medians of %d pairs\n\n", r.Module, r.Patterns, r.Go, r.CPUs, r.Runs)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "run\tCPU s\twall s\tpeak MiB\texit\tCPU ÷ go vet")
	for _, x := range r.Rows {
		line(t, "go vet "+x.Against, x.Vet, "1")
		line(t, x.Name, x.Tool, fmt.Sprintf("%.3f (%.3f-%.3f)", x.Ratio.Median, x.Ratio.Min, x.Ratio.Max))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if i := slices.IndexFunc(r.Rows, func(x row) bool { return x.Name == "standalone" }); i >= 0 {
		for _, x := range r.Rows {
			if x.Name == "staticcheck" || x.Name == "nilaway" {
				fmt.Fprintf(&b, "\n%s takes %.1f times the CPU of standalone", x.Name, x.Tool.CPU/r.Rows[i].Tool.CPU)
			}
		}
		b.WriteString("\n")
	}
	_, err := w.Write(b.Bytes())
	return err
}

func line(w io.Writer, name string, s series, ratio string) {
	fmt.Fprintf(w, "%s\t%.2f\t%.2f\t%.0f\t%d\t%s\n", name, s.CPU, s.Wall, s.Peak, s.Exit, ratio)
}
