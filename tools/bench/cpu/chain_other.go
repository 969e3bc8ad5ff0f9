//go:build !(amd64 || arm64)

package cpu

// additions adds 32 n times, each time to the sum before. The loop costs more than
// additions do, so that cycles are too few here.
func additions(n int) {
	a, b := uint64(1), uint64(n)
	for range 32 * n {
		a += b
	}
	sink = a
}

var sink uint64

func instructions() []instruction { return nil }
