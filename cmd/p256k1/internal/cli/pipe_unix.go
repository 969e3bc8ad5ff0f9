//go:build unix

package cli

import (
	"errors"
	"os/signal"
	"syscall"
)

// KeepPipeErrors makes a write to a pipe without a reader return an error. Otherwise the write would end the program
// before it has restored the terminal.
func KeepPipeErrors() { signal.Ignore(syscall.SIGPIPE) }

func isEPIPE(err error) bool { return errors.Is(err, syscall.EPIPE) }
