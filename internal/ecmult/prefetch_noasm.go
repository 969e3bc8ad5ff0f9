//go:build !amd64 || purego

package ecmult

import "p256k1.mleku.dev/internal/group"

func prefetch(*group.Affine) {}
