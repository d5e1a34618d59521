package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/report"
	"github.com/boundcheck/boundcheck/invariants"
	"github.com/boundcheck/boundcheck/invariants/trace"
	"github.com/boundcheck/boundcheck/invariants/wire"
)

// Exit codes of conform, beside Clean.
const (
	notConformant   = 1
	staleBaseline   = 2
	harnessAtFault  = 3
	conformanceCall = 4 // the command line is wrong
)

// A codedError ends the program with a code of its own.
type codedError struct {
	error
	code int
}

func (e codedError) Unwrap() error { return e.error }

// conform holds a program against the invariants.
type conform struct {
	app      *App
	profile  string
	baseline string
	effort   string
	only     []string
	seed     uint64
	timeout  time.Duration
	json     string
	junit    string
}

func (a *App) conformCommand() *cobra.Command {
	c := &conform{app: a}
	cmd := &cobra.Command{
		Use:   "conform [flags] -- command [arguments]",
		Short: "Hold a bounding layer in any language against the invariants",
		Long: `Conform starts the command, which has to speak BCP/1 on its standard input and output, and holds it
against the catalogue of invariants. Each one that does not hold is shown with the smallest scenario that shows it, as a
script. The protocol is described at

	https://pkg.go.dev/github.com/boundcheck/boundcheck/invariants/wire

and "boundcheck conform -- boundcheck serve" tries it with the reference model.

Exit codes: 0 conformant, 1 not conformant, 2 the baseline is stale, 3 the command does not speak the protocol, or something
else keeps the answer from being known, 4 wrong usage.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return codedError{errors.New(`no command to hold against the invariants: write it after "--", as in: boundcheck conform -- node harness.mjs`), conformanceCall}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd.Context(), args) },
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return codedError{fmt.Errorf("%w; %s -help lists the flags", err, cmd.CommandPath()), conformanceCall}
	})
	flags := cmd.Flags()
	flags.SetInterspersed(false) // what follows the command belongs to it
	flags.StringVar(&c.profile, "profile", "strict", "which invariants must hold: strict or qwen")
	flags.StringVar(&c.baseline, "baseline", "", "file with the invariants that are known not to hold yet")
	flags.StringVar(&c.effort, "effort", "quick", "how much to try: quick, full or nightly")
	flags.StringSliceVar(&c.only, "only", nil, "check only the invariants whose ids match these patterns, such as CLR-*")
	flags.Uint64Var(&c.seed, "seed", 1, "where random scenarios begin; the same seed does the same")
	flags.DurationVar(&c.timeout, "timeout", trace.DefaultTimeout, "how long the command may take for one answer")
	flags.StringVar(&c.json, "json", "", "write the report as JSON to this file, - for standard output")
	flags.StringVar(&c.junit, "junit", "", "write the report as JUnit XML to this file, - for standard output")
	return cmd
}

func (c *conform) run(ctx context.Context, command []string) error {
	effort, err := invariants.ParseEffort(c.effort)
	if err != nil {
		return codedError{err, conformanceCall}
	}
	options := []invariants.Option{invariants.Profile(c.profile), invariants.WithEffort(effort), invariants.Seed(c.seed),
		invariants.Only(c.only...), invariants.Timeout(2 * c.timeout), invariants.Baseline(c.baseline)}
	if err := invariants.Valid(options...); err != nil {
		return codedError{err, conformanceCall}
	}
	program, err := wire.NewProgram(ctx, c.timeout, command...)
	if err != nil {
		return codedError{err, harnessAtFault}
	}
	defer program.Close()
	if report.IsTerminal(c.app.Stderr) {
		options = append(options, invariants.Progress(func(done, all int) {
			fmt.Fprintf(c.app.Stderr, "\r%d of %d ", done, all)
			if done == all {
				fmt.Fprint(c.app.Stderr, "\r\033[K")
			}
		}))
	}
	result, err := invariants.Check(ctx, program.New, options...)
	if err != nil {
		return codedError{err, harnessAtFault}
	}
	result.Subject = program.Hello().Name
	if v := program.Hello().Version; v != "" {
		result.Subject += " " + v
	}
	if err := c.print(result); err != nil {
		return codedError{err, harnessAtFault}
	}
	switch {
	case result.Count(invariants.Error) > 0:
		c.app.code = harnessAtFault
	case !result.Conformant() && len(result.Stale) > 0:
		c.app.code = staleBaseline
	case !result.Conformant():
		c.app.code = notConformant
	}
	return nil
}

func (c *conform) print(r *invariants.Report) error {
	if c.json != "-" && c.junit != "-" {
		if err := r.WriteText(c.app.Stdout); err != nil {
			return err
		}
	}
	return errors.Join(
		c.write(c.json, func(w io.Writer) error {
			e := json.NewEncoder(w)
			e.SetIndent("", "\t")
			e.SetEscapeHTML(false)
			return e.Encode(r)
		}),
		c.write(c.junit, r.WriteJUnit))
}

// write writes a file, or to standard output when its name is -, or nothing when there is no name.
func (c *conform) write(name string, write func(io.Writer) error) error {
	switch name {
	case "":
		return nil
	case "-":
		return write(c.app.Stdout)
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
