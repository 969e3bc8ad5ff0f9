package main

import (
	"errors"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// confine restricts the socket of this process that listens on the given port to connections from this machine. Prism
// has no option that does this.
func confine(port int) error {
	fd, err := listener(port)
	if err != nil {
		return err
	}
	return unix.BindToDevice(fd, "lo")
}

// listener returns the socket of this process that listens on the given port.
func listener(port int) (fd int, err error) {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0, err
	}
	for _, entry := range entries {
		fd, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		if listens, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_ACCEPTCONN); err != nil || listens == 0 {
			continue
		}
		address, err := unix.Getsockname(fd)
		if err != nil {
			continue
		}
		if a, ok := address.(*unix.SockaddrInet6); ok && a.Port == port {
			return fd, nil
		}
		if a, ok := address.(*unix.SockaddrInet4); ok && a.Port == port {
			return fd, nil
		}
	}
	return 0, errors.New("this process has no socket of the runner")
}
