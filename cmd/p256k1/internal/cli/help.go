package cli

import "github.com/spf13/cobra"

// newHelp returns the command help, which refuses unknown arguments. It replaces cobra's own help command, which
// accepts any argument and repeats it.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND…]",
		Short: "Print the help of a command",
		Long:  "Help prints the help of a command, for example help verify or help key new.",
		RunE: func(cmd *cobra.Command, args []string) error {
			of, rest, err := cmd.Root().Find(args)
			if err != nil {
				return usageError(cmd, err)
			}
			if len(rest) > 0 {
				return subcommand(of, rest)
			}
			of.InitDefaultHelpFlag()
			of.InitDefaultVersionFlag()
			return of.Help()
		},
	}
}
