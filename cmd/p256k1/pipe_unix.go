//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// keepPipeErrors lets a write to a pipe that nobody reads fail, rather than end
// the program before it has tidied the terminal up.
func keepPipeErrors() {
	signal.Ignore(syscall.SIGPIPE)
}
