// The program older prints the behaviour of Decred's module where it changed between versions.
package main

import (
	"errors"
	"math/big"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
)

func show(v any) any { return v }

func play() {
	curve := secp256k1.S256()
	x, y := curve.Params().Gx, curve.Params().Gy
	above, below := new(big.Int).Add(x, p), new(big.Int).Neg(x)
	say("S256() reduces coordinates", curve.IsOnCurve(above, y) && !curve.IsOnCurve(below, y))
	_, _, err := ecdsa.RecoverCompact(nil, nil)
	say("ecdsa.RecoverCompact returns errors with kinds", errors.As(err, new(ecdsa.Error)))
}
