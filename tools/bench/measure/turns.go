package measure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/tools/internal/must"
	"p256k1.mleku.dev/v2/tools/internal/progress"
)

// Interruptible returns a context that Ctrl-C ends. A second Ctrl-C ends the program as usual.
func Interruptible(cmd *cobra.Command) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// A Turn is a measurement that is repeated in each round.
type Turn struct {
	Name string
	Run  func()
}

// InTurns measures rounds of the turns that prepare returns, and describes the machine before it calls write. Ctrl-C
// ends the measurement. If a round is complete by then, its figures are written.
func InTurns(cmd *cobra.Command, rounds int, prepare func() []Turn, write func(w io.Writer)) (err error) {
	defer must.Recover(&err)
	if rounds < 1 {
		return errors.New("--rounds must be positive")
	}
	ctx, stop := Interruptible(cmd)
	defer stop()
	bar := progress.Start(cmd.ErrOrStderr(), "making signatures")
	defer bar.Stop()
	turns := prepare()
	done, total := 0, rounds*len(turns)
	for ; done < total && ctx.Err() == nil; done++ {
		turn := turns[done%len(turns)]
		bar.Set(done, total, turn.Name)
		turn.Run()
	}
	bar.Stop()
	if done >= len(turns) {
		m := DescribeMachine()
		fmt.Fprintf(cmd.OutOrStdout(), "%s\n%d cores, %s, %s\n%s\n\n", m.Processor, m.CPUs, m.Go, m.Commit, platform.Name())
		write(cmd.OutOrStdout())
	}
	if done < total {
		fmt.Fprintf(cmd.ErrOrStderr(), "interrupted after %d of %d rounds\n", done/len(turns), rounds)
		return ctx.Err()
	}
	return nil
}

// Quantile sorts the values and returns the value that a share q of them do not exceed.
func Quantile(values []float64, q float64) float64 {
	slices.Sort(values)
	return values[int(q*float64(len(values)))]
}
