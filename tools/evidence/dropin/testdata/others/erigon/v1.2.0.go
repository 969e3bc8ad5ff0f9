//go:build v1.2.0

package main

// 1.2.0 reduces coordinates modulo p in IsOnCurve and ScalarMult. 1.3.0 and this library refuse coordinates of p or
// more.
const reduces = true
