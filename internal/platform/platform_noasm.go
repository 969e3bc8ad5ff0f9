//go:build !(amd64 || arm64) || purego

package platform

// Name returns the name of the code in use.
func Name() string { return Portable }

// IFMA is false because this build has no assembly for package lanes.
const IFMA = false

// FMA is false because only x86-64 has assembly of package lanes that computes with doubles.
const FMA = false
