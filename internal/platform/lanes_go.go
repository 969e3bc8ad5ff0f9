//go:build purego && lanes

package platform

// With the tags purego and lanes, package lanes is in use on every processor, in Go. The Go code is slow. It is for
// tests of the code that chooses lanes and uses their results.
const lanesInGo = true
