//go:build !amd64 || purego

package scalar

func mul(v, a, b *Scalar)                { mulGeneric(v, a, b) }
func mulWide(w *[8]uint64, a, b *Scalar) { mulWideGeneric(w, a, b) }
