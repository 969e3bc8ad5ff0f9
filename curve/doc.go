// Package curve is the group of secp256k1 (SEC 2, section 2.4.1) for authors of
// protocols: scalars modulo the group order, points, their encodings, and
// multiplication with the generator and with any point.
//
// It is a safe low-level interface. All values are valid: points are on the
// curve, which has prime order and no cofactor; scalars are below the order.
// Everything is constant-time, except the functions whose names end in Vartime,
// which are faster and for public values only. Whoever just wants to sign,
// verify or agree on a key wants the packages ecdsa, schnorr and ecdh instead.
//
// Functions of slices compute with many points or scalars. A call takes less time than as
// many calls for one, allocates nothing, starts no goroutine, and gives the same values.
// The results may take the places of the arguments that have the same index, but overlap
// them in no other way. It panics if the slices of a call differ in length.
package curve
