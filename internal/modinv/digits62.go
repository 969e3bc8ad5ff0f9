//go:build !386 && !arm && !mips && !mipsle && !wasm && !(purego && (limbs29 || limbs32))

package modinv

// Modulus is an odd prime of 256 bits prepared for inversion.
type Modulus = modulus62

// P is the order of secp256k1's coordinate field and N that of its group.
var P, N = p62, n62

func invert(x *[4]uint64, m *Modulus) [4]uint64        { return invert62(x, m) }
func invertVartime(x *[4]uint64, m *Modulus) [4]uint64 { return invert62Vartime(x, m) }
