package unit

import (
	"encoding/json"
	"flag"
	"io"

	"golang.org/x/tools/go/analysis"

	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/settings"
)

// options are the flags of one unit.
type options struct {
	*settings.Settings
	json, fix, diff bool
	flags           *flag.FlagSet
}

func newOptions(analyzers []*analysis.Analyzer) *options {
	o := &options{Settings: settings.New(analyzers), flags: flag.NewFlagSet("boundcheck", flag.ContinueOnError)}
	o.flags.SetOutput(io.Discard)
	o.flags.BoolVar(&o.json, "json", false, "print findings as JSON")
	o.flags.BoolVar(&o.fix, "fix", false, "make the first suggested fix of each finding instead of printing it")
	o.flags.BoolVar(&o.diff, "diff", false, "with -fix, print the changes instead of making them")
	o.Register(o.flags)
	return o
}

// describe returns the answer to -flags.
func (o *options) describe() ([]byte, error) {
	type description struct {
		Name  string
		Bool  bool
		Usage string
	}
	var all []description
	o.flags.VisitAll(func(f *flag.Flag) {
		b, ok := f.Value.(interface{ IsBoolFlag() bool })
		all = append(all, description{f.Name, ok && b.IsBoolFlag(), f.Usage})
	})
	return json.MarshalIndent(all, "", "\t")
}
