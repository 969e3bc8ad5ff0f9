// Package mxcsr reads and sets the register MXCSR, which says how the vector instructions of a thread round, and which
// exceptions trap. Tests use it while their goroutine is locked to its thread. Only x86-64 has the register.
package mxcsr
