//go:build !purego

package platform

// Name returns the name of the code in use, which needs nothing that an ARM64
// processor may lack.
func Name() string { return "ARM64" }
