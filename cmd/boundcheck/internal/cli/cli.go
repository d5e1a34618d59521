// Package cli is the command line of boundcheck.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/tools/go/analysis"

	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/settings"
	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/unit"
)

// Exit codes of everything but the go command's requests.
const (
	Clean    = 0
	Findings = 1
	Usage    = 2 // the command line asks for something that there is not
	Broken   = 3 // something could not be loaded or analysed
)

// A usageError is the fault of the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// An App is the program with its surroundings.
type App struct {
	Analyzers      []*analysis.Analyzer
	Stdout, Stderr *os.File

	code int
}

// Main runs the program and returns its exit code.
func (a *App) Main(args []string) int {
	if unit.Speaks(args) {
		return unit.Main(args, a.Analyzers, a.Stdout, a.Stderr)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	root := a.root()
	root.SetArgs(twoDashes(root.Flags(), args))
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(a.Stderr, "boundcheck:", err)
		if coded, ok := errors.AsType[codedError](err); ok {
			return coded.code
		}
		if _, ok := errors.AsType[usageError](err); ok {
			return Usage
		}
		return Broken
	}
	return a.code
}

// root is the command that checks packages; the others hang below it.
func (a *App) root() *cobra.Command {
	c := &check{app: a, settings: settings.New(a.Analyzers)}
	cmd := &cobra.Command{
		Use:   "boundcheck [flags] [packages]",
		Short: "Find where tool output enters a conversation history without passing a bound",
		Long: `Boundcheck finds the places in a Go program where the output of a tool (a process, a file, an HTTP or MCP
server, and so on) enters the conversation history of a language model without passing a bound.

It checks the named packages, or ./... when none is named. The same checks run under go vet:

	go vet -vettool=$(which boundcheck) ./...

Exit codes: 0 nothing found, 1 findings, 2 wrong usage, 3 something could not be loaded or analysed.`,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.run(cmd.Context(), args)
		},
	}
	cmd.SetOut(a.Stdout)
	cmd.SetErr(a.Stderr)
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w; %s -help lists the flags", err, cmd.CommandPath())}
	})
	c.register(cmd.Flags())
	cmd.AddCommand(explainCommand(), a.conformCommand(), a.serveCommand(), versionCommand())
	return cmd
}

// twoDashes lets long flags be written with one dash, as users of the go command do. What is left as it is are
// letters that are flags of their own, with or without a value behind them.
func twoDashes(flags *pflag.FlagSet, args []string) []string {
	out := make([]string, 0, len(args))
	for i, arg := range args {
		if arg == "--" {
			return append(out, args[i:]...)
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if strings.HasPrefix(arg, "-") && !strings.HasPrefix(name, "-") && len(name) > 1 {
			known := flags.Lookup(name) != nil || name == "help"
			if known || flags.ShorthandLookup(name[:1]) == nil {
				arg = "-" + arg
			}
		}
		out = append(out, arg)
	}
	return out
}

// addGoFlags takes over the flags that are shared with the go command's requests.
func addGoFlags(flags *pflag.FlagSet, s *settings.Settings) {
	shared := flag.NewFlagSet("", flag.ContinueOnError)
	shared.SetOutput(io.Discard)
	s.Register(shared)
	flags.AddGoFlagSet(shared)
}
