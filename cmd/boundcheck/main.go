package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/boundcheck/boundcheck/analyzers"
	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/report"
	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/standalone"
)

func main() {
	json := flag.Bool("json", false, "one JSON document")
	tests := flag.Bool("tests", false, "test files too")
	tags := flag.String("tags", "", "build tags")
	dir := flag.String("C", "", "directory")
	for _, a := range analyzers.All() {
		a.Flags.VisitAll(func(f *flag.Flag) {
			flag.Var(f.Value, f.Name, f.Usage)
		})
	}
	flag.Parse()
	if *dir != "" {
		if err := os.Chdir(*dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
	wd, _ := os.Getwd()
	args := flag.Args()
	if len(args) == 0 {
		args = []string{"./..."}
	}
	out, err := standalone.Run(context.Background(), standalone.Options{Dir: wd, Patterns: args, Tests: *tests, Tags: *tags, Analyzers: analyzers.All()})
	if err != nil {
		fmt.Fprintln(os.Stderr, "boundcheck:", err)
		os.Exit(3)
	}
	d := report.New(out.Findings, out.Problems)
	if *json {
		d.JSON(os.Stdout)
	} else {
		for _, f := range d.Findings {
			fmt.Printf("%s:%d:%d: %s (%s)\n", f.File, f.Line, f.Column, f.Message, f.Code)
			for _, s := range f.Path {
				fmt.Printf("\t%s:%d: %s\n", s.File, s.Line, s.What)
			}
		}
		for _, p := range d.Errors {
			fmt.Fprintf(os.Stderr, "%s: %s:%d: %s\n", p.Package, p.File, p.Line, p.Message)
		}
	}
	switch {
	case len(d.Errors) > 0:
		os.Exit(3)
	case len(d.Findings) > 0:
		os.Exit(1)
	}
}
