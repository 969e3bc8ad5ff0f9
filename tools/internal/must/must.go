// Package must shortens commands whose every error ends the command.
package must

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// failure is an error, so that a panic that nothing recovers prints its text.
type failure struct{ error }

// Do panics if err is not nil. Catch and Recover turn the panic into an error.
func Do(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// Get returns v. It panics as Do does.
func Get[T any](v T, err error) T {
	Do(err)
	return v
}

// Fail panics with an error that has the text of fmt.Errorf.
func Fail(format string, args ...any) { Do(fmt.Errorf(format, args...)) }

// Hash returns digits that change with a text. It panics as Do does if there is no text.
func Hash(text string) string {
	if text == "" {
		Fail("a hash of nothing")
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:8]
}

// Catch calls f, and returns the error with which f ended.
func Catch(f func()) (err error) {
	defer Recover(&err)
	f()
	return nil
}

// Recover is deferred by a function whose error is *err. It sets *err to the error of Do, Get or Fail. Other panics
// continue.
func Recover(err *error) {
	switch p := recover().(type) {
	case nil:
	case failure:
		*err = p.error
	default:
		panic(p)
	}
}

// Main is the main function of a program. It calls run with a context that Ctrl-C ends, prints the error with which run
// ends or panics, as Do does, and then exits with status 1. The error [flag.ErrHelp] is none.
func Main(program string, run func(ctx context.Context) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := Catch(func() { Do(run(ctx)) }); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(os.Stderr, "%s: %v\n", program, err)
		os.Exit(1)
	}
}

// Output runs a command and returns its standard output. The error has the command, its output and its messages.
func Output(cmd *exec.Cmd) (string, error) {
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%v: %w\n%s%s", cmd, err, out, exit.Stderr)
	}
	return string(out), err
}
