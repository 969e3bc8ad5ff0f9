//go:build !(darwin || freebsd || linux || netbsd)

package measure

import "time"

var begin = time.Now()

// cpuTime returns the elapsed time, on platforms where the processor time is not read.
func cpuTime() time.Duration { return time.Since(begin) }
