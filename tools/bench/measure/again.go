package measure

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"

	"github.com/spf13/cobra"
)

// Exit statuses of the programs that measure.
const (
	StatusError       = 2
	StatusInterrupted = 130 // the exit code with which shells report SIGINT
)

// Again is a Launcher that runs this program again, with the command that Worker returns.
func Again(ctx context.Context) (*exec.Cmd, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("to run this program again: %w", err)
	}
	return exec.CommandContext(ctx, program, "worker"), nil
}

// Worker returns the command with which a program runs itself again.
func Worker() *cobra.Command {
	return &cobra.Command{
		Use: "worker", Hidden: true, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			// Ctrl-C reaches the whole group of processes; the parent decides what to do.
			signal.Ignore(os.Interrupt)
			return Serve(context.WithoutCancel(cmd.Context()), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
}
