//go:build !v2.3.6

package main

import "github.com/btcsuite/btcd/btcec/v2/ecdsa"

// Names that 2.3.6 does not have.
var verifyLowS = ecdsa.VerifyLowS

// 2.3.6 reduces s of a Schnorr signature modulo n, as 2.5.0 does, which 2.5.1 and we refuse.
const reduces = false
