// Package curve implements the group of secp256k1 (SEC 2, section 2.4.1) for authors of protocols: scalars modulo the
// group order, points, their encodings, and multiplication of the generator and of any point.
//
// The interface is low-level but safe. All values are valid: points are on the curve, which has prime order and no
// cofactor; scalars are below the order. Functions whose names end in Vartime are faster but not constant-time, and are
// for public values only. All other functions are constant-time. To sign, verify or agree on a key, use packages ecdsa,
// schnorr and ecdh instead.
//
// Functions that take slices of points or scalars compute with many of them at once. One call for a slice gives the
// same values as one call for each item, and usually takes less time. These functions start no goroutine, and allocate
// only scratch memory, which later calls use again. Result i may be the same variable as argument i. Slices must not
// overlap in any other way. The functions panic if their slices differ in length.
//
// The examples are in example_test.go.
package curve
