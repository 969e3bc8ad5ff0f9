//go:build purego && lanes

package platform

// With the tags purego and lanes, package lanes is in use on every processor, in Go. That is slow. It
// is for tests of what chooses lanes and of what becomes of their results.
const lanesInGo = true
