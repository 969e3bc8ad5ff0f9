// Package pty opens pseudo-terminals for tests on Linux.
package pty

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Open returns the two ends of a new pseudo-terminal: the end at which a person types and reads, and the terminal of
// the program.
func Open() (person, terminal *os.File, err error) {
	person, err = os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		return nil, nil, err
	}
	locked := unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0)
	number, unnumbered := unix.IoctlGetUint32(int(person.Fd()), unix.TIOCGPTN)
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	return person, terminal, errors.Join(locked, unnumbered, err)
}
