//go:build !(amd64 || arm64) || purego

package backend

// Name returns the name of the code in use.
func Name() string { return Portable }
