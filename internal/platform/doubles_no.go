//go:build !(purego && doubles)

package platform

// DoublesInGo is false because only the build tags purego and doubles select the routines in doubles in Go.
const DoublesInGo = false
