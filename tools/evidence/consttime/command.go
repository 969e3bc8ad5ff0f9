package consttime

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
)

// Command is the main function of a command that takes no arguments. It calls run with a temporary folder dir, which it
// removes afterwards. If run panics with an error, Command prints the error and exits with status 1.
func Command(name string, run func(ctx context.Context, dir string)) {
	if len(os.Args) > 1 {
		fmt.Fprintf(os.Stderr, "%s: takes no arguments, got %q\n", name, os.Args[1:])
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	dir := Must(os.MkdirTemp("", "consttime"))
	defer func() {
		os.RemoveAll(dir)
		failure := recover()
		err, expected := failure.(error)
		_, bug := failure.(runtime.Error)
		switch {
		case ctx.Err() != nil:
			fmt.Fprintf(os.Stderr, "%s: interrupted\n", name)
		case failure == nil:
			return
		case !expected || bug:
			panic(failure)
		default:
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		}
		os.Exit(1)
	}()
	run(ctx, dir)
}

// Check panics if there is an error, which Command prints.
func Check(err error) {
	if err != nil {
		panic(err)
	}
}

// Must returns v if there is no error.
func Must[T any](v T, err error) T {
	Check(err)
	return v
}
