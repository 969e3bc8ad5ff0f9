// The program older prints the behaviour of Erigon's module where it changed between versions.
package main

import (
	"bytes"
	"math/big"

	"github.com/erigontech/secp256k1"
)

func show(v any) any { return v }

func play() {
	// x = 1 is the x coordinate of a point, and 1 + p also fits in 32 bytes.
	one := big.NewInt(1).FillBytes(make([]byte, 32))
	_, y := secp256k1.DecompressPubkey(append([]byte{2}, one...))
	above := new(big.Int).Add(p, big.NewInt(1))
	product, _ := secp256k1.S256().ScalarMult(above, y, one)
	say("IsOnCurve and ScalarMult refuse coordinates of p or more", !secp256k1.S256().IsOnCurve(above, y) && product == nil)

	// The hashes 1 and n + 1 are equal modulo n.
	a, _ := secp256k1.Sign(one, one)
	b, _ := secp256k1.Sign(new(big.Int).Add(n, big.NewInt(1)).Bytes(), one)
	say("Sign reduces a hash of n or more for the nonce, too", bytes.Equal(a, b))
}
