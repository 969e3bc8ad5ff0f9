// Package mxcsr reads and sets the register MXCSR, which says how the vector instructions of a thread round, and which
// exceptions trap. Tests use it while their goroutine is locked to its thread.
package mxcsr

// Get returns MXCSR.
func Get() (word uint32)

// Set sets MXCSR.
func Set(word uint32)
