//go:build !(darwin || freebsd || linux || netbsd)

package measure

import "time"

var begin = time.Now()

// CPUTime returns the elapsed time, on platforms where the processor time is not read.
func CPUTime() time.Duration { return time.Since(begin) }
