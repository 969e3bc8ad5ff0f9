package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// addHelp adds the commands help and completion, which refuse what they do not
// know: those of cobra take anything, and repeat it.
func addHelp(root *cobra.Command) {
	root.SetHelpCommand(newHelp())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range append(root.Commands(), root) {
		cmd.DisableFlagsInUseLine = cmd.HasSubCommands() // which have the flags
		if cmd.Name() == "completion" {
			cmd.Short = "Print a script that completes this program's arguments in a shell"
			cmd.Args = subcommand
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
			for _, shell := range cmd.Commands() {
				shell.Args = noArguments
			}
		}
	}
}

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND…]",
		Short: "Print the help of a command",
		Long:  "Help prints the help of a command: help verify, help key new.",
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
		ValidArgsFunction: func(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var names []cobra.Completion
			if of, rest, err := cmd.Root().Find(args); err == nil && len(rest) == 0 {
				for _, c := range of.Commands() {
					if c.IsAvailableCommand() && strings.HasPrefix(c.Name(), begun) {
						names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
					}
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}
