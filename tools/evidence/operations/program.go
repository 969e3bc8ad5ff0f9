package operations

import (
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
)

// This file has code that is shared by the programs that run the operations of the list.

// Cases returns the number in P256K1_CASES, or n if that is not set.
func Cases(n int) int {
	s := os.Getenv("P256K1_CASES")
	if s == "" {
		return n
	}
	n, err := strconv.Atoi(s)
	if err != nil || n <= 0 {
		panic(fmt.Sprintf("P256K1_CASES=%q is not a number of cases", s))
	}
	return n
}

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
