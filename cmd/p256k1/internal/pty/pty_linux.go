package pty

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"
)

// Open returns the two ends of a new pseudo-terminal: the end at which a person types and reads, and the terminal of
// the program.
func Open() (person, terminal *os.File, err error) {
	person, err = os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		return nil, nil, err
	}
	var number, locked int32
	err = control(person, syscall.TIOCSPTLCK, &locked)
	if err == nil {
		err = control(person, syscall.TIOCGPTN, &number)
	}
	if err == nil {
		terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	}
	if err != nil {
		person.Close()
		return nil, nil, err
	}
	return person, terminal, nil
}

func control(f *os.File, request uintptr, value *int32) error {
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), request, uintptr(unsafe.Pointer(value))); errno != 0 {
		return os.NewSyscallError("ioctl", errno)
	}
	return nil
}
