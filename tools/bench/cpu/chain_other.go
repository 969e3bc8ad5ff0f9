//go:build !(amd64 || arm64)

package cpu

// additions makes 32·n additions, each of which adds to the previous sum. The loop costs more than the additions, so a
// count of cycles that is based on this chain is too small.
func additions(n int) {
	a, b := uint64(1), uint64(n)
	for range 32 * n {
		a += b
	}
	sink = a
}

var sink uint64

func instructions() []instruction { return nil }
