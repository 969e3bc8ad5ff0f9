package consttime

import (
	"context"
	"fmt"
	"os"
	"os/signal"
)

// Command is the main function of a command that takes no arguments. It calls run with a temporary folder dir, which it
// removes afterwards. If run fails, Command exits with status 1.
func Command(name string, run func(ctx context.Context, dir string) error) {
	if len(os.Args) > 1 {
		fmt.Fprintf(os.Stderr, "%s: takes no arguments, got %q\n", name, os.Args[1:])
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	dir, err := os.MkdirTemp("", "consttime")
	if err == nil {
		err = run(ctx, dir)
		os.RemoveAll(dir)
	}
	switch {
	case ctx.Err() != nil:
		fmt.Fprintf(os.Stderr, "%s: interrupted\n", name)
	case err != nil:
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
	default:
		return
	}
	os.Exit(1)
}
