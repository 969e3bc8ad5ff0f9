//go:build darwin || freebsd || linux || netbsd

package measure

import (
	"time"

	"golang.org/x/sys/unix"
)

// CPUTime returns the processor time that this process has used, in all its threads.
func CPUTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		panic("measure: clock_gettime: " + err.Error()) // the arguments are valid, so the call cannot fail
	}
	return time.Duration(t.Nano())
}
