package operations

import "runtime/debug"

// This file has code that is shared by the programs that run the operations of the list.

// Setting returns the value of a build setting of this program, such as "true" for "-race", or "" if it has none.
func Setting(key string) string {
	info, _ := debug.ReadBuildInfo()
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// Deeper calls f with more of the goroutine's stack in use: more than 64 bytes for each of n nested calls.
//
//go:noinline
func Deeper(n int, f func()) byte {
	var frame [64]byte
	if n == 0 {
		f()
	} else {
		frame[n%64] = Deeper(n-1, f)
	}
	return frame[n%64]
}
