package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/boundcheck/boundcheck/invariants/serve"
)

func (a *App) serveCommand() *cobra.Command {
	var bug string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Speak the protocol of conform, as the reference model or as one that is wrong",
		Long: `Serve answers requests of the protocol BCP/1 on standard input and output, as the reference model does.

With -bug it does one thing wrong, so that whoever writes a harness can see a check fail. "boundcheck serve -bug list" prints
the names, one a line.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := cobra.NoArgs(cmd, args); err != nil {
				return usageError{err}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if bug == "list" {
				for name := range serve.Bugs() {
					fmt.Fprintln(cmd.OutOrStdout(), name)
				}
				return nil
			}
			if err := serve.Known(bug); err != nil {
				return usageError{err}
			}
			return serve.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), bug, version())
		},
	}
	cmd.Flags().StringVar(&bug, "bug", "", "what to do wrong; list prints the names")
	return cmd
}
