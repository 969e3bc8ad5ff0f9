// Package curve implements the group of secp256k1 (SEC 2, section 2.4.1) for authors of
// protocols: scalars modulo the group order, points, their encodings, and
// multiplication of the generator and of any point.
//
// It is a safe low-level interface. All values are valid: points are on the
// curve, which has prime order and no cofactor; scalars are below the order.
// Everything is constant-time, except the functions whose names end in Vartime,
// which are faster and for public values only. To sign, verify or agree on a key,
// use packages ecdsa, schnorr and ecdh instead.
//
// Functions that take slices compute with many points or scalars. A call takes less time than
// one call for each item, and gives the same values. It allocates nothing and starts no goroutine.
// Result i may be the same variable as argument i. Slices must not overlap in any other way.
// A call panics if its slices differ in length.
package curve
