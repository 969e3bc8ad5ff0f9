//go:build purego && doubles

package platform

// DoublesInGo tells whether the routines of package lanes for public data compute with doubles, in Go. The build tags
// purego and doubles select this slow code, so that every processor can test what the assembly for FMA computes.
const DoublesInGo = true
