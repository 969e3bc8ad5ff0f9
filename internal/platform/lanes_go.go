//go:build purego && lanes

package platform

// With the build tags purego and lanes, every processor uses package lanes, in Go. The Go code is slow. It exists to
// test the code that chooses lanes and uses their results.
const lanesInGo = true
