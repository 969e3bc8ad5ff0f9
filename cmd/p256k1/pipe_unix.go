//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// keepPipeErrors makes a write to a pipe without a reader return an error. Otherwise the write would end the program
// before it has restored the terminal.
func keepPipeErrors() {
	signal.Ignore(syscall.SIGPIPE)
}
