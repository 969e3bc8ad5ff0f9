//go:build !purego

package ecmult

import "p256k1.mleku.dev/internal/group"

// lookups are the look-ups in assembly.
var lookups = []struct {
	name  string
	needs string
	has   bool
	do    func(p *group.Affine, table []entry, window uint64)
}{
	{"ARM64", "", true, lookup},
}
