// Package parts says how many items are computed at a time. Every package of the library that cuts many items into
// parts takes the size from here, and so do the workspaces of package lanes.
package parts

import "iter"

const (
	// Sums is the number of sums k·A + g·G, signatures or keys that are computed at a time. They share inversions: with
	// 256 items, an inversion takes less than 1 % of their time. A multiple of 8 leaves no lane empty.
	Sums = 256

	// ProductSums is the number of sums of several products that are computed at a time, two blocks of lanes. Each sum
	// has up to Terms products. Their tables take almost 1 MiB.
	ProductSums = 16
	Terms       = 16

	// Secrets is the number of points with secrets that share an inversion, or are on the stack together with pointers
	// to them. It is small because secret.Do wipes only 8 KiB of the stack.
	Secrets = 32

	// Bases is the number of products k·G that are computed at a time. In lanes they share the rows of the table while
	// these are in the cache.
	Bases = 64

	// Lifts is the number of square roots that are computed at a time, a multiple of the 24 that package lanes computes
	// at once: a square root is a chain of 253 squarings that wait for each other, so those of three blocks are
	// interleaved.
	Lifts = 48

	// Bucketed is the largest number of points in the buckets of the places that are processed at a time. A place with
	// more points is processed by itself. With twice as many points at a time, there are fewer inversions, but sums
	// took the same time within 2 % (docs/performance.md).
	Bucketed = 8192
)

// Of cuts n items into parts of the given size, of which the last may be smaller. It yields the bounds of each part:
// the items from, …, to − 1.
func Of(n, size int) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for from := 0; from < n; from += size {
			if !yield(from, min(from+size, n)) {
				return
			}
		}
	}
}
