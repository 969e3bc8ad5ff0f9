package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// doubleDashes returns the arguments with a second dash before long flags that
// have only one, as Go's own commands take them: -json for --json. Names of a
// single letter and what stands after -- stay as they are.
func doubleDashes(root *cobra.Command, args []string) []string {
	long := map[string]bool{"help": true, "version": true}
	addFlags(root, long)
	out := make([]string, 0, len(args))
	for i, arg := range args {
		if arg == "--" || i == 0 && strings.HasPrefix(arg, cobra.ShellCompRequestCmd) {
			return append(out, args[i:]...)
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if strings.HasPrefix(arg, "-") && long[name] {
			arg = "-" + arg
		}
		out = append(out, arg)
	}
	return out
}

// addFlags adds the long flags of cmd and the commands below it.
func addFlags(cmd *cobra.Command, long map[string]bool) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if len(f.Name) > 1 {
			long[f.Name] = true
		}
	})
	for _, c := range cmd.Commands() {
		addFlags(c, long)
	}
}
