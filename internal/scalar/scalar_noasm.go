//go:build !amd64 || purego

package scalar

func mul(v, a, b *Scalar) { mulGeneric(v, a, b) }
