package mxcsr

// Get returns MXCSR.
func Get() (word uint32)

// Set sets MXCSR.
func Set(word uint32)
