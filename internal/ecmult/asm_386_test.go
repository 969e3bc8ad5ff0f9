//go:build !purego && 386.sse2

package ecmult

import "p256k1.mleku.dev/internal/group"

// lookups are the look-ups in assembly.
var lookups = []struct {
	name  string
	needs string
	has   bool
	do    func(p *group.Affine, table []entry, window uint64)
}{
	{"386", "", true, lookup},
}
