//go:build !(amd64 || arm64 || 386.sse2) || purego

package ecmult

import "p256k1.mleku.dev/internal/group"

func lookup(p *group.Affine, table []entry, window uint64) { lookupGeneric(p, table, window) }
