//go:build 386 || arm || mips || mipsle || wasm || (purego && (limbs29 || limbs32))

package modinv

// The tags limbs29 and limbs32, with purego, are for testing this on any machine.

// Modulus is an odd prime of 256 bits prepared for inversion.
type Modulus = modulus30

// P is the order of secp256k1's coordinate field and N that of its group.
var P, N = p30, n30

func invert(x *[4]uint64, m *Modulus) [4]uint64        { return invert30(x, m) }
func invertVartime(x *[4]uint64, m *Modulus) [4]uint64 { return invert30Vartime(x, m) }
