// Package protocols is the root of a module of protocols on p256k1.mleku.dev, which use its public packages alone. It is a
// module of its own, so that it may change while the library settles.
package protocols
